import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../src/config/config.ts'
import { startApp } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'

/** An organization in which Bob may create, and a repository there that was called `old`. */
async function startRenamed(t: TestContext, changes: ConfigChanges = {}) {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/orgs', { username: 'acme' })
  const team = {
    name: 'makers',
    permission: 'read',
    can_create_org_repo: true,
    units: ['repo.code'],
  }
  const { id } = (await app.post(ann, '/orgs/acme/teams', team)).body
  await app.put(ann, `/teams/${id}/members/bob`)
  await app.post(ann, '/orgs/acme/repos', { name: 'old' })
  assertStatus(await app.patch(ann, '/repos/acme/old', { name: 'new' }), 200)
  return { app, ann, bob }
}

suite('the old name of a repository', () => {
  test('is free only to those who administer the new one', async (t) => {
    const { app, ann, bob } = await startRenamed(t)
    await app.post(bob, '/orgs/acme/repos', { name: 'other' })

    assertError(await app.post(bob, '/orgs/acme/repos', { name: 'OLD' }), 409)
    assertError(await app.patch(bob, '/repos/acme/other', { name: 'old' }), 409)
    assertStatus(await app.get(ann, '/repos/acme/old'), 301)

    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'old' }), 201)
    assertStatus(await app.get(bob, '/repos/acme/old'), 200)
    assertStatus(await app.delete(ann, '/repos/acme/old'), 204)
    assertStatus(await app.post(bob, '/orgs/acme/repos', { name: 'old' }), 201)
  })

  test('is free to everybody who may create there, where the settings say so', async (t) => {
    const { app, bob } = await startRenamed(t, { repositories: { strict_redirects: false } })

    const made = await app.post(bob, '/orgs/acme/repos', { name: 'old' })

    assertStatus(made, 201)
    assert.equal((await app.get(bob, '/repos/acme/old')).body.id, made.body.id)
  })
})
