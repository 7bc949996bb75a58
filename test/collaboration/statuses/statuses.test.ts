import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const repo = '/repos/ann/one'

interface Setup {
  readonly app: TestApp
  readonly ann: TestCaller
  /** The commit of main. */
  readonly sha: string
  readonly post: (fields: object, sha?: string) => Promise<TestAnswer>
}

/** ann with a public repository that has one commit on main. */
async function start(t: TestContext, fields: object = {}): Promise<Setup> {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  const wanted = { name: 'one', auto_init: true, default_branch: 'main', ...fields }
  assertStatus(await app.post(ann, '/user/repos', wanted), 201)
  const sha = (await app.get(ann, `${repo}/branches/main`)).body.commit.id as string
  const post = (status: object, id = sha) => app.post(ann, `${repo}/statuses/${id}`, status)
  return { app, ann, sha, post }
}

async function ids(app: TestApp, path: string): Promise<number[]> {
  const answer = await app.get(undefined, repo + path)
  assertStatus(answer, 200)
  return (answer.body as { id: number }[]).map(({ id }) => id)
}

suite('POST /repos/{owner}/{repo}/statuses/{sha}', () => {
  test('records a status with its creator', async (t) => {
    const { sha, post } = await start(t)

    const { status, body } = await post({
      state: 'pending',
      context: ' ci/build ',
      description: 'running',
      target_url: 'http://ci.example.org/1',
    })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body as object), [
      'id',
      'status',
      'target_url',
      'description',
      'url',
      'context',
      'creator',
      'created_at',
      'updated_at',
    ])
    assert.partialDeepStrictEqual(body, {
      id: 1,
      status: 'pending',
      target_url: 'http://ci.example.org/1',
      description: 'running',
      url: `http://codestead.test/api/v1${repo}/statuses/${sha}`,
      context: 'ci/build',
      creator: { login: 'ann' },
    })
    assert.match(body.creator.email, /^\d+\+ann@noreply\./)
  })

  test('takes every state of the contract and no other', async (t) => {
    const { post } = await start(t)

    for (const state of ['pending', 'success', 'error', 'failure', 'warning', 'skipped']) {
      assertStatus(await post({ state }), 201)
    }
    assertError(await post({ state: 'splendid' }), 422, '[State]: In')
    assertError(await post({}), 422, '[State]: Required')
    assertError(
      await post({ state: 'success', context: 'x'.repeat(2049) }),
      422,
      '[Context]: MaxSize',
    )
    assertError(await post({ state: 'success', context: 1 }), 422, /^\[\]: /)
  })

  test('counts up for each commit, without gaps or doubles however many come at once', async (t) => {
    const { app, ann, post } = await start(t)
    const file = { content: '', message: 'second' }
    const other = (await app.post(ann, `${repo}/contents/a`, file)).body.commit.sha as string

    const made = await Promise.all(
      Array.from({ length: 12 }, (_, number) => post({ state: 'success', context: `${number}` })),
    )

    assert.deepEqual(
      made.map(({ body }) => body.id as number).sort((a, b) => a - b),
      Array.from({ length: 12 }, (_, number) => number + 1),
    )
    assert.equal((await post({ state: 'success' }, other)).body.id, 1)
  })

  test('takes an unambiguous beginning of the id, but no branch, even one that looks like an id', async (t) => {
    const { app, ann, sha, post } = await start(t)
    const short = sha.slice(0, 10)
    const file = { content: '', message: 'second', new_branch: short }

    assert.equal((await post({ state: 'success' }, short)).body.url.endsWith(sha), true)
    assertStatus(await app.post(ann, `${repo}/contents/a`, file), 201)

    for (const id of [short, 'main', 'HEAD', '1'.repeat(40), sha.slice(0, 6), '-h', 'x^{commit}']) {
      assertError(await post({ state: 'success' }, encodeURIComponent(id)), 404, 'not found')
    }
  })

  test('is for those who may write code, in an archive too', async (t) => {
    const { app, ann, sha } = await start(t)
    const bob = await app.addCaller('bob')
    const cleo = await app.addCaller('cleo')
    const path = `${repo}/statuses/${sha}`
    await app.put(ann, `${repo}/collaborators/cleo`, { permission: 'write' })

    assertError(await app.post(undefined, path, { state: 'success' }), 401, 'token is required')
    const message = 'user should have a permission to write to a repo'
    assertError(await app.post(bob, path, { state: 'nonsense' }), 403, message)
    assertStatus(await app.post(cleo, path, { state: 'success' }), 201)
    assertStatus(await app.patch(ann, repo, { archived: true }), 200)
    assertStatus(await app.post(cleo, path, { state: 'success' }), 201)
    assertError(await app.post(bob, path.replace('one', 'none'), {}), 404)
  })
})

