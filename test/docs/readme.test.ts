// One database is enough: the README speaks of SQLite.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { startServer } from '../support/process.ts'
import { startMachine } from '../support/terminal.ts'

const project = new URL('../..', import.meta.url).pathname
const run = promisify(execFile)

/** The commands under a heading of the README. */
function commandsUnder(heading: string): string {
  const text = readFileSync(join(project, 'README.md'), 'utf8')
  const [, commands] = new RegExp(`## ${heading}\\n[^]*?\`\`\`sh\\n([^]*?)\`\`\``).exec(text) ?? []
  assert.ok(commands, `the README has no commands under ${heading}`)
  return commands
}

suite('the README', () => {
  test('makes a first repository in five lines of shell, without an identity for git', async (t) => {
    if (spawnSync('curl', ['--version']).status !== 0) return t.skip('curl is not installed')
    const machine = await startMachine(t)
    const server = startServer(t, { ...machine.environment, CODESTEAD_LOG_LEVEL: 'error' })
    const [, url = ''] = await server.says(/is at (http:\S+)/)
    const folder = mkdtempSync(join(tmpdir(), 'codestead-readme-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const home = join(folder, 'home')
    const checkout = join(folder, 'checkout')
    for (const made of [home, checkout]) mkdirSync(made)
    const commands = commandsUnder('A first repository')
    assert.equal(commands.trim().split('\n').length, 5)
    const script = commands.replaceAll('127.0.0.1:3000', new URL(url).host)

    await run('bash', ['-euc', `npm() { command npm --prefix ${project} "$@"; }\n${script}`], {
      cwd: checkout,
      env: {
        PATH: process.env['PATH'],
        ...machine.environment,
        CODESTEAD_SERVER_URL: url,
        HOME: home,
        // As on a machine whose name git can make no address of.
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'user.useConfigOnly',
        GIT_CONFIG_VALUE_0: 'true',
      },
    })
    assert.deepEqual(readdirSync(checkout), [])

    const answer = await fetch(`${url}/api/v1/repos/ann/hello/contents/greeting.txt`)
    const { content } = (await answer.json()) as { content: string }
    assert.equal(Buffer.from(content, 'base64').toString(), 'hello, world\n')
  })
})
