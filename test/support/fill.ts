import { importFirstCommit, type NewFile } from '../../src/platform/git/create.ts'
import { repositoryFolder } from '../../src/platform/git/layout.ts'
import type { TestApp } from './app.ts'

/** The directory of a repository on the server. */
export async function folderOf({ ctx }: TestApp, full: string): Promise<string> {
  const [owner = '', name = ''] = full.toLowerCase().split('/')
  const { folder } = await ctx.db
    .selectFrom('repository')
    .innerJoin('account', 'account.id', 'repository.owner_id')
    .select('repository.folder')
    .where('account.lower_name', '=', owner)
    .where('repository.lower_name', '=', name)
    .executeTakeFirstOrThrow()
  return repositoryFolder(ctx.config, folder)
}

/** One commit on `main` of an empty repository, of any content and mode, past the API. */
export async function fill(app: TestApp, full: string, files: readonly NewFile[]): Promise<void> {
  await importFirstCommit(app.ctx.git, await folderOf(app, full), {
    branch: 'main',
    message: 'files\n',
    author: { name: 'ann', email: 'ann@example.org' },
    at: app.ctx.now(),
    files,
  })
}
