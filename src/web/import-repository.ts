import { basePath, encodeSegment } from '../config/urls.ts'
import type { Context, SignedInCaller } from '../context.ts'
import { AppError } from '../errors.ts'
import { bindForm } from '../http/binding.ts'
import { migrateRepository } from '../mirrors/migrate.ts'
import { loadNewOwner } from '../mirrors/owner.ts'
import { readMigration } from '../mirrors/present.ts'
import { MigrateRepoOptions } from '../mirrors/schema.ts'
import type { Account } from '../users/account.ts'
import { creationProblem, type Explanation } from './forms/problem.ts'
import type { Site } from './layout.ts'
import { formOf, ownPageOf, type Shown, type SignedInLook, type Submitted } from './look.ts'
import { ownersFor } from './new-owner.ts'
import type { PageServer } from './page-server.ts'
import { importRepositoryPage } from './pages/import-repository.ts'

const PATH = '/repo/migrate'

const explanations: readonly Explanation[] = [
  [
    /URL is invalid/,
    { field: 'clone_addr', message: 'Nothing can be brought from such an address.' },
  ],
  [
    /disallowed hosts|import local/,
    { field: 'clone_addr', message: 'This server brings nothing from there.' },
  ],
  [
    /^Authentication failed/,
    {
      field: 'auth_username',
      message: 'It is not open to everybody, or does not know this name and password.',
    },
  ],
  [
    /^Migration failed: (.*)/s,
    (words = '') => ({ field: 'clone_addr', message: `It could not be brought: ${words}` }),
  ],
  [
    /already exists/,
    { field: 'repo_name', message: 'There is a repository of this name already.' },
  ],
  [
    /\bname (is|pattern)/,
    { field: 'repo_name', message: 'This name is kept for other things. Choose another one.' },
  ],
]

/** Repositories that are brought from elsewhere. */
export function importRepositoryRoutes(server: PageServer, ctx: Context, site: Site): void {
  if (!ctx.config.repositories.migrations) return
  server.get(PATH, ownPageOf(ctx, site, show))
  server.post(PATH, formOf(ctx, site, take))
}

async function show({ ctx, viewer, query }: SignedInLook): Promise<Shown> {
  const form = new URLSearchParams({ owner: query.text('owner') ?? '' })
  return importRepositoryPage(ctx, { owners: await importersFor(ctx, viewer), form })
}

async function take({ ctx, viewer, form, gone }: Submitted): Promise<Shown> {
  try {
    if (!form.get('repo_name')) form.set('repo_name', nameIn(form.get('clone_addr') ?? ''))
    const wanted = readMigration(ctx.config, bindForm(MigrateRepoOptions, form))
    const owner = await loadNewOwner(ctx, viewer, { name: form.get('owner') ?? '', id: 0 })
    const repo = await migrateRepository(ctx, viewer, owner, wanted, gone())
    const path = `${encodeSegment(owner.name)}/${encodeSegment(repo.name)}`
    return { leadsTo: `${basePath(ctx.config)}/${path}` }
  } catch (error) {
    const problem = creationProblem(error, explanations)
    const owners = await importersFor(ctx, viewer)
    return { page: importRepositoryPage(ctx, { owners, form, problem }), status: 422 }
  }
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
