import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import { gitOf, TAKEN } from './support.ts'

for (const route of ['/orgs/acme/repos', '/org/acme/repos']) {
  suite(`POST ${route.replace('acme', '{org}')}`, () => {
    const withOrganization = async (t: Parameters<typeof startApp>[0]) => {
      const app = await startApp(t)
      const ann = await app.addCaller('ann')
      await app.post(ann, '/orgs', { username: 'acme' })
      const enlist = async (name: string, team: object) => {
        const caller = await app.addCaller(name)
        const made = await app.post(ann, '/orgs/acme/teams', {
          permission: 'read',
          units: ['repo.code'],
          ...team,
        })
        await app.put(ann, `/teams/${made.body.id}/members/${name}`)
        return caller
      }
      return { app, ann, enlist }
    }

    test('is for owners and for teams that may create', async (t) => {
      const { app, ann, enlist } = await withOrganization(t)
      const maker = await enlist('maker', { name: 'makers', can_create_org_repo: true })
      const lead = await enlist('lead', { name: 'leads', permission: 'admin' })
      const stranger = await app.addCaller('stranger')
      const refused = 'User is not allowed to create repositories in this organization.'

      assertStatus(await app.post(ann, route, { name: 'one' }), 201)
      const made = await app.post(maker, route, { name: 'two', private: true })
      assertStatus(made, 201)
      assert.equal((await app.get(maker, '/repos/acme/two')).body.permissions.admin, true)
      assert.equal((await app.get(lead, '/repos/acme/two')).status, 404)
      assertError(await app.post(lead, route, { name: 'three' }), 403, refused)
      assertError(await app.post(stranger, route, { name: 'three' }), 403, refused)
      assertStatus(await app.post(await app.addAdmin(), route, { name: 'three' }), 201)
    })

    test('makes members of all-repositories teams watch', async (t) => {
      const { app, ann, enlist } = await withOrganization(t)
      await enlist('reader', { name: 'readers', includes_all_repositories: true })

      const { body } = await app.post(ann, route, { name: 'one' })

      assert.equal(body.watchers_count, 2)
    })

    test('tells an unknown organization after the body, and hides a private one', async (t) => {
      const { app, ann } = await withOrganization(t)
      const bob = await app.addCaller('bob')
      await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })
      const to = (name: string) => route.replace('acme', name)

      assertError(
        await app.post(bob, to('nowhere'), { name: 'x' }),
        422,
        'org does not exist [id: 0, name: nowhere]',
      )
      assertError(
        await app.post(bob, to('ann'), { name: 'x' }),
        422,
        'org does not exist [id: 0, name: ann]',
      )
      assertError(await app.post(bob, to('nowhere'), {}), 422, '[Name]: Required')
      assertError(await app.post(undefined, to('nowhere'), { name: 'x' }), 401)
      assertError(await app.post(bob, to('hidden'), { name: 'x' }), 404, 'not found')
    })

    test('of a renamed organization', async (t) => {
      const { app, ann } = await withOrganization(t)
      await app.post(ann, '/orgs/acme/rename', { new_name: 'apex' })

      const answer = await app.post(ann, route, { name: 'x' })

      if (route.startsWith('/orgs/')) {
        assert.equal(answer.status, 307)
        assert.equal(answer.headers['location'], '/api/v1/orgs/apex/repos')
      } else assertError(answer, 422, /org does not exist/)
    })
  })
}

suite('POST /admin/users/{username}/repos', () => {
  test('makes a repository for somebody, watched and signed by the administrator', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')

    const { status, body } = await app.post(root, '/admin/users/ANN/repos', {
      name: 'demo',
      auto_init: true,
    })

    assert.equal(status, 201)
    assert.equal(body.full_name, 'ann/demo')
    assert.equal(gitOf(app, 'log', '--format=%an').trim(), 'root')
    assertError(await app.post(root, '/admin/users/ann/repos', { name: 'DEMO' }), 409, TAKEN)
    assertError(await app.post(root, '/admin/users/nobody/repos', {}), 404)
  })
})
