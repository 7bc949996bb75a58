import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

async function logins(app: TestApp, who: TestCaller, path: string): Promise<string[]> {
  const answer = await app.get(who, path)
  assertStatus(answer, 200)
  const names = (answer.body as { login: string }[]).map(({ login }) => login)
  assert.equal(answer.headers['x-total-count'], String(names.length))
  return names
}

async function counts(
  app: TestApp,
  who: TestCaller,
): Promise<[followers: number, following: number]> {
  const { body } = await app.get(who, '/user')
  return [body.followers_count, body.following_count]
}

/** The counts of all accounts beside what the rows say. */
async function drift(app: TestApp): Promise<unknown[]> {
  const rows = await app.ctx.db.selectFrom('follow').selectAll().execute()
  const accounts = await app.ctx.db.selectFrom('account').selectAll().execute()
  return accounts.filter(
    ({ id, followers_count, following_count }) =>
      rows.filter((row) => row.followed_id === id).length !== followers_count ||
      rows.filter((row) => row.follower_id === id).length !== following_count,
  )
}

suite('PUT /user/following/{username}', () => {
  test('follows somebody, and counts it once however often it is called', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    for (let round = 0; round < 2; round++) {
      assertStatus(await app.put(ann, '/user/following/BOB'), 204)
    }

    assert.deepEqual(await counts(app, ann), [0, 1])
    assert.deepEqual(await counts(app, bob), [1, 0])
    assertStatus(await app.get(ann, '/user/following/bob'), 204)
  })

  test('takes following oneself without effect', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assertStatus(await app.put(ann, '/user/following/ann'), 204)

    assert.deepEqual(await counts(app, ann), [0, 0])
    assertError(await app.get(ann, '/user/following/ann'), 404, 'not found')
  })

  test('follows an organization', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.ctx.db
      .insertInto('account')
      .values({
        kind: 'organization',
        name: 'acme',
        lower_name: 'acme',
        created_at: 1,
        updated_at: 1,
      })
      .execute()

    assertStatus(await app.put(ann, '/user/following/acme'), 204)

    assert.deepEqual(await logins(app, ann, '/user/following'), ['acme'])
    assert.deepEqual(await logins(app, ann, '/users/acme/followers'), ['ann'])
  })

  test('refuses when either blocks the other', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    assertStatus(await app.put(ann, '/user/blocks/bob'), 204)

    assertError(await app.put(ann, '/user/following/bob'), 403, 'user is blocked')
    assertError(await app.put(bob, '/user/following/ann'), 403, 'user is blocked')

    assert.deepEqual(await drift(app), [])
    assert.deepEqual(await counts(app, ann), [0, 0])
  })

  test('knows nobody who is not there or not to be seen', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('hidden', { visibility: 'private' })

    const nobody = await app.put(ann, '/user/following/nobody')
    const hidden = await app.put(ann, '/user/following/hidden')

    assertError(nobody, 404, 'user redirect does not exist [name: nobody]')
    assertError(hidden, 404, 'not found')
  })

  test('needs sign-in and the scope to write', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    await app.addPerson('bob')
    const reader = await app.withToken(ann, ['read:user'])

    assertError(await app.put(undefined, '/user/following/bob'), 401, 'token is required')
    assertError(await app.put(reader, '/user/following/bob'), 403, /required=\[write:user\]/)
  })

  test('leads from an old name to the new one', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('bob')
    await app.post(root, '/admin/users/bob/rename', { new_username: 'robert' })

    const { status, headers } = await app.put(root, '/user/following/bob')

    assert.equal(status, 307)
    assert.equal(headers['location'], '/api/v1/user/following/robert')
  })
})

suite('DELETE /user/following/{username}', () => {
  test('ends following, and counts it once however often it is called', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(ann, '/user/following/bob')

    for (let round = 0; round < 2; round++) {
      assertStatus(await app.delete(ann, '/user/following/bob'), 204)
    }

    assert.deepEqual(await counts(app, ann), [0, 0])
    assert.deepEqual(await counts(app, bob), [0, 0])
    assertError(await app.get(ann, '/user/following/bob'), 404, 'not found')
  })

  test('leaves the other direction alone', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(ann, '/user/following/bob')
    await app.put(bob, '/user/following/ann')

    await app.delete(ann, '/user/following/bob')

    assert.deepEqual(await counts(app, ann), [1, 0])
    assert.deepEqual(await counts(app, bob), [0, 1])
  })

  test('knows nobody who is not there, and needs sign-in', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assertError(await app.delete(ann, '/user/following/nobody'), 404)
    assertError(await app.delete(undefined, '/user/following/ann'), 401, 'token is required')
  })
})

