import { globSync } from 'node:fs'
import type { NewFile } from '../../../src/platform/git/create.ts'
import { repositoriesFolder } from '../../../src/platform/git/layout.ts'
import type { TestAnswer, TestApp, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { fill, folderOf } from '../../support/fill.ts'

export type Files = Readonly<Record<string, string | Buffer | Omit<NewFile, 'path'>>>

/** A template with these files in one commit on `main`; without any it is empty. */
export async function addTemplate(
  app: TestApp,
  owner: TestCaller,
  name: string,
  files: Files = {},
  options: object = {},
): Promise<string> {
  const full = `${owner.name}/${name}`
  assertStatus(await app.post(owner, '/user/repos', { name, template: true, ...options }), 201)
  const list = Object.entries(files).map(([path, file]) => ({
    path,
    ...(typeof file === 'string' || Buffer.isBuffer(file) ? { content: file } : file),
  }))
  if (list.length > 0) await fill(app, full, list)
  return full
}

/** From the template `full`, for the caller unless `options` says otherwise. */
export function generate(
  app: TestApp,
  caller: TestCaller,
  full: string,
  options: object,
  query = '',
): Promise<TestAnswer> {
  return app.post(caller, `/repos/${full}/generate${query}`, { owner: caller.name, ...options })
}

/** Mode and path of everything on `branch`, with what is in it. */
export async function readAll(
  app: TestApp,
  full: string,
  branch = 'main',
): Promise<Record<string, string>> {
  const folder = await folderOf(app, full)
  const listed = await app.ctx.git.text(folder, ['ls-tree', '-r', '-z', `refs/heads/${branch}`])
  const files: Record<string, string> = {}
  for (const line of listed.split('\0').filter((each) => each !== '')) {
    const [about = '', path = ''] = line.split('\t')
    const [mode = '', type = '', id = ''] = about.split(' ')
    const content = type === 'blob' ? await app.ctx.git.run(folder, ['cat-file', 'blob', id]) : id
    files[path] = `${mode} ${content.toString('utf8')}`
  }
  return files
}

/** The directories of repositories that there are. */
export function countFolders({ ctx }: TestApp): number {
  return globSync('*/*', { cwd: repositoriesFolder(ctx.config) }).length
}
