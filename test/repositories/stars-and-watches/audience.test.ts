import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startApp, type TestAnswer, type TestCaller } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { untilItWaits } from '../../support/waiting.ts'

const logins = ({ body }: TestAnswer) =>
  body.map(({ login }: { login: string }) => login) as string[]
const names = ({ body }: TestAnswer) =>
  body.map((repo: { full_name: string }) => repo.full_name) as string[]

const onPostgres = testDialect === 'postgres' ? false : 'SQLite has one writer'

async function withRepository(t: TestContext, options: object = {}) {
  const app = await startApp(t)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  await app.post(ann, '/user/repos', { name: 'r', ...options })
  const counts = async () => {
    const { stars_count: stars, watchers_count: watchers } = (await app.get(ann, '/repos/ann/r'))
      .body
    return [stars, watchers]
  }
  return { app, ann, bob, counts }
}

suite('stars', () => {
  const star = '/user/starred/ann/r'

  test('are given and taken back, each as often as one likes', async (t) => {
    const { app, bob, counts } = await withRepository(t)

    assertError(await app.get(bob, star), 404)
    for (const _ of [1, 2]) assertStatus(await app.put(bob, star), 204)
    assertStatus(await app.get(bob, star), 204)
    assert.deepEqual(await counts(), [1, 1])
    assert.equal((await app.get(bob, '/user')).body.starred_repos_count, 1)
    assert.deepEqual(logins(await app.get(undefined, '/repos/ann/r/stargazers')), ['bob'])
    assert.deepEqual(names(await app.get(bob, '/user/starred')), ['ann/r'])
    for (const _ of [1, 2]) assertStatus(await app.delete(bob, star), 204)
    assert.deepEqual(await counts(), [0, 1])
  })

  test('show who gave them in the order of giving, also within a second', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const people = [await app.addCaller('zoe'), await app.addCaller('amy'), bob, ann]
    for (const who of people) assertStatus(await app.put(who, star), 204)
    await app.delete(bob, star)
    await app.put(bob, star)

    const gazers = await app.get(undefined, '/repos/ann/r/stargazers')

    assert.deepEqual(logins(gazers), ['zoe', 'amy', 'ann', 'bob'])
    const second = await app.get(undefined, '/repos/ann/r/stargazers?limit=1&page=2')
    assert.deepEqual(logins(second), ['amy'])
  })

  test('and watches that come while a repository is made private are none', async (t) => {
    const { app, ann, bob, counts } = await withRepository(t)
    const people = [bob, await app.addCaller('eve'), await app.addCaller('zoe')]

    for (let round = 0; round < 8; round++) {
      assertStatus(await app.patch(ann, '/repos/ann/r', { private: false }), 200)
      const running = [
        ...people.map((who) => app.put(who, star)),
        ...people.map((who) => app.put(who, '/repos/ann/r/subscription')),
      ]
      await delay(round)
      assertStatus(await app.patch(ann, '/repos/ann/r', { private: true }), 200)
      const answers = await Promise.all(running)

      assert.deepEqual(
        answers.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status)),
        [],
      )
      assert.deepEqual(await counts(), [0, 0])
      assert.equal((await app.get(bob, '/user')).body.starred_repos_count, 0)
    }
  })

  test('and watches of an account go with it, from the counts too', async (t) => {
    const { app, ann, bob, counts } = await withRepository(t)
    const root = await app.addAdmin()
    await app.post(ann, '/user/repos', { name: 'other' })
    for (const who of [ann, bob]) assertStatus(await app.put(who, star), 204)
    for (const name of ['r', 'other'])
      assertStatus(await app.put(bob, `/repos/ann/${name}/subscription`), 200)
    assert.deepEqual(await counts(), [2, 2])

    assertStatus(await app.delete(root, '/admin/users/bob'), 204)

    assert.deepEqual(await counts(), [1, 1])
    assert.partialDeepStrictEqual((await app.get(ann, '/repos/ann/other')).body, {
      stars_count: 0,
      watchers_count: 1,
    })
    assert.deepEqual(logins(await app.get(ann, '/repos/ann/r/stargazers')), ['ann'])
  })

  test('and watches of people whom the caller may not see are counted, not shown', async (t) => {
    const { app, ann, bob, counts } = await withRepository(t)
    const hidden = await app.addCaller('hidden', { visibility: 'private' })
    const limited = await app.addCaller('limited', { visibility: 'limited' })
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])
    const root = await app.addAdmin()
    await app.delete(ann, '/repos/ann/r/subscription')
    for (const who of [hidden, limited, bob]) {
      assertStatus(await app.put(who, star), 204)
      assertStatus(await app.put(who, '/repos/ann/r/subscription'), 200)
    }

    for (const list of ['stargazers', 'subscribers']) {
      const shown = async (who: TestCaller | undefined) => {
        const answer = await app.get(who, `/repos/ann/r/${list}`)
        assert.equal(answer.headers['x-total-count'], String(answer.body.length))
        return logins(answer)
      }
      for (const who of [undefined, narrow]) assert.deepEqual(await shown(who), ['bob'])
      assert.deepEqual(await shown(ann), ['limited', 'bob'])
      for (const who of [hidden, root])
        assert.deepEqual(await shown(who), ['hidden', 'limited', 'bob'])
    }
    assert.deepEqual(await counts(), [3, 3])
  })

  test('of a private repository are for those who see it, and shown to nobody else', async (t) => {
    const { app, ann, bob } = await withRepository(t, { private: true })

    assertError(await app.put(bob, star), 404)
    assertError(await app.put(undefined, star), 401)
    assertStatus(await app.put(ann, star), 204)
    assert.deepEqual(names(await app.get(ann, '/users/ann/starred')), ['ann/r'])
    const others = await app.get(bob, '/users/ann/starred')
    assert.deepEqual(others.body, [])
    assert.equal(others.headers['x-total-count'], '0')
    assertError(await app.get(undefined, '/users/ann/starred'), 401, 'token is required')
  })

  test('at the same moment are counted exactly', async (t) => {
    const { app, counts } = await withRepository(t)
    const people: TestCaller[] = []
    for (let count = 0; count < 10; count++) people.push(await app.addCaller(`p${count}`))
    const all = (change: (who: TestCaller, index: number) => Promise<unknown>) =>
      Promise.all([...people, ...people].map((who, index) => change(who, index)))

    await all((who) => app.put(who, star))
    assert.deepEqual(await counts(), [10, 1])
    await all((who, index) =>
      index % 2 ? app.delete(who, star) : app.put(who, '/repos/ann/r/subscription'),
    )

    const rows = await app.ctx.db.selectFrom('star').select('account_id').execute()
    const watches = await app.ctx.db.selectFrom('watch').select('account_id').execute()
    assert.deepEqual(await counts(), [rows.length, watches.length])
  })

  test('of one repository do not wait for those of another', { skip: onPostgres }, async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.post(ann, '/user/repos', { name: 'other' })

    const given = await app.ctx.db.transaction().execute(async (tx) => {
      await tx.selectFrom('repository').select('id').where('name', '=', 'r').forUpdate().execute()
      const waiting = app.put(bob, star)
      await untilItWaits(tx, waiting)
      const other = app.put(ann, '/user/starred/ann/other')
      const isQuick = await Promise.race([other.then(() => true), delay(10_000, false)])
      return { isQuick, answers: [waiting, other] }
    })

    for (const answer of given.answers) assertStatus(await answer, 204)
    assert.equal(given.isQuick, true)
  })

  test('can be switched off', async (t) => {
    const app = await startApp(t, { repositories: { stars: false } })
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'r' })

    assertError(await app.put(ann, star), 403)
    assertError(await app.get(ann, '/repos/ann/r/stargazers'), 403)
  })
})

