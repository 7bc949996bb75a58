import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addOrganization, addTeam } from './setup.ts'

suite('PATCH /orgs/{org}', () => {
  test('changes only the fields that are present', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme', { full_name: 'Before', location: 'Here' })
    const edit = {
      full_name: 'Acme',
      email: 'new@acme.example',
      description: 'things',
      website: 'https://acme.example',
      visibility: 'limited',
      repo_admin_change_team_access: true,
    }

    const { status, body } = await app.patch(ann, '/orgs/acme', edit)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { name: 'acme', location: 'Here', ...edit })
    assert.deepEqual((await app.get(ann, '/orgs/acme')).body, body)
    assert.deepEqual((await app.patch(ann, '/orgs/acme', {})).body, body)
  })

  test('empties what is given empty, but not the visibility', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    await addOrganization(app, ann, 'acme', { email: 'a@b.example', visibility: 'limited' })

    const { body } = await app.patch(root, '/orgs/acme', { email: '', visibility: '' })

    assert.partialDeepStrictEqual(body, { email: '', visibility: 'limited' })
  })

  test('refuses what is not valid, and changes nothing', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const before = await addOrganization(app, ann, 'acme')
    const patch = (fields: object) => app.patch(ann, '/orgs/acme', { full_name: 'x', ...fields })

    assertError(await patch({ visibility: 'secret' }), 422, '[Visibility]: In')
    assertError(await patch({ website: 'nonsense' }), 422, '[Website]: Url')
    assertError(await patch({ email: 'nonsense' }), 422, 'e-mail invalid [email: nonsense]')
    assertError(await patch({ location: 'x'.repeat(51) }), 422, '[Location]: MaxSize')
    assertError(await patch({ description: 7 }), 422, /^\[\]: /)
    assert.deepEqual((await app.get(ann, '/orgs/acme')).body, before)
  })

  test('is for owners and administrators, told before the body is read', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const eve = await app.addCaller('eve')
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'hush', { visibility: 'private' })
    await addTeam(app, ann, 'acme', { name: 'chiefs', permission: 'admin' }, [bob])
    const patch = (who: typeof bob | undefined, org: string) =>
      app.patch(who, `/orgs/${org}`, 'nonsense')

    assertError(await patch(undefined, 'acme'), 401, 'token is required')
    assertError(await patch(bob, 'acme'), 403, 'Must be an organization owner')
    assertError(await patch(eve, 'acme'), 403, 'Must be an organization owner')
    assertError(await patch(eve, 'hush'), 404, 'not found')
    assertError(await patch(undefined, 'nothing'), 404, 'not found')
  })

  test('does not give the power of an administrator to a public-only token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const outside = await app.withToken(root.account, ['all', 'public-only'])
    await addOrganization(app, ann, 'acme')

    const answer = await app.patch(outside, '/orgs/acme', { full_name: 'x' })

    assertError(answer, 403, 'Must be an organization owner')
  })
})

suite('DELETE /orgs/{org}', () => {
  test('deletes the organization with its teams and memberships', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await addOrganization(app, ann, 'acme')
    const team = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])

    const { status, text } = await app.delete(ann, '/orgs/acme')

    assert.equal(status, 204)
    assert.equal(text, '')
    assertError(await app.get(ann, '/orgs/acme'), 404)
    assertError(await app.get(ann, `/teams/${team.id}`), 404)
    assert.deepEqual((await app.get(ann, '/user/orgs')).body, [])
    assert.deepEqual((await app.get(bob, '/user/teams')).body, [])
  })

  test('is for owners and administrators', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])

    assertError(await app.delete(undefined, '/orgs/acme'), 401, 'token is required')
    assertError(await app.delete(bob, '/orgs/acme'), 403, 'Must be an organization owner')
    assertError(await app.delete(ann, '/orgs/nothing'), 404, 'not found')
    assertStatus(await app.delete(root, '/orgs/acme'), 204)
  })

  test('takes nobody with it when the path names a person', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')

    assertError(await app.delete(root, '/orgs/ann'), 404, 'not found')
    assertStatus(await app.get(root, '/users/ann'), 200)
  })
})

suite('POST /orgs/{org}/rename', () => {
  test('gives another name, to which the old one leads', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const { id } = await addOrganization(app, ann, 'acme')

    const { status } = await app.post(ann, '/orgs/acme/rename', { new_name: 'Apex' })

    assert.equal(status, 204)
    assert.partialDeepStrictEqual((await app.get(ann, '/orgs/apex')).body, { id, name: 'Apex' })
    const moved = await app.get(undefined, '/orgs/ACME/public_members?limit=3')
    assert.equal(moved.status, 307)
    assert.equal(moved.headers['location'], '/api/v1/orgs/Apex/public_members?limit=3')
  })

  test('leaves the old name of a hidden organization unknown to strangers', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await addOrganization(app, ann, 'acme', { visibility: 'private' })

    await app.post(ann, '/orgs/acme/rename', { new_name: 'apex' })

    assertError(await app.get(bob, '/orgs/acme'), 404, 'not found')
    assertStatus(await app.get(ann, '/orgs/acme'), 307)
  })

  test('does not lead from the old name of a person', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.post(root, '/admin/users/ann/rename', { new_username: 'anna' })

    assertError(await app.get(root, '/orgs/ann'), 404, 'not found')
  })

  test('refuses names that are taken, reserved, invalid or missing', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const rename = (body: object) => app.post(ann, '/orgs/acme/rename', body)

    assertError(await rename({ new_name: 'ANN' }), 422, 'user already exists [name: ANN]')
    assertError(await rename({ new_name: 'admin' }), 422, 'name is reserved [name: admin]')
    assertError(await rename({ new_name: 'a b' }), 422, '[NewName]: invalid username')
    assertError(await rename({ new_name: 'x'.repeat(41) }), 422, '[NewName]: MaxSize')
    assertError(await rename({}), 422, '[NewName]: Required')
    assertStatus(await app.get(ann, '/orgs/acme'), 200)
  })

  test('is for owners and administrators', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await addOrganization(app, ann, 'acme')
    const body = { new_name: 'apex' }

    assertError(await app.post(undefined, '/orgs/acme/rename', body), 401, 'token is required')
    assertError(
      await app.post(bob, '/orgs/acme/rename', body),
      403,
      'Must be an organization owner',
    )
    assertError(await app.post(ann, '/orgs/nothing/rename', body), 404, 'not found')
    assertStatus(await app.post(root, '/orgs/acme/rename', body), 204)
  })
})

suite('anonymous callers where a sign-in is needed', () => {
  test('are asked to sign in for a limited organization, and told nothing of a private one', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'limited', visibility: 'limited' })
    await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })

    assertError(await app.patch(undefined, '/orgs/limited', {}), 401, 'token is required')
    assertError(await app.get(undefined, '/orgs/limited/members'), 401, 'token is required')
    assertError(await app.get(undefined, '/orgs/limited'), 404, 'not found')
    for (const path of ['/orgs/hidden', '/orgs/nothing']) {
      assertError(await app.patch(undefined, path, {}), 404, 'not found')
      assertError(await app.get(undefined, `${path}/teams`), 404, 'not found')
    }
  })
})

suite('the followers of a deleted organization', () => {
  test('no longer follow it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme' })
    assertStatus(await app.put(ann, '/user/following/acme'), 204)

    assertStatus(await app.delete(ann, '/orgs/acme'), 204)

    assert.equal((await app.get(ann, '/user')).body.following_count, 0)
  })
})
