import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addOrganization, addTeam, logins, names, ownersOf } from './setup.ts'

suite('GET /orgs/{org}/members', () => {
  test('shows all members to members and administrators, by name', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [zoe, bob] = [await app.addCaller('zoe'), await app.addCaller('Bob')]
    await addOrganization(app, zoe, 'acme')
    await addTeam(app, zoe, 'acme', { name: 'devs' }, [bob])

    for (const caller of [zoe, bob, root]) {
      const { status, body, headers } = await app.get(caller, '/orgs/acme/members')

      assert.equal(status, 200)
      assert.deepEqual(logins(body), ['Bob', 'zoe'])
      assert.equal(headers['x-total-count'], '2')
    }
  })

  test('shows strangers those who show it and whom they may see', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const shy = await app.addCaller('shy', { visibility: 'private' })
    const eve = await app.addCaller('eve')
    await addOrganization(app, ann, 'acme')
    await addTeam(app, root, 'acme', { name: 'devs' }, [shy])
    assert.deepEqual((await app.get(eve, '/orgs/acme/members')).body, [])

    await app.put(shy, '/orgs/acme/public_members/shy')
    await app.put(ann, '/orgs/acme/public_members/ann')

    const seen = await app.get(eve, '/orgs/acme/members')
    assert.deepEqual(logins(seen.body), ['ann'])
    assert.equal(seen.headers['x-total-count'], '1')
    assert.deepEqual(logins((await app.get(ann, '/orgs/acme/members')).body), ['ann', 'shy'])
  })

  test('shows restricted members those who show it and their team mates', async (t) => {
    const app = await startApp(t)
    const [ann, bob, cat] = [
      await app.addCaller('ann'),
      await app.addCaller('bob'),
      await app.addCaller('cat'),
    ]
    const shy = await app.addCaller('shy', { isRestricted: true })
    const mate = await app.addCaller('mate', { visibility: 'limited' })
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'other')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [shy, mate])
    await addTeam(app, ann, 'acme', { name: 'docs' }, [bob, cat])
    await addTeam(app, ann, 'other', { name: 'both' }, [shy, bob])
    await app.put(cat, '/orgs/acme/public_members/cat')

    const seen = await app.get(shy, '/orgs/acme/members')

    assert.deepEqual(logins(seen.body), ['cat', 'mate', 'shy'])
    assertStatus(await app.get(shy, '/orgs/acme/members/mate'), 204)
    assertError(await app.get(shy, '/orgs/acme/members/bob'), 404, 'not found')
  })

  test('leaves people who are not public out for a public-only token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob', { visibility: 'limited' })
    const outside = await app.withToken(ann.account, ['all', 'public-only'])
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])

    const seen = await app.get(outside, '/orgs/acme/members')

    assert.deepEqual(logins(seen.body), ['ann'])
    assert.equal(seen.headers['x-total-count'], '1')
  })

  test('is paged', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])

    const { body, headers } = await app.get(ann, '/orgs/acme/members?limit=1')

    assert.deepEqual(logins(body), ['ann'])
    assert.equal(headers['x-total-count'], '2')
    assert.match(headers['link'] ?? '', /page=2>; rel="next",.*page=2>; rel="last"$/)
  })

  test('is for callers who signed in and see the organization', async (t) => {
    const app = await startApp(t)
    const [ann, eve] = [await app.addCaller('ann'), await app.addCaller('eve')]
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'hush', { visibility: 'private' })

    assertError(await app.get(undefined, '/orgs/acme/members'), 401, 'token is required')
    assertError(await app.get(undefined, '/orgs/hush/members'), 404, 'not found')
    assertError(await app.get(eve, '/orgs/hush/members'), 404, 'not found')
    assertError(await app.get(eve, '/orgs/nothing/members'), 404, 'not found')
  })
})

