import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const path = '/repos/ann/r/topics'

async function withRepository(t: TestContext) {
  const app = await startApp(t)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  await app.post(ann, '/user/repos', { name: 'r' })
  const topics = async () => (await app.get(undefined, path)).body.topics as string[]
  return { app, ann, bob, topics }
}

suite('topics of a repository', () => {
  test('are set, added and removed, in one form', async (t) => {
    const { app, ann, topics } = await withRepository(t)

    assertStatus(
      await app.put(ann, path, { topics: ['web', 'TestTopic1', ' spaced ', 'WEB', ''] }),
      204,
    )
    assert.deepEqual(await topics(), ['spaced', 'testtopic1', 'web'])
    for (const _ of [1, 2]) assertStatus(await app.put(ann, `${path}/Extra`), 204)
    assertStatus(await app.delete(ann, `${path}/web`), 204)
    assertError(await app.delete(ann, `${path}/web`), 404)
    assert.deepEqual((await app.get(ann, '/repos/ann/r')).body.topics, [
      'extra',
      'spaced',
      'testtopic1',
    ])
    assertStatus(await app.put(ann, path, { topics: [] }), 204)
    assert.deepEqual(await topics(), [])
  })

  test('that are not valid change nothing', async (t) => {
    const { app, ann, topics } = await withRepository(t)
    await app.put(ann, path, { topics: ['kept'] })

    const bad = await app.put(ann, path, { topics: ['fine', '-bad', 'two words', 'x'.repeat(36)] })
    const many = await app.put(ann, path, {
      topics: Array.from({ length: 26 }, (_, index) => `t${index}`),
    })
    const one = await app.put(ann, `${path}/under_score`)

    assert.equal(bad.status, 422)
    assert.deepEqual(bad.body, {
      message: 'Topic names are invalid',
      invalidTopics: ['-bad', 'two words', 'x'.repeat(36)],
    })
    assert.equal(many.status, 422)
    assert.equal(many.body.invalidTopics, null)
    assert.deepEqual(one.body, { message: 'Topic name is invalid', invalidTopics: 'under_score' })
    assert.deepEqual(await topics(), ['kept'])
  })

  test('are twenty-five at most, however many are added at once', async (t) => {
    const { app, ann, topics } = await withRepository(t)

    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => app.put(ann, `${path}/t${index}`)),
    )

    assert.equal(answers.filter(({ status }) => status === 204).length, 25)
    assert.equal(answers.filter(({ status }) => status === 422).length, 15)
    assert.equal((await topics()).length, 25)
    // A full list takes not even a topic that it has.
    assertStatus(await app.put(ann, `${path}/t0`), 422)
  })

  test('are changed by administrators of the repository', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.put(ann, '/repos/ann/r/collaborators/bob', { permission: 'write' })

    for (const answer of [
      await app.put(bob, path, { topics: [] }),
      await app.put(bob, `${path}/x`),
      await app.delete(bob, `${path}/x`),
    ]) {
      assertError(answer, 403)
    }
    assertError(await app.put(undefined, path, {}), 401)
  })
})

suite('GET /topics/search', () => {
  test('finds topics in use by part of their name, the most used first', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.post(bob, '/user/repos', { name: 's' })
    await app.put(ann, path, { topics: ['web', 'webgl', 'other'] })
    await app.put(bob, '/repos/bob/s/topics', { topics: ['webgl'] })

    const { body, headers } = await app.get(undefined, '/topics/search?q=WEB')

    assert.deepEqual(
      body.topics.map((topic: { topic_name: string; repo_count: number }) => [
        topic.topic_name,
        topic.repo_count,
      ]),
      [
        ['webgl', 2],
        ['web', 1],
      ],
    )
    assert.equal(headers['x-total-count'], '2')
  })

  test('tells nobody of topics that only hidden repositories have', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.put(ann, path, { topics: ['open'] })
    await app.post(ann, '/user/repos', { name: 'shut', private: true })
    await app.put(ann, '/repos/ann/shut/topics', { topics: ['secret', 'open'] })
    const root = await app.addAdmin()
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])
    const found = async (who: typeof ann | undefined) => {
      const { body, headers } = await app.get(who, '/topics/search')
      const names = body.topics.map(({ topic_name }: { topic_name: string }) => topic_name)
      assert.equal(headers['x-total-count'], String(names.length))
      return names as string[]
    }

    for (const who of [undefined, bob, narrow]) assert.deepEqual(await found(who), ['open'])
    for (const who of [ann, root]) assert.deepEqual(await found(who), ['open', 'secret'])
    await app.put(ann, '/repos/ann/shut/collaborators/bob', { permission: 'read' })
    assert.deepEqual(await found(bob), ['open', 'secret'])
  })
})
