import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { column, issues, withTracker } from '../issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const comments = `${issues}/1/comments`

suite('reactions', () => {
  test('are given, also when they are taken back at once', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    const path = `${issues}/1/reactions`
    const given = { content: '+1' }

    for (let round = 0; round < 20; round++) {
      const giving = app.post(ann, path, given)
      await delay(round % 4)
      const [{ status }, taken] = await Promise.all([giving, app.delete(ann, path, given)])

      assert.ok(status === 201 || status === 200, `${status}`)
      assertStatus(taken, 204)
    }
  })

  test('are given once by everybody, to issues and to comments apart', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    const { id } = (await app.post(ann, comments, { body: 'x' })).body

    await open(ann, { title: 'y' })
    const [of, elsewhere] = [`${issues}/1/reactions`, `${issues}/2/reactions`]

    for (const path of [of, `${issues}/comments/${id}/reactions`]) {
      const first = await app.post(bob, path, { content: 'heart' })
      const again = await app.post(bob, path, { content: 'heart' })

      assert.equal(first.status, 201)
      assert.deepEqual(Object.keys(first.body as object), ['user', 'content', 'created_at'])
      assert.partialDeepStrictEqual(first.body, { user: { login: 'bob' }, content: 'heart' })
      assert.deepEqual([again.status, again.body], [200, first.body])
      assertStatus(await app.post(ann, path, { content: '+1' }), 201)
      assert.deepEqual(column(await app.get(undefined, path), 'content'), ['heart', '+1'])
      assertError(await app.post(ann, path, { content: 'shrug' }), 403)
      assertError(await app.post(undefined, path, { content: '+1' }), 401)
      assertStatus(await app.delete(bob, path, { content: 'heart' }), 204)
      assertStatus(await app.delete(bob, path, { content: 'heart' }), 204)
      assert.deepEqual(column(await app.get(undefined, path), 'content'), ['+1'])
      assertStatus(await app.post(ann, path, { content: 'eyes' }), 201)
      const agreed = await app.post(bob, path, { content: '+1' })
      assertStatus(agreed, 201)
      // Given again, it is that of the caller and of this kind that is shown.
      const shown = await app.post(bob, path, { content: '+1' })
      assert.deepEqual([shown.status, shown.body], [200, agreed.body])
      assert.equal((await app.post(ann, path, { content: 'eyes' })).body.content, 'eyes')
      assertStatus(await app.post(ann, elsewhere, { content: '+1' }), path === of ? 201 : 200)
      assertStatus(await app.delete(ann, path, { content: '+1' }), 204)
      assert.deepEqual(column(await app.get(ann, elsewhere), 'content'), ['+1'])
      const left = (await app.get(undefined, path)).body
      assert.partialDeepStrictEqual(left, [
        { user: { login: 'ann' }, content: 'eyes' },
        { user: { login: 'bob' }, content: '+1' },
      ])
    }
    // What is given to a comment is not given to its issue.
    const said = `${issues}/comments/${id}/reactions`
    for (const content of ['rocket', 'hooray'])
      assertStatus(await app.post(ann, said, { content }), 201)
    assertStatus(await app.post(ann, of, { content: 'rocket' }), 201)
    assertStatus(await app.delete(ann, of, { content: 'hooray' }), 204)
    assertStatus(await app.delete(ann, of, { content: 'rocket' }), 204)
    assert.deepEqual(column(await app.get(ann, of), 'content'), ['eyes', '+1'])
    const ofComment = column(await app.get(ann, said), 'content')
    assert.deepEqual(ofComment, ['eyes', '+1', 'rocket', 'hooray'])
    assertStatus(await app.delete(ann, said, { content: 'eyes' }), 204)
    assert.deepEqual(column(await app.get(ann, of), 'content'), ['eyes', '+1'])
    await app.put(ann, `${issues}/1/lock`)
    for (const path of [`${issues}/1/reactions`, `${issues}/comments/${id}/reactions`]) {
      const message = 'no permission to change reaction'
      assertError(await app.delete(bob, path, { content: '+1' }), 403, message)
      assertError(await app.post(bob, path, { content: 'heart' }), 403, message)
      assertStatus(await app.post(ann, path, { content: 'heart' }), 201)
    }
    await app.delete(ann, `${issues}/1/lock`)
    assertError(await app.get(ann, `${issues}/9/reactions`), 404)
    assertError(await app.get(ann, `${issues}/comments/999999/reactions`), 404)
    await app.put(ann, '/user/blocks/bob')
    for (const path of [`${issues}/1/reactions`, `${issues}/comments/${id}/reactions`])
      assertError(await app.post(bob, path, { content: 'heart' }), 403, 'user is blocked')
  })
})