suite('GET /orgs/{org}/members/{username}', () => {
  test('tells members and administrators whether somebody is one', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await app.addPerson('eve')
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])

    for (const caller of [ann, bob, root]) {
      assertStatus(await app.get(caller, '/orgs/acme/members/BOB'), 204)
      assertError(await app.get(caller, '/orgs/acme/members/eve'), 404, 'not found')
      assertError(await app.get(caller, '/orgs/acme/members/nobody'), 404, 'not found')
    }
  })

  test('sends others to the public members, unless they ask about themselves', async (t) => {
    const app = await startApp(t, { server: { url: 'http://codestead.test/git' } })
    const [ann, eve] = [await app.addCaller('ann'), await app.addCaller('eve')]
    await addOrganization(app, ann, 'acme')

    const { status, headers, text } = await app.get(eve, '/orgs/ACME/members/ANN')

    assert.equal(status, 303)
    assert.equal(headers['location'], '/git/api/v1/orgs/acme/public_members/ann')
    assert.match(text, /^<a href="\/git\/api\/v1\/orgs\/acme\/public_members\/ann">See Other/)
    assertStatus(await app.get(eve, '/orgs/acme/members/eve'), 404)
    assertStatus(await app.get(eve, '/orgs/acme/members/nobody'), 404)
  })

  test('is for callers who signed in and see the organization', async (t) => {
    const app = await startApp(t)
    const [ann, eve] = [await app.addCaller('ann'), await app.addCaller('eve')]
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'hush', { visibility: 'private' })

    assertError(await app.get(undefined, '/orgs/acme/members/ann'), 401, 'token is required')
    assertError(await app.get(eve, '/orgs/hush/members/ann'), 404, 'not found')
  })
})

suite('DELETE /orgs/{org}/members/{username}', () => {
  test('takes somebody out of the organization and all its teams', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'other')
    const devs = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    await addTeam(app, ann, 'acme', { name: 'docs' }, [bob])
    await addTeam(app, ann, 'other', { name: 'elsewhere' }, [bob])

    assertStatus(await app.delete(ann, '/orgs/acme/members/bob'), 204)

    assertStatus(await app.get(ann, '/orgs/acme/members/bob'), 404)
    assert.deepEqual((await app.get(ann, `/teams/${devs.id}/members`)).body, [])
    assert.deepEqual(names((await app.get(bob, '/user/teams')).body), ['elsewhere'])
    assert.deepEqual(names((await app.get(bob, '/user/orgs')).body), ['other'])
  })

  test('is done already for somebody who is no member, and refused for nobody', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('eve')
    await addOrganization(app, ann, 'acme')

    assertStatus(await app.delete(ann, '/orgs/acme/members/eve'), 204)
    assertError(await app.delete(ann, '/orgs/acme/members/nobody'), 404, 'not found')
    assertError(await app.delete(ann, '/orgs/acme/members/acme'), 404, 'not found')
  })

  test('keeps the last owner, in all teams', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs', permission: 'admin' }, [ann, bob])

    for (const caller of [ann, root]) {
      const answer = await app.delete(caller, '/orgs/acme/members/ann')

      assertError(answer, 422, 'the last owner of an organization cannot be removed')
    }
    assert.deepEqual(names((await app.get(ann, '/user/teams')).body), ['Owners', 'devs'])
  })

  test('lets an owner go while another is left', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const owners = await ownersOf(app, ann, 'acme')
    await app.put(ann, `/teams/${owners}/members/bob`)

    assertStatus(await app.delete(ann, '/orgs/acme/members/ann'), 204)

    assert.deepEqual(logins((await app.get(bob, '/orgs/acme/members')).body), ['bob'])
  })

  test('is for owners and administrators, also about oneself', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const path = '/orgs/acme/members/bob'

    assertError(await app.delete(undefined, path), 401, 'token is required')
    assertError(await app.delete(bob, path), 403, 'Must be an organization owner')
    assertError(await app.delete(ann, '/orgs/nothing/members/bob'), 404, 'not found')
    assertStatus(await app.delete(root, path), 204)
  })
})