suite('following by many at once', () => {
  test('keeps the counts equal to the rows', async (t) => {
    const app = await startApp(t)
    const names = ['ann', 'bob', 'cid', 'dan', 'eve']
    const callers = await Promise.all(names.map((name) => app.addCaller(name)))
    const calls = Array.from({ length: 30 }, (_, at) => {
      const who = callers[at % 5]
      const path = `/user/following/${names[(at + 1 + Math.floor(at / 10)) % 5]}`
      return at % 3 === 2 ? app.delete(who, path) : app.put(who, path)
    })

    const answers = await Promise.all(calls)

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [204])
    assert.deepEqual(await drift(app), [])
  })

  test('counts one follow for thirty calls of the same', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    await Promise.all(Array.from({ length: 30 }, () => app.put(ann, '/user/following/bob')))

    assert.deepEqual(await counts(app, ann), [0, 1])
    assert.deepEqual(await counts(app, bob), [1, 0])
  })

  test('keeps the counts when two follow, and block, each other', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => [
        app.put(ann, '/user/following/bob'),
        app.put(bob, '/user/following/ann'),
        app.put(ann, '/user/blocks/bob'),
        app.delete(ann, '/user/blocks/bob'),
      ]).flat(),
    )

    assert.ok(answers.every(({ status }) => [204, 400, 403].includes(status)))
    assert.deepEqual(await drift(app), [])
    const blocked = (await app.get(ann, '/user/blocks/bob')).status === 204
    assert.ok(!blocked || (await counts(app, ann)).join() === '0,0')
  })

  test('keeps the counts when somebody who is being followed is deleted', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('gone')
    const fans = await Promise.all(['ann', 'bob', 'cid'].map((name) => app.addCaller(name)))

    const answers = await Promise.all([
      ...fans.map((fan) => app.put(fan, '/user/following/gone')),
      app.delete(root, '/admin/users/gone'),
      ...fans.map((fan) => app.put(fan, '/user/following/gone')),
    ])

    assert.ok(answers.every(({ status }) => [204, 404].includes(status)))
    assertError(await app.get(root, '/users/gone'), 404)
    assert.deepEqual(await drift(app), [])
  })
})

suite('GET /user/followers and /user/following', () => {
  test('list whole records of people', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(ann, '/user/following/bob')

    const followers = await app.get(bob, '/user/followers')
    const following = await app.get(ann, '/user/following')

    assert.partialDeepStrictEqual(followers.body, [
      { login: 'ann', email: 'ann@example.org', following_count: 1, is_admin: false },
    ])
    assert.partialDeepStrictEqual(following.body, [{ login: 'bob', followers_count: 1 }])
    assert.equal(following.headers['access-control-expose-headers'], 'X-Total-Count')
    assert.deepEqual(await logins(app, ann, '/user/followers'), [])
    assert.deepEqual(await logins(app, bob, '/user/following'), [])
  })

  test('are paged, with the total of all', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['bob', 'cid', 'dan']) {
      await app.put(await app.addCaller(name), '/user/following/ann')
    }

    const { headers, body } = await app.get(ann, '/user/followers?limit=2&page=2')

    assert.equal(headers['x-total-count'], '3')
    assert.partialDeepStrictEqual(body, [{ login: 'dan' }])
    assert.equal(body.length, 1)
  })

  test('need sign-in and the scope to read', async (t) => {
    const app = await startApp(t)
    const outside = await app.addCaller('ann', {}, ['write:repository'])

    for (const path of ['/user/followers', '/user/following', '/user/following/ann']) {
      assertError(await app.get(undefined, path), 401, 'token is required')
      assertError(await app.get(outside, path), 403, /required=\[read:user\]/)
    }
  })

  test('leave out whom a public-only token may not see', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const visibility of ['public', 'limited'] as const) {
      const fan = await app.addCaller(visibility, { visibility })
      await app.put(fan, '/user/following/ann')
    }
    const outside = await app.withToken(ann.account, ['public-only', 'read:user'])

    assert.deepEqual(await logins(app, ann, '/user/followers'), ['public', 'limited'])
    assert.deepEqual(await logins(app, outside, '/user/followers'), ['public'])
  })
})

suite('GET /users/{username}/followers and /following', () => {
  test('list the relations of anybody to anybody who signed in', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const cid = await app.addCaller('cid')
    await app.put(ann, '/user/following/bob')

    assert.deepEqual(await logins(app, cid, '/users/ANN/following'), ['bob'])
    assert.deepEqual(await logins(app, cid, '/users/bob/followers'), ['ann'])
    assert.deepEqual(await logins(app, bob, '/users/bob/following'), [])
  })

  test('show only accounts that the caller may see, and count no others', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const bob = await app.addCaller('bob')
    const hidden = await app.addCaller('hidden', { visibility: 'private' })
    await app.put(hidden, '/user/following/ann')
    await app.put(bob, '/user/following/ann')

    assert.deepEqual(await logins(app, bob, '/users/ann/followers'), ['bob'])
    for (const who of [root, ann]) {
      assert.deepEqual(await logins(app, who, '/users/ann/followers'), ['bob', 'hidden'])
    }
  })

  test('tell first that there is nobody, then that sign-in is needed', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('hidden', { visibility: 'private' })

    for (const list of ['followers', 'following', 'following/ann']) {
      const nobody = await app.get(undefined, `/users/nobody/${list}`)
      assertError(nobody, 404, 'user redirect does not exist [name: nobody]')
      assertError(await app.get(ann, `/users/hidden/${list}`), 404, 'not found')
      assertError(await app.get(undefined, `/users/ann/${list}`), 401, 'token is required')
    }
  })
})

suite('GET /user/following/{username} and /users/{username}/following/{target}', () => {
  test('tell whether one follows another', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(ann, '/user/following/bob')

    assertStatus(await app.get(ann, '/user/following/bob'), 204)
    assertError(await app.get(bob, '/user/following/ann'), 404, 'not found')
    assertStatus(await app.get(bob, '/users/ann/following/BOB'), 204)
    assertError(await app.get(bob, '/users/bob/following/ann'), 404, 'not found')
  })

  test('know nobody who is not there or not to be seen', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const hidden = await app.addCaller('hidden', { visibility: 'private' })
    await app.put(hidden, '/user/following/ann')

    const paths = ['/user/following/nobody', '/users/ann/following/nobody']
    for (const path of paths) assertError(await app.get(ann, path), 404)
    assertError(await app.get(bob, '/users/hidden/following/ann'), 404, 'not found')
    assertStatus(await app.get(ann, '/users/hidden/following/ann'), 204)
  })
})
