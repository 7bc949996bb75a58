import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { gitOf, TAKEN } from './support.ts'

for (const route of ['/orgs/acme/repos', '/org/acme/repos']) {
  suite(`POST ${route.replace('acme', '{org}')}`, () => {
    const withOrganization = async (t: TestContext, changes: ConfigChanges = {}) => {
      const app = await startApp(t, changes)
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
        return { ...caller, teamId: made.body.id as number }
      }
      return { app, ann, enlist }
    }

    test('is for owners and for teams that may create', async (t) => {
      const { app, ann, enlist } = await withOrganization(t)
      const maker = await enlist('maker', { name: 'makers', can_create_org_repo: true })
      const mate = await app.addCaller('mate')
      await app.put(ann, `/teams/${maker.teamId}/members/mate`)
      const lead = await enlist('lead', { name: 'leads', permission: 'admin' })
      const stranger = await app.addCaller('stranger')
      const refused = 'User is not allowed to create repositories in this organization.'

      assertStatus(await app.post(ann, route, { name: 'one' }), 201)
      const made = await app.post(maker, route, { name: 'two', private: true })
      assertStatus(made, 201)
      assert.deepEqual(made.body.permissions, { admin: true, push: true, pull: true })
      assert.equal((await app.get(maker, '/repos/acme/two')).body.permissions.admin, true)
      assert.equal((await app.get(lead, '/repos/acme/two')).status, 404)
      assert.equal((await app.get(mate, '/repos/acme/two')).status, 404)
      assertError(await app.post(lead, route, { name: 'three' }), 403, refused)
      assertError(await app.post(stranger, route, { name: 'three' }), 403, refused)
      assertStatus(await app.post(await app.addAdmin(), route, { name: 'three' }), 201)
      const collaborators = async (name: string) => {
        const { body } = await app.get(ann, `/repos/acme/${name}/collaborators`)
        return body.map(({ login }: { login: string }) => login)
      }
      assert.deepEqual(await collaborators('one'), [])
      assert.deepEqual(await collaborators('two'), ['maker'])
      assert.deepEqual(await collaborators('three'), [])
      assertError(await app.delete(maker, '/repos/acme/two'), 403)
    })

    test('is checked like any other creation, the organization owning it', async (t) => {
      const { app, ann } = await withOrganization(t, { repositories: { max_per_organization: 2 } })
      const content = { auto_init: true, license: 'MIT' }

      const { body } = await app.post(ann, route.replace('acme', 'ACME'), {
        name: 'one',
        ...content,
      })

      assert.equal(body.full_name, 'acme/one')
      assert.match(gitOf(app, 'show', 'main:LICENSE'), /Copyright \(c\) \d{4} acme\n/)
      assert.equal(gitOf(app, 'log', '--format=%an|%ae').trim(), 'ann|ann@example.org')
      assertError(await app.post(ann, route, { name: 'ONE' }), 409, TAKEN)
      assertError(await app.post(ann, route, { name: '-' }), 422, 'name is reserved [name: -]')
      const noReadme = { name: '-', auto_init: true, readme: 'Nope', issue_labels: 'Nope' }
      assertError(await app.post(ann, route, noReadme), 400, /^readme template does not exist/)
      assertError(await app.post(ann, route, { name: '-', issue_labels: 'Nope' }), 422, /label/)
      assertStatus(await app.post(ann, route, { name: 'two' }), 201)
      const full = 'user has reached maximum limit of repositories [limit: -1]'
      assertError(await app.post(ann, route, { name: '-', issue_labels: 'Nope' }), 403, full)
      assertStatus(await app.post(await app.addAdmin(), route, { name: 'three' }), 201)
    })

    test('asks a token for both scopes, and for more than public things where the organization is not', async (t) => {
      const { app, ann } = await withOrganization(t)
      await app.post(ann, '/orgs', { username: 'inner', visibility: 'limited' })
      const inner = route.replace('acme', 'inner')
      const outside = await app.withToken(ann.account, ['public-only', 'all'])
      const notPublic = 'token scope is limited to public orgs'

      for (const scope of ['organization', 'repository']) {
        const half = await app.withToken(ann.account, [`write:${scope}`])
        assertError(await app.post(half, route, {}), 403, /^token does not have at least one/)
      }
      assertStatus(await app.post(outside, route, { name: 'one' }), 201)
      assertError(await app.post(outside, inner, { name: 'one' }), 403, notPublic)
      assertError(await app.post(outside, inner, {}), 403, notPublic)
      const bob = (await app.addCaller('bob')).account
      const restricted = await app.addCaller('cat', { isRestricted: true })
      assertError(await app.post(restricted, inner, { name: 'x' }), 404, 'not found')
      const stranger = await app.withToken(bob, ['public-only', 'all'])
      await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })
      const hidden = route.replace('acme', 'hidden')
      assertError(await app.post(stranger, hidden, {}), 422, '[Name]: Required')
      assertError(await app.post(stranger, hidden, { name: 'x' }), 404, 'not found')
    })

    test('goes to all teams that have every repository, whose members watch it', async (t) => {
      const { app, ann, enlist } = await withOrganization(t)
      const reader = await enlist('reader', { name: 'readers', includes_all_repositories: true })
      await enlist('other', { name: 'others' })

      const { body } = await app.post(ann, route, { name: 'one', private: true })
      const byAdmin = await app.post(await app.addAdmin(), route, { name: 'two' })

      assert.equal(body.watchers_count, 2)
      assert.equal(byAdmin.body.watchers_count, 3)
      assertStatus(await app.get(reader, '/repos/acme/one'), 200)
      assert.deepEqual(
        (await app.get(ann, '/repos/acme/one/teams')).body.map(
          ({ name }: { name: string }) => name,
        ),
        ['Owners', 'readers'],
      )
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

      const answer = await app.post(ann, `${route}?a=b`, { name: 'x' })
      const unsigned = await app.post(undefined, route, {})

      if (route.startsWith('/orgs/')) {
        assert.equal(answer.status, 307)
        assert.equal(answer.headers['location'], '/api/v1/orgs/apex/repos?a=b')
        assert.equal(unsigned.headers['location'], '/api/v1/orgs/apex/repos')
      } else {
        assertError(answer, 422, /org does not exist/)
        assertError(unsigned, 401, 'token is required')
      }
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