suite('subscriptions to issues', () => {
  test('are there for who watches or takes part, until they say otherwise', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t)
    const root = await app.addAdmin()
    await open(ann, { title: 'x' })
    const subscriptions = `${issues}/1/subscriptions`
    const check = async (who: typeof ann) => (await app.get(who, `${subscriptions}/check`)).body

    assert.deepEqual(await check(ann), {
      subscribed: true,
      ignored: false,
      reason: null,
      created_at: (await app.get(ann, `${issues}/1`)).body.created_at,
      url: `http://codestead.test/api/v1${subscriptions}`,
      repository_url: 'http://codestead.test/api/v1/repos/ann/r',
    })
    assert.partialDeepStrictEqual(await check(bob), { subscribed: false, ignored: true })
    await app.post(bob, comments, { body: 'x' })
    await app.patch(ann, `${issues}/1`, { assignees: ['cat'] })
    assert.deepEqual([(await check(bob)).subscribed, (await check(cat)).subscribed], [true, true])

    assertStatus(await app.put(bob, `${subscriptions}/bob`), 200)
    assertStatus(await app.delete(bob, `${subscriptions}/bob`), 201)
    assertStatus(await app.delete(bob, `${subscriptions}/bob`), 200)
    assert.equal((await check(bob)).subscribed, false)
    assertStatus(await app.put(bob, `${subscriptions}/bob`), 201)
    assert.deepEqual(column(await app.get(undefined, subscriptions), 'login'), ['bob'])
    assertStatus(await app.delete(root, `${subscriptions}/cat`), 201)
    assert.deepEqual(column(await app.get(undefined, subscriptions), 'login'), ['bob'])
    await open(ann, { title: 'y', body: '@cat' })
    const other = `${issues}/2/subscriptions`
    const ofOther = async (who: typeof ann) => (await app.get(who, `${other}/check`)).body
    assert.deepEqual((await app.get(undefined, other)).body, [])
    assert.equal((await ofOther(bob)).subscribed, false)
    assert.equal((await ofOther(cat)).subscribed, true)
    assertStatus(await app.put(cat, `${subscriptions}/cat`), 201)
    assertStatus(await app.put(await app.addCaller('abe'), `${subscriptions}/abe`), 201)
    const subscribers = await app.get(undefined, subscriptions)
    assert.deepEqual(column(subscribers, 'login'), ['abe', 'bob', 'cat'])
    for (const method of ['DELETE', 'PUT']) {
      const requests = [1, 2, 3].map(() => app.send(bob, method, `${subscriptions}/bob`))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      assert.deepEqual(
        statuses.toSorted((a, b) => a - b),
        [200, 200, 201],
        method,
      )
    }
    const message = 'bob is not permitted to change subscriptions for ann'
    assertError(await app.put(bob, `${subscriptions}/ann`), 403, message)
    assertError(await app.put(bob, `${subscriptions}/nobody`), 404)
    assertError(await app.put(undefined, `${issues}/9/subscriptions/bob`), 401)
    assertError(await app.get(undefined, `${subscriptions}/check`), 401)
    assertError(await app.put(bob, `${issues}/9/subscriptions/bob`), 404)
  })
})
