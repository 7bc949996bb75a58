import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

const visibilities = ['public', 'limited', 'private'] as const
const code = { 'repo.code': 'read' }
const issues = { 'repo.issues': 'read' }

/** An open and a shut repository in an organization, and what ties people to them. */
async function addOrganization(app: TestApp, ann: TestCaller, visibility: string): Promise<void> {
  assertStatus(await app.post(ann, '/orgs', { username: visibility, visibility }), 201)
  const teams: [string, object][] = [
    ['reader', { permission: 'read', units_map: code }],
    ['tracker', { permission: 'read', units_map: issues }],
    ['outsider', { permission: 'read', units_map: issues }],
    ['idler', { permission: 'read', units_map: { 'repo.code': 'none' } }],
    ['lead', { permission: 'admin' }],
  ]
  for (const [name, team] of teams) {
    const made = await app.post(ann, `/orgs/${visibility}/teams`, {
      name,
      includes_all_repositories: true,
      ...team,
    })
    assertStatus(await app.put(ann, `/teams/${made.body.id}/members/${name}`), 204)
  }
  for (const name of ['open', 'shut']) {
    await app.post(ann, `/orgs/${visibility}/repos`, { name, private: name === 'shut' })
    assertStatus(await app.post(ann, `/repos/${visibility}/${name}/issues`, { title: 'one' }), 201)
  }
  const helper = `/repos/${visibility}/shut/collaborators/helper`
  assertStatus(await app.put(ann, helper, { permission: 'write' }), 204)
}

async function shown(app: TestApp, who: TestCaller | undefined, path: string): Promise<string> {
  const { status, body } = await app.get(who, path)
  if (status !== 200) return String(status)
  const { admin, push, pull } = body.permissions
  return admin ? 'admin' : push ? 'write' : pull ? 'read' : 'seen'
}

/** Those of the repositories whose one issue the caller is shown there. */
async function withIssue(
  app: TestApp,
  who: TestCaller | undefined,
  paths: readonly string[],
): Promise<string[]> {
  const lists = await Promise.all(paths.map((path) => app.get(who, `${path}/issues`)))
  return paths.filter((_, index) => lists[index]?.body.length === 1)
}

/** The repositories of all issues that the caller finds. */
async function searched(app: TestApp, who: TestCaller | undefined): Promise<string[]> {
  const { body } = await app.get(who, '/repos/issues/search?limit=50')
  return body.map(
    ({ repository }: { repository: { full_name: string } }) => `/repos/${repository.full_name}`,
  )
}

suite('what somebody may do with a repository', () => {
  test('depends on it, on its owner and on what ties them to it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const callers = new Map<string, TestCaller | undefined>([['anonymous', undefined]])
    for (const name of ['stranger', 'helper', 'reader', 'tracker', 'idler', 'lead'])
      callers.set(name, await app.addCaller(name))
    for (const name of ['restricted', 'outsider'])
      callers.set(name, await app.addCaller(name, { isRestricted: true }))
    callers.set('ann', ann).set('root', await app.addAdmin())
    callers.set('outside', await app.withToken(ann.account, ['public-only', 'all']))
    for (const visibility of visibilities) await addOrganization(app, ann, visibility)
    const shownMember = '/orgs/private/public_members/idler'
    assertStatus(await app.put(callers.get('idler'), shownMember), 204)

    // Each with the open and the shut one of a public, a limited and a private organization.
    const expected = {
      anonymous: 'read 404 404 404 404 404',
      stranger: 'read 404 read 404 404 404',
      helper: 'read write read write 404 write',
      reader: 'read read read read read read',
      tracker: 'read seen read seen read seen',
      idler: 'read 404 read 404 read 404',
      lead: 'admin admin admin admin admin admin',
      restricted: 'read 404 404 404 404 404',
      outsider: 'read seen seen seen seen seen',
      ann: 'admin admin admin admin admin admin',
      root: 'admin admin admin admin admin admin',
      outside: 'admin 404 404 404 404 404',
    }
    for (const [name, levels] of Object.entries(expected)) {
      const paths = visibilities.flatMap((owner) => [
        `/repos/${owner}/open`,
        `/repos/${owner}/shut`,
      ])
      const who = callers.get(name)
      const seen = await Promise.all(paths.map((path) => shown(app, who, path)))
      assert.equal(seen.join(' '), levels, name)
      const found = new Set(await searched(app, who))
      assert.deepEqual(found, new Set(await withIssue(app, who, paths)), name)
    }
    const { body } = await app.get(callers.get('outside'), '/orgs/public/repos')
    assert.deepEqual(
      body.map((repo: { name: string }) => repo.name),
      ['open'],
    )
  })

  test('of a person who hides is for those who work there', async (t) => {
    const app = await startApp(t)
    const names = ['stranger', 'helper', 'restricted']
    const callers = await Promise.all(
      names.map((name) => app.addCaller(name, { isRestricted: name === 'restricted' })),
    )
    for (const visibility of visibilities) {
      const owner = await app.addCaller(visibility, { visibility })
      await app.post(owner, '/user/repos', { name: 'open' })
      const helper = `/repos/${visibility}/open/collaborators/helper`
      assertStatus(await app.put(owner, helper, { permission: 'read' }), 204)
    }

    const expected = ['read read 404', 'read read read', 'read 404 404']
    for (const [index, who] of callers.entries()) {
      const paths = visibilities.map((owner) => `/repos/${owner}/open`)
      const seen = await Promise.all(paths.map((path) => shown(app, who, path)))
      assert.equal(seen.join(' '), expected[index], names[index])
    }
  })

  test('is less for restricted callers where everybody has to sign in', async (t) => {
    const app = await startApp(t, { security: { require_sign_in: 'true' } })
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const restricted = await app.addCaller('restricted', { isRestricted: true })
    await app.post(ann, '/user/repos', { name: 'open' })
    await app.post(ann, '/repos/ann/open/issues', { title: 'one' })

    assert.deepEqual(await searched(app, bob), ['/repos/ann/open'])
    assert.deepEqual(await searched(app, restricted), [])
    assert.equal(await shown(app, undefined, '/repos/ann/open'), '403')
    assert.equal(await shown(app, bob, '/repos/ann/open'), 'read')
    assert.equal(await shown(app, restricted, '/repos/ann/open'), '404')
    await app.put(ann, '/repos/ann/open/collaborators/restricted', { permission: 'write' })
    assert.equal(await shown(app, restricted, '/repos/ann/open'), 'write')
    assert.deepEqual(await searched(app, restricted), ['/repos/ann/open'])
  })
})