suite('GET /repos/{owner}/{repo}/commits/{ref}/statuses', () => {
  test('lists every status, newest first, with the total', async (t) => {
    const { app, post } = await start(t)
    for (const state of ['pending', 'failure', 'success']) await post({ state, context: 'ci' })

    const { headers } = await app.get(undefined, `${repo}/commits/main/statuses?limit=2`)

    assert.equal(headers['x-total-count'], '3')
    assert.match(headers['link'] as string, /statuses\?limit=2&page=2>; rel="next"/)
    assert.deepEqual(await ids(app, '/commits/main/statuses'), [3, 2, 1])
    assert.deepEqual(await ids(app, '/commits/main/statuses?limit=2'), [3, 2])
    assert.deepEqual(await ids(app, '/commits/main/statuses?limit=2&page=2'), [1])
    assert.deepEqual(await ids(app, '/commits/main/statuses?limit=2&page=3'), [])
  })

  test('filters by state and sorts as asked', async (t) => {
    const { app, post } = await start(t)
    for (const state of ['pending', 'success', 'pending']) await post({ state })

    assert.deepEqual(await ids(app, '/commits/main/statuses?state=pending'), [3, 1])
    assert.deepEqual(await ids(app, '/commits/main/statuses?state=nonsense'), [])
    for (const sort of ['oldest', 'leastupdate', 'leastindex']) {
      assert.deepEqual(await ids(app, `/commits/main/statuses?sort=${sort}`), [1, 2, 3], sort)
    }
    for (const sort of ['recentupdate', 'highestindex', 'nonsense', '']) {
      assert.deepEqual(await ids(app, `/commits/main/statuses?sort=${sort}`), [3, 2, 1], sort)
    }
  })

  test('finds the commit of a branch, a tag, an id and its beginning', async (t) => {
    const { app, ann, sha, post } = await start(t)
    await post({ state: 'success' })
    await app.post(ann, `${repo}/branches`, { new_branch_name: 'a/b' })
    await app.post(ann, `${repo}/tags`, { tag_name: 'v1', message: 'annotated' })

    for (const ref of ['main', 'a%2Fb', 'v1', sha, sha.slice(0, 7), 'HEAD']) {
      assert.deepEqual(await ids(app, `/commits/${ref}/statuses`), [1], ref)
    }
    for (const ref of ['missing', sha.slice(0, 6), '0'.repeat(40), '-x', 'a..b', 'main%5E']) {
      assertError(await app.get(ann, `${repo}/commits/${ref}/statuses`), 404)
    }
  })

  test('shows statuses of accounts that are gone', async (t) => {
    const { app, ann, sha } = await start(t)
    const root = await app.addAdmin()
    const bob = await app.addCaller('bob')
    await app.put(ann, `${repo}/collaborators/bob`, { permission: 'write' })
    await app.post(bob, `${repo}/statuses/${sha}`, { state: 'success' })

    assertStatus(await app.delete(root, '/admin/users/bob'), 204)

    const { body } = await app.get(ann, `${repo}/commits/main/statuses`)
    assert.equal(body[0].creator, null)
  })

  test('is for those who read the repository', async (t) => {
    const { app, ann } = await start(t, { private: true })

    assertStatus(await app.get(ann, `${repo}/commits/main/statuses`), 200)
    assertError(await app.get(undefined, `${repo}/commits/main/statuses`), 404)
  })
})

suite('GET /repos/{owner}/{repo}/statuses/{sha}', () => {
  test('lists the statuses of a commit by its id alone', async (t) => {
    const { app, ann, sha, post } = await start(t)
    await post({ state: 'pending' })
    await post({ state: 'success' })

    assert.deepEqual(await ids(app, `/statuses/${sha}`), [2, 1])
    assert.deepEqual(await ids(app, `/statuses/${sha}?state=success`), [2])
    for (const id of ['main', '1'.repeat(40)]) {
      assertError(await app.get(ann, `${repo}/statuses/${id}`), 404)
    }
  })
})

suite('GET /repos/{owner}/{repo}/commits/{ref}/status', () => {
  test('is pending without a list while nothing was said', async (t) => {
    const { app, sha } = await start(t)

    const { status, body, headers } = await app.get(undefined, `${repo}/commits/main/status`)

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body as object), [
      'state',
      'sha',
      'total_count',
      'statuses',
      'repository',
      'commit_url',
      'url',
    ])
    assert.partialDeepStrictEqual(body, {
      state: 'pending',
      sha,
      total_count: 0,
      statuses: null,
      repository: { full_name: 'ann/one', permissions: { admin: false, push: false, pull: true } },
      commit_url: `http://codestead.test/api/v1${repo}/commits/${sha}`,
      url: `http://codestead.test/api/v1${repo}/commits/${sha}/status`,
    })
    assert.equal(headers['x-total-count'], '0')
  })

  test('comes from the last status of each context, those beyond the page too', async (t) => {
    const { app, post } = await start(t)
    await post({ state: 'failure', context: 'test' })
    await post({ state: 'pending', context: 'build' })
    await post({ state: 'success', context: 'build' })

    const path = `${repo}/commits/main/status`
    const { body } = await app.get(undefined, `${path}?limit=1`)
    assert.partialDeepStrictEqual(body, { state: 'failure', total_count: 2, statuses: [{ id: 3 }] })
    assert.equal(body.statuses.length, 1)
    assert.deepEqual((await app.get(undefined, `${path}?limit=1&page=3`)).body.statuses, [])
    await post({ state: 'success', context: 'test' })
    assert.partialDeepStrictEqual((await app.get(undefined, path)).body, {
      state: 'success',
      total_count: 2,
      statuses: [{ id: 4 }, { id: 3 }],
    })
  })

  test('knows no ref that is not there, nor any in an empty repository', async (t) => {
    const { app, ann } = await start(t)
    assertStatus(await app.post(ann, '/user/repos', { name: 'empty' }), 201)

    assertError(await app.get(ann, `${repo}/commits/missing/status`), 404)
    assertError(await app.get(ann, '/repos/ann/empty/commits/main/status'), 404)
  })
})
