import { basePath, encodeSegment } from '../platform/config/urls.ts'
import type { Caller, Context, SignedInCaller } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { bindForm } from '../platform/http/binding.ts'
import { readInteger } from '../platform/http/query.ts'
import {
  beginImport,
  findImportAt,
  giveUpImport,
  listImportsBy,
  loadImport,
  type Import,
} from '../code/mirrors/imports.ts'
import { loadNewOwner } from '../code/mirrors/owner.ts'
import { readMigration } from '../code/mirrors/present.ts'
import { MigrateRepoOptions } from '../code/mirrors/schema.ts'
import type { RepositoryPath } from '../repositories/repository/repository.ts'
import type { Account } from '../identity/users/account.ts'
import {
  creationProblem,
  explain,
  namingProblems,
  type Explanations,
  type FormProblem,
} from './forms/problem.ts'
import type { Page, Site } from './layout.ts'
import { formOf, ownPageOf, type Shown, type SignedInLook, type Submitted } from './look.ts'
import { ownersFor } from './new-owner.ts'
import type { PageServer } from './page-server.ts'
import { importProgressPage } from './pages/import-progress.ts'
import { importRepositoryPage } from './pages/import-repository.ts'

const PATH = '/repo/migrate'

const notFromThere = { field: 'clone_addr', message: 'This server brings nothing from there.' }

const explanations: Explanations = {
  address_invalid: {
    field: 'clone_addr',
    message: 'Nothing can be brought from such an address.',
  },
  host_disallowed: notFromThere,
  address_local: notFromThere,
  sign_in_failed: {
    field: 'auth_username',
    message: 'It is not open to everybody, or does not know this name and password.',
  },
  fetch_failed: ({ subject }) => ({
    field: 'clone_addr',
    message: `It could not be brought: ${subject}`,
  }),
  import_running: { field: 'repo_name', message: 'It is being imported already.' },
  ...namingProblems('repo_name'),
}

/** Repositories that are brought from elsewhere. */
export function importRepositoryRoutes(server: PageServer, ctx: Context, site: Site): void {
  // Those that were begun before it was switched off can still be given up.
  server.post(`${PATH}/:id/give-up`, formOf(ctx, site, giveUp))
  if (!ctx.config.repositories.migrations) return
  server.get(PATH, ownPageOf(ctx, site, show))
  server.post(PATH, formOf(ctx, site, take))
}

async function show({ ctx, viewer, query }: SignedInLook): Promise<Shown> {
  const again = query.integer('import')
  const form =
    again === 0
      ? new URLSearchParams({ owner: query.text('owner') ?? '' })
      : formFor(await loadImport(ctx, viewer, again))
  return formPage(ctx, viewer, form)
}

/** As it was filled in, without what opens the other server: nobody keeps that. */
function formFor({ owner, name, address, options }: Import): URLSearchParams {
  const { description, isPrivate, isMirror, hasWiki, hasLfs } = options
  return new URLSearchParams({
    clone_addr: address,
    owner: owner.name,
    repo_name: name,
    description,
    private: String(isPrivate),
    mirror: String(isMirror),
    wiki: String(hasWiki),
    lfs: String(hasLfs),
  })
}

async function take({ ctx, viewer, form }: Submitted): Promise<Shown> {
  try {
    if (!form.get('repo_name')) form.set('repo_name', nameIn(form.get('clone_addr') ?? ''))
    const wanted = readMigration(ctx.config, bindForm(MigrateRepoOptions, form))
    const owner = await loadNewOwner(ctx, viewer, { name: form.get('owner') ?? '', id: 0 })
    await beginImport(ctx, viewer, owner, wanted)
    const path = `${encodeSegment(owner.name)}/${encodeSegment(wanted.name)}`
    return { leadsTo: `${basePath(ctx.config)}/${path}` }
  } catch (error) {
    const problem = creationProblem(error, explanations)
    return { page: await formPage(ctx, viewer, form, problem), status: 422 }
  }
}

async function giveUp({ ctx, viewer, param }: Submitted): Promise<Shown> {
  const found = await loadImport(ctx, viewer, readInteger(param('id')))
  await giveUpImport(ctx, found)
  return { leadsTo: `${basePath(ctx.config)}/${encodeSegment(found.owner.name)}` }
}

async function formPage(
  ctx: Context,
  viewer: SignedInCaller,
  form: URLSearchParams,
  problem?: FormProblem,
): Promise<Page> {
  const owners = await importersFor(ctx, viewer)
  const imports = await listImportsBy(ctx, viewer.account)
  const begun = imports.map((one) => ({ ...one, reason: reasonOf(one) }))
  return importRepositoryPage(ctx, { owners, form, problem, begun })
}

/** What there is at an address to which a repository is on its way. */
export async function findImportPage(
  ctx: Context,
  viewer: Caller,
  path: RepositoryPath,
): Promise<Page | undefined> {
  const found = await findImportAt(ctx, viewer, path)
  return found && importProgressPage(ctx, { ...found, reason: reasonOf(found) })
}

function reasonOf({ refusal }: Import): string {
  return refusal ? (explain(refusal, explanations)?.message ?? refusal.message) : ''
}

/** What git would call the folder. */
function nameIn(address: string): string {
  const [, name = ''] = /([^/]*?)(?:\.git)?\/*$/.exec(address) ?? []
  return name
}

/** The viewer, and the organizations that they own. */
async function importersFor(ctx: Context, viewer: SignedInCaller): Promise<readonly Account[]> {
  const owners = await ownersFor(ctx, viewer)
  const allowed = await Promise.all(owners.map((owner) => mayImportFor(ctx, viewer, owner)))
  return owners.filter((_owner, at) => allowed[at])
}

async function mayImportFor(
  ctx: Context,
  viewer: SignedInCaller,
  { name }: Account,
): Promise<boolean> {
  return loadNewOwner(ctx, viewer, { name, id: 0 }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false
      throw error
    },
  )
}
