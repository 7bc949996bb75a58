// One database is enough: what is watched are git's parameters.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { Route } from '../../../src/platform/http/api.ts'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { routesOf } from '../../support/routes.ts'

const OPTIONS = ['--output=canary', '-canary']

/** Some of what these calls make git do. */
const COMMANDS = 'fast-import cat-file for-each-ref log archive rev-list diff-tree'.split(' ')

/** A git that writes down its parameters before it does as it is told. */
function recordGit(t: TestContext): () => readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-recorder-'))
  const path = process.env['PATH'] ?? ''
  const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const log = join(folder, 'log')
  const script = `#!/bin/sh\n{ printf '%s\\0' "$@"; printf '\\n\\0'; } >> ${log}\nexec ${git} "$@"\n`
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 })
  process.env['PATH'] = `${folder}:${path}`
  t.after(() => {
    process.env['PATH'] = path
    rmSync(folder, { recursive: true, force: true })
  })
  return () =>
    readFileSync(log, 'utf8')
      .split('\0\n\0')
      .map((command) => command.split('\0'))
}

/** The address once for each of its parameters, with the option in its place. */
function pathsOf({ path }: Route, option: string): readonly string[] {
  const names = [...path.matchAll(/[:*]\w+/g)].map(([name]) => name).slice(2)
  const inPlace = (name: string) => (/ref|sha|branch|tag|archive/.test(name) ? 'main' : '1')
  return names.map((hostile) =>
    path
      .replace(':owner/:repo', 'ann/one')
      .replace(/[:*]\w+/g, (name) =>
        name === hostile ? encodeURIComponent(option) : inPlace(name),
      ),
  )
}

const bodies = (option: string): readonly (readonly [string, string, object])[] => [
  ['PATCH', '', { default_branch: option }],
  ['POST', '/branches', { new_branch_name: option }],
  ['POST', '/branches', { new_branch_name: 'x', old_ref_name: option }],
  ['PATCH', '/branches/main', { name: option }],
  ['POST', '/tags', { tag_name: option }],
  ['POST', '/tags', { tag_name: 'x', target: option }],
  ['POST', '/releases', { tag_name: option }],
  ['POST', '/releases', { tag_name: 'x', target_commitish: option }],
  ['POST', '/contents/x', { content: 'eA==', branch: option }],
  ['POST', '/contents/x', { content: 'eA==', new_branch: option }],
  ['POST', '/contents/x', { content: 'eA==', author: { name: option, email: option } }],
  ['POST', '/pulls', { title: 'x', head: option, base: 'main' }],
  ['POST', '/pulls', { title: 'x', head: 'main', base: option }],
]

suite('what callers send', () => {
  test('is never an option of git', async (t) => {
    const commands = recordGit(t)
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
    const routes = routesOf().filter(({ path }) => path.startsWith('/repos/:owner/:repo'))

    for (const option of OPTIONS) {
      for (const [method, path, body] of bodies(option)) {
        await app.send(ann, method, `/repos/ann/one${path}`, body)
      }
      for (const route of routes) {
        for (const path of pathsOf(route, option)) await app.send(ann, route.method, path, {})
        if (route.method !== 'GET') continue
        for (const key of Object.keys(route.endpoint.query ?? {})) {
          const path = route.path.replace(':owner/:repo', 'ann/one').replace(/[:*]\w+/g, 'main')
          await app.get(ann, `${path}?${key}=${encodeURIComponent(option)}`)
        }
      }
    }

    const seen = commands()
    const words = new Set(seen.flat())
    for (const name of COMMANDS) assert.ok(words.has(name), `git ${name} was asked for something`)
    for (const command of seen) {
      const end = command.findIndex((one) => one === '--' || one === '--end-of-options')
      const options = end === -1 ? command : command.slice(0, end)
      const wrong = options.filter((one) => OPTIONS.some((option) => one.startsWith(option)))
      assert.deepEqual(wrong, [], command.join(' '))
    }
  })
})
