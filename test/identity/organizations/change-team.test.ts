import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addOrganization, addTeam, logins, ownersOf } from './setup.ts'

suite('PATCH /teams/{id}', () => {
  test('changes only the fields that are present', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const team = await addTeam(app, ann, 'acme', { name: 'devs', description: 'before' })

    const renamed = await app.patch(ann, `/teams/${team.id}`, { name: 'Coders' })
    const emptied = await app.patch(ann, `/teams/${team.id}`, { name: '', description: '' })

    assert.equal(renamed.status, 200)
    assert.deepEqual(renamed.body, { ...team, name: 'Coders', organization: null })
    assert.deepEqual(emptied.body, { ...renamed.body, description: '' })
    assert.deepEqual((await app.patch(ann, `/teams/${team.id}`, {})).body, emptied.body)
  })

  test('changes everything at once', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' })
    const edit = {
      name: 'coders',
      description: 'after',
      includes_all_repositories: true,
      can_create_org_repo: true,
      visibility: 'limited',
    }
    const rights = { permission: 'write', units: ['repo.wiki'] }

    const { body } = await app.patch(root, `/teams/${id}`, { ...edit, ...rights })

    assert.partialDeepStrictEqual(body, { ...edit, permission: 'none', units: ['repo.wiki'] })
    assert.deepEqual(body.units_map, { 'repo.wiki': 'write' })
    const read = (await app.get(ann, `/teams/${id}`)).body
    assert.deepEqual({ ...read, organization: null }, body)
  })

  test('takes a change of letter case for a new spelling', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' })

    const { status, body } = await app.patch(ann, `/teams/${id}`, { name: 'DEVS' })

    assert.equal(status, 200)
    assert.equal(body.name, 'DEVS')
  })

  test('refuses what is not valid, and changes nothing', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const team = await addTeam(app, ann, 'acme', { name: 'devs' })
    await addTeam(app, ann, 'acme', { name: 'docs' })
    const patch = (fields: object) =>
      app.patch(ann, `/teams/${team.id}`, { permission: 'admin', description: 'x', ...fields })

    assertError(await patch({ name: 'DOCS' }), 422, /^team already exists/)
    assertError(await patch({ name: 'owners' }), 422, /^team already exists/)
    assertError(await patch({ name: 'new' }), 422, 'name is reserved [name: new]')
    assertError(await patch({ name: 'two words' }), 422, '[Name]: AlphaDashDot')
    assertError(await patch({ visibility: 'odd' }), 422, '[Visibility]: In')
    assertError(await patch({ description: 'x'.repeat(256) }), 422, '[Description]: MaxSize')
    assert.deepEqual((await app.get(ann, `/teams/${team.id}`)).body, team)
  })

  test('changes the description of the owners, and accepts their own values back', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const id = await ownersOf(app, ann, 'acme')
    const before = (await app.get(ann, `/teams/${id}`)).body

    const { status, body } = await app.patch(ann, `/teams/${id}`, {
      ...before,
      description: 'who decide',
    })

    assert.equal(status, 200)
    assert.deepEqual(body, { ...before, description: 'who decide', organization: null })
  })

  test('changes nothing else of the owners', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const id = await ownersOf(app, ann, 'acme')
    const before = (await app.get(ann, `/teams/${id}`)).body
    const edits = [
      { permission: 'read' },
      { permission: 'admin' },
      { units: ['repo.code'] },
      { units_map: { 'repo.code': 'owner' } },
      { units_map: { ...before.units_map, 'repo.code': 'read' } },
      { can_create_org_repo: false },
      { includes_all_repositories: false },
      { visibility: 'private' },
    ]

    for (const edit of edits) {
      const description = JSON.stringify(edit)
      const { status, body } = await app.patch(root, `/teams/${id}`, { description, ...edit })
      assert.equal(status, 200)
      assert.deepEqual(body, { ...before, description, organization: null })
    }
    const described = (await app.get(ann, `/teams/${id}`)).body
    for (const name of ['chiefs', 'owners']) {
      const answer = await app.patch(root, `/teams/${id}`, { name, description: 'x' })
      assertError(answer, 422, 'the team of owners cannot be renamed')
    }
    assert.deepEqual((await app.get(ann, `/teams/${id}`)).body, described)
  })

  test('is for owners and administrators, told before the body is read', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const eve = await app.addCaller('eve')
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs', permission: 'admin' }, [bob])

    assertError(await app.patch(undefined, `/teams/${id}`, 'nonsense'), 401, 'token is required')
    for (const caller of [bob, eve]) {
      const answer = await app.patch(caller, `/teams/${id}`, 'nonsense')
      assertError(answer, 403, 'Must be an organization owner')
    }
    assertError(await app.patch(ann, '/teams/999999999', 'nonsense'), 404, 'not found')
  })
})

suite('DELETE /teams/{id}', () => {
  test('takes those who are in no other team out of the organization', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const cat = await app.addCaller('cat')
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' }, [ann, bob, cat])
    await addTeam(app, ann, 'acme', { name: 'docs' }, [cat])

    assertStatus(await app.delete(ann, `/teams/${id}`), 204)

    assertError(await app.get(ann, `/teams/${id}`), 404, 'not found')
    assert.deepEqual(logins((await app.get(ann, '/orgs/acme/members')).body), ['ann', 'cat'])
    assert.deepEqual((await app.get(bob, '/user/orgs')).body, [])
  })

  test('keeps the owners', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const owners = await ownersOf(app, ann, 'acme')

    for (const caller of [ann, root]) {
      const answer = await app.delete(caller, `/teams/${owners}`)
      assertError(answer, 422, 'the team of owners cannot be deleted')
    }
    assert.deepEqual(logins((await app.get(ann, `/teams/${owners}/members`)).body), ['ann'])
  })

  test('is for owners and administrators', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])

    assertError(await app.delete(undefined, `/teams/${id}`), 401, 'token is required')
    assertError(await app.delete(bob, `/teams/${id}`), 403, 'Must be an organization owner')
    assertStatus(await app.delete(root, `/teams/${id}`), 204)
    assertError(await app.delete(root, `/teams/${id}`), 404, 'not found')
  })
})
