import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addOrganization, addTeam, logins, names, ownersOf } from './setup.ts'

suite('GET /teams/{id}/members', () => {
  test('lists the members by name', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob, ann])

    const list = await app.get(bob, `/teams/${id}/members`)
    const page = await app.get(bob, `/teams/${id}/members?limit=1&page=2`)

    assert.deepEqual(logins(list.body), ['ann', 'bob'])
    assert.equal(list.headers['x-total-count'], '2')
    assert.deepEqual(logins(page.body), ['bob'])
    assert.match(page.headers['link'] ?? '', /rel="prev"$/)
  })

  test('is for members of the organization who may read the team', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const [cat, eve] = [await app.addCaller('cat'), await app.addCaller('eve')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'docs' }, [cat])
    const hidden = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const open = await addTeam(app, ann, 'acme', { name: 'open', visibility: 'public' }, [bob])
    const callers = [ann, root, bob, cat, eve, undefined]

    for (const end of ['members', 'members/bob']) {
      const ask = async (id: number) =>
        Promise.all(
          callers.map(async (caller) => (await app.get(caller, `/teams/${id}/${end}`)).status),
        )
      assert.deepEqual(await ask(hidden.id), [200, 200, 200, 403, 404, 401])
      assert.deepEqual(await ask(open.id), [200, 200, 200, 200, 403, 401])
    }
    const stranger = await app.get(eve, `/teams/${open.id}/members`)
    assertError(stranger, 403, 'Must be an organization member')
    assertError(await app.get(ann, '/teams/999999999/members'), 404, 'not found')
  })

  test('leaves people who are not public out for a public-only token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob', { visibility: 'limited' })
    const outside = await app.withToken(ann.account, ['all', 'public-only'])
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' }, [ann, bob])

    const seen = await app.get(outside, `/teams/${id}/members`)

    assert.deepEqual(logins(seen.body), ['ann'])
    assert.equal(seen.headers['x-total-count'], '1')
    assertStatus(await app.get(outside, `/teams/${id}/members/ann`), 200)
    assertError(await app.get(outside, `/teams/${id}/members/bob`), 404, 'not found')
    assertStatus(await app.get(ann, `/teams/${id}/members/bob`), 200)
  })
})

suite('GET /teams/{id}/members/{username}', () => {
  test('shows a member, and nobody else', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])

    const { status, body } = await app.get(ann, `/teams/${id}/members/BOB`)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { id: bob.id, login: 'bob', email: 'bob@example.org' })
    assertError(await app.get(ann, `/teams/${id}/members/ann`), 404, 'not found')
    assertError(await app.get(ann, `/teams/${id}/members/nobody`), 404, 'not found')
  })
})

suite('PUT /teams/{id}/members/{username}', () => {
  test('puts somebody into the team and with that into the organization, not shown', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' })

    const path = `/teams/${id}/members/bob`
    for (let round = 0; round < 2; round++) assertStatus(await app.put(ann, path), 204)

    assertStatus(await app.get(bob, '/orgs/acme/members/bob'), 204)
    assertStatus(await app.get(undefined, '/orgs/acme/public_members/bob'), 404)
  })

  test('leaves a shown membership shown', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    await app.put(bob, '/orgs/acme/public_members/bob')

    await addTeam(app, ann, 'acme', { name: 'docs' }, [bob])

    assertStatus(await app.get(undefined, '/orgs/acme/public_members/bob'), 204)
  })

  test('makes owners of those in the team of owners', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const owners = await ownersOf(app, ann, 'acme')
    assertError(await app.patch(bob, '/orgs/acme', {}), 403)

    assertStatus(await app.put(ann, `/teams/${owners}/members/bob`), 204)

    assertStatus(await app.patch(bob, '/orgs/acme', {}), 200)
  })

  test('finds people whom the caller may see, and only people', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.addPerson('shy', { visibility: 'private' })
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' })

    for (const name of ['nobody', 'acme', 'shy']) {
      assertError(await app.put(ann, `/teams/${id}/members/${name}`), 404, 'not found')
    }
    assertStatus(await app.put(root, `/teams/${id}/members/shy`), 204)
  })

  test('is for owners and administrators, as is taking somebody out', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const eve = await app.addCaller('eve')
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const path = `/teams/${id}/members/bob`

    for (const change of [app.put.bind(app), app.delete.bind(app)]) {
      assertError(await change(undefined, path), 401, 'token is required')
      assertError(await change(bob, path), 403, 'Must be an organization owner')
      assertError(await change(eve, path), 403, 'Must be an organization owner')
      assertError(await change(ann, '/teams/999999999/members/bob'), 404, 'not found')
      assertStatus(await change(root, path), 204)
    }
  })
})

suite('DELETE /teams/{id}/members/{username}', () => {
  test('takes somebody out of the organization with the last team', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const devs = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const docs = await addTeam(app, ann, 'acme', { name: 'docs' }, [bob])

    for (let round = 0; round < 2; round++) {
      assertStatus(await app.delete(ann, `/teams/${devs.id}/members/bob`), 204)
    }
    assert.deepEqual(names((await app.get(bob, '/user/teams')).body), ['docs'])
    assertStatus(await app.get(ann, '/orgs/acme/members/bob'), 204)

    assertStatus(await app.delete(ann, `/teams/${docs.id}/members/bob`), 204)
    assertStatus(await app.get(ann, '/orgs/acme/members/bob'), 404)
    assertError(await app.delete(ann, `/teams/${docs.id}/members/nobody`), 404, 'not found')
  })

  test('keeps the last owner, but lets others leave the owners', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const owners = await ownersOf(app, ann, 'acme')
    await app.put(ann, `/teams/${owners}/members/bob`)
    await addTeam(app, ann, 'acme', { name: 'devs', permission: 'admin' }, [ann])

    assertStatus(await app.delete(ann, `/teams/${owners}/members/ann`), 204)
    const last = await app.delete(bob, `/teams/${owners}/members/bob`)

    assertError(last, 422, 'the last owner of an organization cannot be removed')
    assert.deepEqual(logins((await app.get(bob, `/teams/${owners}/members`)).body), ['bob'])
    assertStatus(await app.get(bob, '/orgs/acme/members/bob'), 204)
  })
})