suite('GET /orgs/{org}/public_members', () => {
  test('shows anybody who shows it, and administrators everybody', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    await app.put(bob, '/orgs/acme/public_members/bob')

    for (const caller of [undefined, ann]) {
      const { body, headers } = await app.get(caller, '/orgs/acme/public_members')

      assert.deepEqual(logins(body), ['bob'])
      assert.equal(headers['x-total-count'], '1')
    }
    const all = await app.get(root, '/orgs/acme/public_members')
    assert.deepEqual(logins(all.body), ['ann', 'bob'])
  })

  test('shows no more of people than callers may see', async (t) => {
    const app = await startApp(t)
    const [ann, eve] = [await app.addCaller('ann'), await app.addCaller('eve')]
    const shy = await app.addCaller('shy', { visibility: 'limited' })
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [shy])
    await app.put(shy, '/orgs/acme/public_members/shy')

    const anonymous = await app.get(undefined, '/orgs/acme/public_members')
    const signedIn = await app.get(eve, '/orgs/acme/public_members')

    assert.deepEqual(anonymous.body, [])
    assert.equal(anonymous.headers['x-total-count'], '0')
    assertStatus(await app.get(undefined, '/orgs/acme/public_members/shy'), 404)
    assert.deepEqual(logins(signedIn.body), ['shy'])
    assertStatus(await app.get(eve, '/orgs/acme/public_members/shy'), 204)
  })

  test('answers 404 where the organization is not visible', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'hush', { visibility: 'limited' })

    assertError(await app.get(undefined, '/orgs/hush/public_members'), 404, 'not found')
    assertError(await app.get(undefined, '/orgs/hush/public_members/ann'), 404, 'not found')
    assertError(await app.get(ann, '/orgs/nothing/public_members'), 404, 'not found')
  })
})

suite('PUT and DELETE /orgs/{org}/public_members/{username}', () => {
  test('shows and conceals the own membership, as often as one likes', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const path = '/orgs/acme/public_members/bob'
    assertError(await app.get(undefined, path), 404, 'not found')

    for (let round = 0; round < 2; round++) assertStatus(await app.put(bob, path), 204)
    assertStatus(await app.get(undefined, path), 204)
    assertStatus(await app.get(undefined, '/orgs/acme/public_members/ann'), 404)

    for (let round = 0; round < 2; round++) assertStatus(await app.delete(bob, path), 204)
    assertStatus(await app.get(undefined, path), 404)
  })

  test('is also for owners and administrators', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const path = '/orgs/acme/public_members/bob'

    assertStatus(await app.put(ann, path), 204)
    assertStatus(await app.get(undefined, path), 204)
    assertStatus(await app.delete(root, path), 204)
    assertStatus(await app.get(undefined, path), 404)
  })

  test('is refused to others', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const eve = await app.addCaller('eve')
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const path = '/orgs/acme/public_members'

    for (const change of [app.put.bind(app), app.delete.bind(app)]) {
      assertError(await change(undefined, `${path}/bob`), 401, 'token is required')
      assertError(await change(bob, `${path}/ann`), 403, 'Cannot change member visibility')
      assertError(await change(eve, `${path}/eve`), 403, 'Must be an organization member')
      assertError(await change(ann, `${path}/nobody`), 404, 'not found')
      assertError(await change(ann, '/orgs/nothing/public_members/ann'), 404, 'not found')
    }
  })

  test('makes nobody a member', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('eve')
    await addOrganization(app, ann, 'acme')

    assertStatus(await app.put(ann, '/orgs/acme/public_members/eve'), 204)

    assertStatus(await app.get(ann, '/orgs/acme/public_members/eve'), 404)
    assertStatus(await app.get(ann, '/orgs/acme/members/eve'), 404)
  })
})
