// Runs the tests of other projects, which .ci/sdks has downloaded, so it is no part of `npm test`:
// npm run test:sdks
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { startServer } from '../support/process.ts'
import { startMachine } from '../support/terminal.ts'
import { call, keptClients, type Host } from './support.ts'

const kept = join(keptClients, 'sdks')
const skip = existsSync(join(kept, 'sdks'))
  ? false
  : 'no libraries: .ci/sdks needs Go and Python, and their registries, to download them'

/** A server on an empty folder with the administrator whom a library's tests expect. */
async function startFor(t: TestContext, name: string, email: string): Promise<Host> {
  const machine = await startMachine(t)
  const person = ['--name', name, '--email', email, '--password', 'password1', '--admin']
  const made = await machine.admin(['user', 'create', ...person, '--access-token'])
  // The library for Go expects the settings of a reference that serves no Git LFS.
  const settings = { CODESTEAD_LOG_LEVEL: 'error', CODESTEAD_LFS_ENABLED: 'false' }
  const running = startServer(t, { ...machine.environment, ...settings })
  const [, url = ''] = await running.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
  return { url, token: made.lastLine }
}

/** Somebody's tests, to be changed and run. */
function copyOf(t: TestContext, folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'codestead-sdk-'))
  t.after(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(join(kept, folder), copy, { recursive: true })
  return copy
}

function run(program: string, words: readonly string[], folder: string, more: object = {}): void {
  const { status, stdout } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...more },
  })
  assert.equal(status, 0, stdout)
}

suite('the library', { skip }, () => {
  test('for Go passes its tests', async (t) => {
    const host = await startFor(t, 'test01', 'test01@gitea.io')
    const folder = copyOf(t, 'go')
    // Nothing is migrated from the internet.
    const left = ['-skip', '^TestRepoMigrateAndLanguages$']
    run('go', ['test', '-count=1', ...left, './tests/...'], folder, {
      GITEA_SDK_TEST_URL: host.url,
      GITEA_SDK_TEST_USERNAME: 'test01',
      GITEA_SDK_TEST_PASSWORD: 'password1',
    })
  })

  test('for Python passes its tests', async (t) => {
    const host = await startFor(t, 'test', 'secondarytest@test.org')
    const folder = copyOf(t, 'py-gitea')
    const tests = join(folder, 'tests')
    for (const file of readdirSync(tests)) {
      const text = readFileSync(join(tests, file), 'utf8')
      writeFileSync(join(tests, file), text.replaceAll('http://localhost:3000', host.url))
    }
    writeFileSync(join(folder, '.token'), host.token)
    run(join(kept, 'python/bin/pytest'), ['-q', 'tests', '-k', 'not test_migrate_repo'], folder)
  })

  test('of Flux passes its tests', async (t) => {
    const host = await startFor(t, 'flux', 'flux@example.org')
    await call(host, '/orgs', { username: 'fluxcd-testing' })
    const units = ['repo.code', 'repo.issues', 'repo.wiki', 'repo.pulls']
    const team = { name: 'fluxcd-testing-2', permission: 'read', units }
    await call(host, '/orgs/fluxcd-testing/teams', team)
    run('go', ['test', '-count=1', '-tags=e2e', './gitea/...'], copyOf(t, 'flux'), {
      GITEA_BASE_URL: host.url,
      GITEA_TOKEN: host.token,
      GITEA_USER: 'flux',
      GIT_PROVIDER_ORGANIZATION: 'fluxcd-testing',
      GITEA_TEST_TEAM_NAME: 'fluxcd-testing-2',
    })
  })
})
