import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { enableSecondFactor } from '../../../src/identity/auth/second-factor.ts'
import { loadAssets } from '../../../src/web/assets.ts'
import { PageServer } from '../../../src/web/page-server.ts'
import { registerPages } from '../../../src/web/routes.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { routesOf } from '../../support/routes.ts'
import { signIn } from '../../web/support.ts'

const NAME = 'hush-hush'
const WORD = 'whisper'

/**
 * Somebody with a private repository, and an organization with another, that have one of
 * everything.
 */
async function start(t: TestContext) {
  const app = await startApp(t, { security: { require_two_factor: true } })
  const root = await app.addAdmin()
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  for (const { account } of [root, ann, bob]) await enableSecondFactor(app.ctx, account)
  const make = async (who: TestCaller, path: string, body: object) => {
    const answer = await app.post(who, path, body)
    assert.ok(answer.status < 300, `${path} ${answer.status} ${answer.text}`)
    return answer.body
  }
  await make(ann, '/orgs', { username: 'acme', visibility: 'private' })
  const config = { url: 'https://8.8.8.8/', content_type: 'json' }
  const hook = { type: 'gitea', active: true, events: ['push', 'issues'], config }
  for (const [who, path] of [
    [ann, '/user/hooks'],
    [ann, '/orgs/acme/hooks'],
    [root, '/admin/hooks'],
  ] as const)
    await make(who, path, path.startsWith('/admin') ? { ...hook, is_system_webhook: true } : hook)
  for (const [path, owner] of [
    ['/user/repos', 'ann'],
    ['/orgs/acme/repos', 'acme'],
  ] as const) {
    const repo = `/repos/${owner}/${NAME}`
    await make(ann, path, { name: NAME, description: WORD, private: true, auto_init: true })
    await app.put(ann, `${repo}/collaborators/bob`, { permission: 'write' })
    await app.put(ann, `${repo}/topics/${WORD}`)
    await make(ann, `${repo}/issues`, { title: WORD, assignees: ['ann'] })
    await make(bob, `${repo}/issues/1/comments`, { body: `@ann ${WORD}` })
    await make(ann, `${repo}/issues/1/times`, { time: 60 })
    await app.post(ann, `${repo}/issues/1/stopwatch/start`)
    await app.put(ann, `/user/starred/${owner}/${NAME}`)
    await make(ann, `${repo}/releases`, { tag_name: 'v1', name: WORD })
    const boards = owner === 'ann' ? '/user/projects' : '/orgs/acme/projects'
    await make(ann, boards, { title: WORD })
    const generic = `^/api/packages/${owner}/generic/${WORD}/1.0/a.txt`
    assertStatus(await app.put(ann, generic, 'a'), 201)
    await make(ann, `/packages/${owner}/generic/${WORD}/-/link/${NAME}`, {})
  }
  await app.ctx.jobs.runDue()
  return { app, root, ann }
}

const values: Readonly<Record<string, readonly string[]>> = {
  owner: ['ann', 'acme'],
  name: [WORD],
  repo: [NAME],
  username: ['ann', 'bob'],
  org: ['acme'],
  type: ['generic'],
  version: ['1.0'],
  state: ['unread'],
  topic: [WORD],
}

/** The path with each parameter that it has, of numbers the first few. */
function fill(path: string): readonly string[] {
  const found = /[:*](\w*)/.exec(path)
  if (!found) return [path]
  const some = values[found[1] ?? ''] ?? Array.from({ length: 6 }, (_, at) => String(at + 1))
  return some.flatMap((value) => fill(path.replace(found[0], value)))
}

function pagesOf({ ctx }: TestApp): readonly string[] {
  const pages = new PageServer()
  const site = { assets: loadAssets(), hasPage: () => false, isCopy: () => false }
  registerPages(pages, ctx, { config: ctx.config, ...site })
  return pages.routes.flatMap(({ method, path }) => (method === 'GET' ? fill(path) : []))
}

/** What shows something, or where there is only a name that was asked for. */
async function showing(
  get: (path: string) => Promise<{ readonly status: number; readonly text: string }>,
  paths: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    const { status, text } = await get(path)
    const isAsked = path.includes(NAME) || path.includes(WORD)
    const shows = isAsked
      ? text.includes(WORD) && !path.includes(WORD)
      : /hush-hush|whisper/.test(text)
    if (shows || (isAsked && status === 200)) found.push(path)
  }
  return found
}

suite('who lacks the second factor that is required', () => {
  test('is shown nothing of repositories at any address of the API', async (t) => {
    const { app, root, ann } = await start(t)
    const paths = routesOf().flatMap(({ method, path }) => (method === 'GET' ? fill(path) : []))
    for (const who of [ann, root]) {
      const get = (path: string) => app.get(who, path)
      const before = await showing(get, paths)
      assert.ok(before.length > 50, `${before.length} show something to begin with`)

      await updateTotpSecret(app.ctx.db, who.id, '')

      assert.deepEqual(await showing(get, before), [])
    }
  })

  test('is shown nothing of them on any page', async (t) => {
    const { app, root, ann } = await start(t)
    for (const who of [ann, root]) {
      await updateTotpSecret(app.ctx.db, who.id, '')
      const visitor = await signIn(app, who.name)

      assert.deepEqual(await showing((path) => visitor.get(path), pagesOf(app)), [])
    }
  })
})
