// One database is enough: what is missing is not in it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { buildApp } from '../../../src/server/app.ts'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { asWorker, startApp, type Headers } from '../../support/app.ts'

async function startWithPull(t: TestContext) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  const commit = (name: string, branch: string) =>
    app.post(ann, `/repos/ann/one/contents/${name}`, { content: 'aGk=', message: name, branch })
  await commit('a.txt', 'main')
  await app.post(ann, '/repos/ann/one/branches', { new_branch_name: 'dev' })
  await commit('b.txt', 'dev')
  await app.post(ann, '/repos/ann/one/pulls', { head: 'dev', base: 'main', title: 'b' })
  await app.post(ann, '/repos/ann/one/tags', { tag_name: 'v1', message: 'one' })
  const { folder } = await app.ctx.db
    .selectFrom('repository')
    .select('folder')
    .where('name', '=', 'one')
    .executeTakeFirstOrThrow()
  return { app, ann, folder: repositoryFolder(app.ctx.config, folder) }
}

/** Another process, which has looked at nothing yet. */
async function askAnother(
  { config }: { config: Parameters<typeof buildApp>[0] },
  headers: Headers,
): Promise<readonly string[]> {
  const { server, close } = await buildApp(config, pino({ level: 'silent' }), asWorker)
  const faults: string[] = []
  const api = '/api/v1/repos/ann/one'
  const reads =
    '/ /contents /raw/a.txt /branches /branches/main /commits /git/refs /git/trees/main /tags /pulls/1 ' +
    '/pulls/1/files /pulls/1.diff /pulls/1/commits /compare/main...dev /archive/main.zip'
  const pages =
    '/src/branch/main/a.txt /commits/branch/main /branches /tags /pulls/1 /pulls/1/files ' +
    '/raw/branch/main/a.txt /compare/main...dev /find/branch/main /blame/branch/main/a.txt'
  const git = ['.git/HEAD', '.git/info/refs?service=git-upload-pack', '']
  const urls = [
    ...reads.split(' ').map((path) => api + (path === '/' ? '' : path)),
    ...[...pages.split(' '), ...git].map((path) => `/ann/one${path}`),
  ]
  for (const url of urls) {
    const { statusCode } = await server.inject({ url, headers })
    if (statusCode === 500) faults.push(url)
  }
  const body = { content: 'aGk=', message: 'c' }
  const write = { method: 'POST', url: `${api}/contents/c.txt`, headers, payload: body } as const
  const { statusCode } = await server.inject(write)
  if (statusCode === 500) faults.push('POST')
  await close()
  return faults
}

const missing: Readonly<Record<string, (folder: string) => void>> = {
  'the folder': (folder) => renameSync(folder, `${folder}.away`),
  'all files of the folder': (folder) => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
  },
  HEAD: (folder) => rmSync(join(folder, 'HEAD')),
  'all refs': (folder) => rmSync(join(folder, 'refs', 'heads'), { recursive: true }),
  'the folder of refs': (folder) => rmSync(join(folder, 'refs'), { recursive: true }),
  'the objects that refs name': (folder) => {
    const objects = join(folder, 'objects')
    for (const name of readdirSync(objects)) {
      if (name.length === 2) rmSync(join(objects, name), { recursive: true })
    }
  },
  'the pack of an index': (folder) => removePacked(folder, '.pack'),
  'the index of a pack': (folder) => removePacked(folder, '.idx'),
}

function removePacked(folder: string, ending: string): void {
  execFileSync('git', ['-C', folder, 'repack', '-adq'])
  const packs = join(folder, 'objects', 'pack')
  for (const name of readdirSync(packs)) if (name.endsWith(ending)) rmSync(join(packs, name))
}

suite('a repository of which a network file system does not show all yet', () => {
  for (const [what, take] of Object.entries(missing)) {
    test(`is no fault: without ${what}`, async (t) => {
      const { app, ann, folder } = await startWithPull(t)
      take(folder)

      assert.deepEqual(await askAnother(app.ctx, ann.headers), [])
    })
  }
})
