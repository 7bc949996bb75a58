// One database is enough: memory is watched, and what is copied is in git.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { configWith } from '../../../src/platform/config/config.ts'
import { prepareGit } from '../../../src/platform/git/environment.ts'
import { Git } from '../../../src/platform/git/run.ts'
import { basic, PASSWORD } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { startServer } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'

const FILES = 5000
const FILE_BYTES = 40_000
const MEGABYTE = 1_000_000

/**
 * A commit of files that are all different, and quick to compress: what counts is what passes
 * through the server.
 */
async function* content(): AsyncGenerator<Buffer> {
  yield Buffer.from('feature done\ncommit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 0\n')
  for (let file = 0; file < FILES; file++) {
    yield Buffer.from(`M 100644 inline d${file % 100}/f${file}\ndata ${FILE_BYTES}\n`)
    yield Buffer.alloc(FILE_BYTES, randomBytes(64))
    yield Buffer.from('\n')
  }
  yield Buffer.from('done\n')
}

suite('a template of 5,000 files and 200 MB', () => {
  test('leaves the server with its memory', async (t) => {
    if (testDialect !== 'sqlite') return t.skip('files do not pass through the database')
    const machine = await startMachine(t)
    const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', PASSWORD]
    await machine.admin(['user', 'create', ...ann])
    const server = startServer(t, machine.environment)
    const [, url = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
    const post = async (path: string, body: object) => {
      const headers = { authorization: basic('ann', PASSWORD), 'content-type': 'application/json' }
      const answer = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      assert.equal(answer.status, 201, await answer.clone().text())
      return (await answer.json()) as { size: number }
    }
    const peak = () => {
      const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
    }
    await post('/user/repos', { name: 'tpl', template: true })
    const [folder = ''] = globSync(join(machine.data, 'repositories/*/*.git'))
    const git = new Git(prepareGit(configWith(machine.data)))
    const store = ['-c', 'pack.compression=1', '-c', 'core.fsync=none']
    const parameters = [...store, 'fast-import', '--quiet', '--depth=0']
    await git.run(folder, parameters, { input: content() })
    const before = peak()

    const made = await post('/repos/ann/tpl/generate', {
      owner: 'ann',
      name: 'copy',
      git_content: true,
    })

    assert.ok(made.size > 0)
    const [copy = ''] = globSync(join(machine.data, 'repositories/*/*.git')).filter(
      (path) => path !== folder,
    )
    const tree = 'refs/heads/main^{tree}'
    assert.equal(
      await git.text(copy, ['rev-parse', tree]),
      await git.text(folder, ['rev-parse', tree]),
    )
    const growth = (peak() - before) / MEGABYTE
    assert.ok(growth < 100, `the server has grown by ${Math.round(growth)} MB`)
    t.diagnostic(`the server has grown by ${Math.round(growth)} MB`)
  })
})
