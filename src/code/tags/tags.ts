import { findNamedRevision, readingCode } from '../commits/code.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { AppError, forbidden, invalidField, notFound } from '../../platform/errors.ts'
import { listKeptRefs, type Ref } from '../../platform/git/list-refs.ts'
import { makeTag } from '../../platform/git/make-tag.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Commit, Signature, Tag } from '../../platform/git/parse.ts'
import { isNewRefName, isRefName } from '../../platform/git/ref-name.ts'
import { assertMayTag } from '../protection/enforce.ts'
import { moveRefs } from '../pushes/move-refs.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { gitIdentity } from '../../repositories/repository/identity.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { hasRelease } from './queries.ts'

export interface NamedTag {
  readonly name: string
  /** Of the tag object where there is one, else of the commit. */
  readonly id: string
  readonly commit: Commit
  readonly message: string
  readonly at: Signature
}

const TAGS = 'refs/tags/'

/** Newest first. */
export async function listTags(
  ctx: Context,
  repo: Repository,
  page: Page,
): Promise<PageOf<NamedTag>> {
  const all = await listKeptRefs(ctx.git, folderOf(ctx, repo), 'refs/tags', { newestFirst: true })
  const refs = all.filter(({ type }) => type === 'commit' || type === 'tag')
  const shown = refs.slice(page.offset, page.offset + page.limit)
  const tags = await readingCode(ctx, repo, (objects) =>
    Promise.all(shown.map((ref) => readNamedTag(objects, ref))),
  )
  return { items: tags.flatMap((tag) => tag ?? []), total: refs.length }
}

export async function loadTag(ctx: Context, repo: Repository, name: string): Promise<NamedTag> {
  const tag = await readingCode(ctx, repo, (objects) => findNamedTag(objects, name))
  if (!tag) throw notFound(`tag doesn't exist: ${name}`)
  return tag
}

async function findNamedTag(objects: ObjectReader, name: string): Promise<NamedTag | undefined> {
  if (!isRefName(name)) return undefined
  const object = await objects.info(TAGS + name)
  return object && readNamedTag(objects, { ...object, name: TAGS + name })
}

/** A tag that names no commit is none to us. */
async function readNamedTag(objects: ObjectReader, ref: Ref): Promise<NamedTag | undefined> {
  const { id, type } = ref
  const name = ref.name.slice(TAGS.length)
  if (!isRefName(name)) return undefined
  const tag = type === 'tag' ? await objects.parsed('tag', id) : undefined
  const commit = await findTagged(objects, tag?.target ?? ref)
  if (!commit) return undefined
  const message = (tag ?? commit).message.replace(/\n+$/, '')
  return { name, id, commit, message, at: tag?.tagger ?? commit.committer }
}

/** A tag may name another one, and that the next: git follows any number of them in less time. */
async function findTagged(
  objects: ObjectReader,
  { id, type }: Tag['target'],
): Promise<Commit | undefined> {
  if (type === 'commit') return objects.parsed('commit', id)
  const commit = type === 'tag' ? await objects.info(`${id}^{commit}`) : undefined
  return commit && objects.parsed('commit', commit.id)
}

export interface NewTag {
  readonly name: string
  /** Empty for a tag without an object of its own. */
  readonly message: string
  readonly target: string
}

export async function createTag(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { name, message, target }: NewTag,
): Promise<void> {
  const { repo } = view
  if (!isNewRefName(name)) throw invalidField('TagName', 'GitRefName')
  const commitId = await readingCode(ctx, repo, async (objects) => {
    const revision = await findNamedRevision(objects, repo, target)
    if (!revision) throw targetUnknown(target || repo.defaultBranch)
    if (await objects.info(`refs/tags/${name}`)) throw tagExists(name)
    return revision.commitId
  })
  await placeTag(ctx, caller, view, { name, message, commitId })
}

export interface PlacedTag {
  readonly name: string
  readonly message: string
  readonly commitId: string
}

/** Makes a tag that is not there, as far as the rules of the repository let the caller. */
export async function placeTag(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { name, message, commitId }: PlacedTag,
): Promise<void> {
  const { repo } = view
  assertChangeable(repo)
  const folder = folderOf(ctx, repo)
  const tagger = { ...gitIdentity(ctx.config, caller.account), at: ctx.now(), zone: 0 }
  const after =
    message === '' ? commitId : await makeTag(ctx.git, folder, { name, commitId, tagger, message })
  const update = { ref: `refs/tags/${name}`, before: undefined, after }
  await assertMayTag(ctx, caller, repo, update)
  if (!(await moveRefs(ctx, caller, view, [update]))) throw tagExists(name)
}

export async function deleteTag(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  name: string,
): Promise<void> {
  const { repo } = view
  assertChangeable(repo)
  const object = isRefName(name)
    ? await readingCode(ctx, repo, (objects) => objects.info(`refs/tags/${name}`))
    : undefined
  if (!object) throw notFound()
  if (await hasRelease(ctx.db, repo.id, name)) {
    throw new AppError('conflict', 'a tag attached to a release cannot be deleted directly')
  }
  const update = { ref: `refs/tags/${name}`, before: object.id, after: undefined }
  await assertMayTag(ctx, caller, repo, update)
  if (!(await moveRefs(ctx, caller, view, [update]))) throw notFound()
}

/** The tags of a mirror are those of its remote: the next synchronisation would undo a change. */
function assertChangeable({ isMirror }: Repository): void {
  if (isMirror) throw forbidden('Git Repository is a mirror.', { reason: 'mirrored' })
}

function tagExists(name: string): AppError {
  return new AppError('conflict', `tag already exists [name: ${name}]`)
}

function targetUnknown(target: string): AppError {
  return notFound(`target not found: object does not exist [id: ${target}, rel_path: ]`, {
    reason: 'target_missing',
  })
}