suite('watches', () => {
  const subscription = '/repos/ann/r/subscription'

  test('begin with whoever creates a repository', async (t) => {
    const { app, ann } = await withRepository(t)

    const { status, body } = await app.get(ann, subscription)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      subscribed: true,
      ignored: false,
      reason: null,
      url: 'http://codestead.test/api/v1/repos/ann/r/subscription',
      repository_url: 'http://codestead.test/api/v1/repos/ann/r',
    })
  })

  test('are set and ended, and listed', async (t) => {
    const { app, ann, bob, counts } = await withRepository(t)

    assertError(await app.get(bob, subscription), 404)
    for (const _ of [1, 2]) assertStatus(await app.put(bob, subscription), 200)
    assert.deepEqual(await counts(), [0, 2])
    assert.deepEqual(logins(await app.get(undefined, '/repos/ann/r/subscribers')), ['ann', 'bob'])
    assert.deepEqual(names(await app.get(bob, '/user/subscriptions')), ['ann/r'])
    assert.deepEqual(names(await app.get(ann, '/users/bob/subscriptions')), ['ann/r'])
    assertError(await app.get(undefined, '/users/bob/subscriptions'), 401, 'token is required')
    for (const _ of [1, 2]) assertStatus(await app.delete(bob, subscription), 204)
    assertError(await app.get(bob, subscription), 404)
    assertError(await app.put(undefined, subscription), 401)
  })
})
