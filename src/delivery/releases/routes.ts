import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Guard } from '../../platform/db/guard.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertMatches, guardOf, recordAnswer } from '../../platform/http/record.ts'
import { assertNotArchived, assertReads, assertWrites } from '../../repositories/repository/load.ts'
import { loadOfPath } from '../../repositories/repository/routes.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { createRelease } from './create.ts'
import { editRelease } from './edit.ts'
import {
  listVisibleReleases,
  loadLatest,
  loadRelease,
  loadReleaseByTag,
  loadToChange,
} from './load.ts'
import { generateNotes } from './notes.ts'
import { presentRelease, readEdit, readNew, readWantedNotes } from './present.ts'
import type { Release } from './release.ts'
import { removeRelease } from './remove.ts'
import {
  CreateReleaseOption,
  EditReleaseOption,
  GenerateNotesOption,
  repoCreateRelease,
  repoDeleteRelease,
  repoDeleteReleaseByTag,
  repoEditRelease,
  repoEditReleaseByTag,
  repoGenerateReleaseNotes,
  repoGetLatestRelease,
  repoGetRelease,
  repoGetReleaseByTag,
  repoListReleases,
  type ReleaseBody,
} from './schema.ts'
import { tagPattern } from './tag-pattern.ts'
import { viewReleases } from './view.ts'

const all = '/repos/:owner/:repo/releases'
const byTag = `${all}/tags/:tag`
const byId = `${all}/:id`

export function releaseRoutes(api: Api, ctx: Context): void {
  api.get(all, repoListReleases, async (call) => {
    const view = await loadReleases(ctx, call)
    const filter = {
      isDraft: call.query.optionalBoolean('draft'),
      isPrerelease: call.query.optionalBoolean('pre-release'),
      tagPattern: tagPattern(call.query.text('tag_filter') ?? ''),
    }
    const found = await listVisibleReleases(ctx, call.caller, view, filter, call.page)
    return call.listOf(found, await presentAll(ctx, call, view, found.items))
  })

  const answerWith =
    (load: (call: Call, view: RepositoryView) => Promise<Release>) => async (call: Call) => {
      const view = await loadReleases(ctx, call)
      return recordAnswer(call, await presentOne(ctx, call, view, await load(call, view)))
    }
  api.get(
    `${all}/latest`,
    repoGetLatestRelease,
    answerWith((_call, view) => loadLatest(ctx, view)),
  )
  api.get(
    byTag,
    repoGetReleaseByTag,
    answerWith((call, view) => loadReleaseByTag(ctx, view, call.param('tag'))),
  )
  api.get(
    byId,
    repoGetRelease,
    answerWith((call, view) => loadRelease(ctx, call.caller, view, call.id('id'))),
  )
  createRoutes(api, ctx)
  changeRoutes(api, ctx)
}

function createRoutes(api: Api, ctx: Context): void {
  api.post(all, repoCreateRelease, async (call) => {
    const view = await loadWritable(ctx, call)
    assertNotArchived(view)
    const body = await call.body(CreateReleaseOption)
    const release = await createRelease(ctx, call.signedIn(), view, readNew(body))
    return created(await presentOne(ctx, call, view, release))
  })

  api.post(`${all}/generate-notes`, repoGenerateReleaseNotes, async (call) => {
    const view = await loadWritable(ctx, call)
    assertReads(view, 'repo.code')
    const body = await call.body(GenerateNotesOption)
    return ok(await generateNotes(ctx, view, readWantedNotes(body)))
  })
}

type Load = (call: Call, view: RepositoryView) => Promise<Release>

function changeRoutes(api: Api, ctx: Context): void {
  const ofId: Load = (call, view) => loadToChange(ctx, view, { id: call.id('id') })
  const ofTag: Load = (call, view) => loadToChange(ctx, view, { tagName: call.param('tag') })

  const edit = (load: Load) => async (call: Call) => {
    const view = await loadWritable(ctx, call)
    assertNotArchived(view)
    const body = await call.body(EditReleaseOption)
    const release = await load(call, view)
    await assertMatches(call, () => presentOne(ctx, call, view, release))
    const guard = unchanged(ctx, call, view)
    const edited = await editRelease(ctx, call.signedIn(), view, release, readEdit(body), guard)
    return ok(await presentOne(ctx, call, view, edited))
  }
  api.patch(byId, repoEditRelease, edit(ofId))
  api.patch(byTag, repoEditReleaseByTag, edit(ofTag))

  const remove = (load: Load) => async (call: Call) => {
    const view = await loadWritable(ctx, call)
    const release = await load(call, view)
    const { account } = call.signedIn()
    await removeRelease(ctx, account, release, unchanged(ctx, call, view))
    return noContent()
  }
  api.delete(byId, repoDeleteRelease, remove(ofId))
  api.delete(byTag, repoDeleteReleaseByTag, remove(ofTag))
}

/** For every route below releases. */
export async function loadReleases(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadOfPath(ctx, call)
  assertReads(view, 'repo.releases')
  return view
}

export async function loadWritable(ctx: Context, call: Call): Promise<RepositoryView> {
  const view = await loadReleases(ctx, call)
  call.signedIn()
  assertWrites(view, 'repo.releases')
  return view
}

/** Asked with the transaction that changes the release. */
function unchanged(ctx: Context, call: Call, view: RepositoryView): Guard<Release> | undefined {
  return guardOf(call, async (tx, current) => {
    const [body] = await presentIn(ctx, tx, call, view, [current])
    return body
  })
}

async function presentOne(
  ctx: Context,
  call: Call,
  view: RepositoryView,
  release: Release,
): Promise<ReleaseBody> {
  const [body] = await presentAll(ctx, call, view, [release])
  if (!body) throw new Error('one release has one record')
  return body
}

/** With the downloads until now. */
async function presentAll(
  ctx: Context,
  call: Call,
  view: RepositoryView,
  releases: readonly Release[],
): Promise<ReleaseBody[]> {
  await ctx.downloadCounts.flush()
  return presentIn(ctx, ctx.db, call, view, releases)
}

async function presentIn(
  ctx: Context,
  db: Executor,
  call: Call,
  view: RepositoryView,
  releases: readonly Release[],
): Promise<ReleaseBody[]> {
  const views = await viewReleases(db, releases)
  const showDigest = call.query.boolean('digest')
  return views.map(({ release, author, files }) =>
    presentRelease(ctx.config, view, release, { author, files, showDigest }),
  )
}
