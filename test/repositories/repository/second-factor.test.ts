import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { enableSecondFactor } from '../../../src/identity/auth/second-factor.ts'
import { startApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { signIn } from '../../web/support.ts'

const HUSH = 'hush-hush'

/** Somebody with a private repository in which something has happened, and with an organization. */
async function start(t: TestContext) {
  const app = await startApp(t, { security: { require_two_factor: true } })
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  for (const { account } of [ann, bob]) await enableSecondFactor(app.ctx, account)
  const make = async (path: string, body: object) => {
    const answer = await app.post(ann, path, body)
    assertStatus(answer, 201)
    return answer.body
  }
  await make('/orgs', { username: 'acme', visibility: 'private' })
  const team = await make('/orgs/acme/teams', {
    name: 'all',
    units: ['repo.code'],
    includes_all_repositories: true,
  })
  await app.put(ann, `/teams/${team.id}/members/ann`)
  const issues: Record<string, string> = {}
  for (const path of ['/user/repos', '/orgs/acme/repos']) {
    const { full_name: name } = await make(path, { name: HUSH, private: true, auto_init: true })
    await app.put(ann, `/repos/${name}/collaborators/bob`, { permission: 'write' })
    const { number } = await make(`/repos/${name}/issues`, { title: HUSH, assignees: ['ann'] })
    await app.post(bob, `/repos/${name}/issues/${number}/comments`, { body: `@ann ${HUSH}` })
    await app.post(ann, `/repos/${name}/issues/${number}/times`, { time: 60 })
    await app.put(ann, `/user/starred/${name}`)
    issues[name] = `/repos/${name}/issues/${number}`
  }
  await app.ctx.jobs.runDue()
  const loseFactor = ({ id }: TestCaller) => updateTotpSecret(app.ctx.db, id, '')
  return { app, ann, team, loseFactor }
}

suite('who lacks the second factor that is required', () => {
  test('finds nothing of repositories in any list, feed or search', async (t) => {
    const { app, ann, team, loseFactor } = await start(t)
    const lists = [
      '/repos/issues/search',
      '/repos/issues/search?q=hush',
      '/repos/search?private=true',
      `/repos/search?uid=${ann.id}`,
      '/user/repos',
      '/user/times',
      '/user/starred',
      '/user/subscriptions',
      '/users/ann/repos',
      '/users/ann/starred',
      '/users/ann/activities/feeds',
      '/orgs/acme/repos',
      '/orgs/acme/activities/feeds',
      `/teams/${team.id}/repos`,
      `/teams/${team.id}/activities/feeds`,
      '/notifications?all=true',
    ]
    const pages = ['/', '/ann', '/ann.rss', '/ann.atom', '/acme', '/issues', '/notifications']
    const has = ({ text }: { readonly text: string }) => text.includes(HUSH)
    for (const path of lists) {
      const answer = await app.get(ann, path)
      assertStatus(answer, 200)
      assert.ok(has(answer), `${path} shows nothing to begin with`)
    }

    await loseFactor(ann)

    for (const path of lists) {
      const answer = await app.get(ann, path)
      assertStatus(answer, 200)
      assert.ok(!has(answer), path)
      const total = answer.headers['x-total-count'] ?? '0'
      assert.equal(total, '0', path)
    }
    const byAnn = await signIn(app, 'ann')
    for (const path of pages) assert.ok(!has(await byAnn.get(path)), path)
  })

  test('makes none, in whatever way, and sees no packages', async (t) => {
    const { app, ann, loseFactor } = await start(t)
    const generic = '^/api/packages/ann/generic/hush/1.0/a.txt'
    assertStatus(await app.put(ann, generic, 'a'), 201)
    assertStatus(await app.get(ann, generic), 200)
    await loseFactor(ann)

    const repo = { name: 'another', private: true }
    const refused = /Set up two-factor authentication first/
    assertError(await app.post(ann, '/user/repos', repo), 403, refused)
    assertError(await app.post(ann, '/orgs/acme/repos', repo), 403, refused)
    const migrated = { repo_name: 'another', clone_addr: 'https://git.example/a.git' }
    assertError(await app.post(ann, '/repos/migrate', migrated), 403, refused)
    assertStatus(await app.get(ann, generic), 404)
    assertStatus(await app.put(ann, `${generic}x`, 'a'), 404)
    const shown = await app.get(ann, '/packages/ann')
    assertStatus(shown, 404)
  })
})
