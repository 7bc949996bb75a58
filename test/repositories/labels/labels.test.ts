import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const path = '/repos/ann/r/labels'
const names = ({ body }: TestAnswer) => body.map(({ name }: { name: string }) => name) as string[]

async function withRepository(t: TestContext, options: object = {}) {
  const app = await startApp(t)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  await app.post(ann, '/user/repos', { name: 'r', ...options })
  return { app, ann, bob }
}

suite('/repos/{owner}/{repo}/labels', () => {
  test('are made in one form', async (t) => {
    const { app, ann } = await withRepository(t)

    const { status, body } = await app.post(ann, path, {
      name: 'bug',
      color: '#00AAbb',
      description: 'd',
      exclusive: true,
    })

    assert.equal(status, 201)
    assert.deepEqual(body, {
      id: body.id,
      name: 'bug',
      exclusive: true,
      is_archived: false,
      color: '00aabb',
      description: 'd',
      url: `http://codestead.test/api/v1/repos/ann/r/labels/${body.id}`,
    })
    assert.equal((await app.post(ann, path, { name: 'short', color: 'F0a' })).body.color, 'ff00aa')
    assertError(await app.post(ann, path, { name: 'x', color: 'red' }), 422, 'invalid color: #red')
    assertError(await app.post(ann, path, { color: '000000' }), 422, '[Name]: Required')
    assertError(await app.post(ann, path, { name: 'x' }), 422, '[Color]: Required')
    for (const color of ['#12345g', '12345', '1234567', '##fff', '#ffff'])
      assertError(await app.post(ann, path, { name: 'x', color }), 422, `invalid color: ${color}`)
    const long = { name: 'n'.repeat(255), color: '#fff', description: 'd'.repeat(1000) }
    assert.partialDeepStrictEqual((await app.post(ann, path, long)).body, {
      name: long.name,
      description: long.description,
    })
    const longer = { ...long, name: 'n'.repeat(256) }
    assertError(await app.post(ann, path, longer), 422, '[Name]: MaxSize')
  })

  test('are listed by name, found by id or name, and those of a set are there', async (t) => {
    const { app, ann } = await withRepository(t, { issue_labels: 'Default' })
    await app.patch(ann, '/repos/ann/r', { has_issues: false, has_pull_requests: false })

    const all = await app.get(undefined, path)

    assert.deepEqual(names(all), [
      'bug',
      'duplicate',
      'enhancement',
      'help wanted',
      'invalid',
      'question',
      'wontfix',
    ])
    assert.equal(all.headers['x-total-count'], '7')
    assert.equal(all.headers['link'], undefined)
    assert.deepEqual(
      names(await app.get(undefined, `${path}?sort=reversealphabetically&limit=1`)),
      ['wontfix'],
    )
    assert.equal((await app.get(undefined, `${path}/help%20wanted`)).body.id, all.body[3].id)
    assert.equal((await app.get(undefined, `${path}/${all.body[0].id}`)).body.name, 'bug')
    for (const wrong of ['nothing', '999999', '9'.repeat(25), 'Bug'])
      assertError(await app.get(undefined, `${path}/${wrong}`), 404)
  })

  test('are changed, un-archived by leaving that out, and deleted', async (t) => {
    const { app, ann } = await withRepository(t)
    const { id } = (await app.post(ann, path, { name: 'bug', color: '000000', is_archived: true }))
      .body
    const other = (await app.post(ann, path, { name: 'other', color: '123456' })).body

    assert.partialDeepStrictEqual(
      (await app.patch(ann, `${path}/${id}`, { is_archived: true, color: 'fff' })).body,
      { is_archived: true, color: 'ffffff' },
    )
    assert.partialDeepStrictEqual((await app.patch(ann, `${path}/${id}`, { name: 'bugs' })).body, {
      is_archived: false,
      name: 'bugs',
    })
    assertError(await app.patch(ann, `${path}/${id}`, { color: 'x' }), 422)
    assertError(await app.patch(ann, `${path}/999999`, {}), 404)
    for (const _ of [1, 2]) assertStatus(await app.delete(ann, `${path}/${id}`), 204)
    assert.deepEqual((await app.get(ann, path)).body, [other])
  })

  test('are written by those who write issues or pull requests', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const body = { name: 'x', color: '000000' }

    assertError(await app.post(undefined, path, body), 401)
    assertError(await app.post(bob, path, body), 403)
    const { id } = (await app.post(ann, path, body)).body
    const refusal = 'user should have a permission to write to a repo'
    for (const one of [`${path}/${id}`, `${path}/999999`]) {
      assertError(await app.patch(undefined, one, '{', {}), 401, 'token is required')
      assertError(await app.delete(undefined, one), 401, 'token is required')
      assertError(await app.patch(bob, one, '{', {}), 403, refusal)
      assertError(await app.delete(bob, one), 403, refusal)
    }
    await app.put(ann, '/repos/ann/r/collaborators/bob', { permission: 'write' })
    assertStatus(await app.post(bob, path, body), 201)
    await app.patch(ann, '/repos/ann/r', { archived: true })
    assertStatus(await app.post(bob, path, body), 201)
    assertStatus(await app.patch(bob, `${path}/${id}`, { name: 'y' }), 200)
    assertStatus(await app.delete(bob, `${path}/${id}`), 204)
    const other = await app.withToken(ann.account, ['write:repository'])
    for (const place of [path, '/repos/ann/r/milestones', '/repos/ann/none/labels'])
      assertError(await app.get(other, place), 403, /required=\[read:issue\]/)
  })

  test('are written by teams that write either of the two, and no other unit', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'r' })
    const statuses = []

    for (const unit of ['repo.issues', 'repo.pulls', 'repo.code']) {
      const rights = { permission: 'read', units_map: { [unit]: 'write' } }
      const team = { name: unit, includes_all_repositories: true, ...rights }
      const { body } = await app.post(ann, '/orgs/acme/teams', team)
      const member = `/teams/${body.id}/members/bob`
      assertStatus(await app.put(ann, member), 204)
      const label = { name: unit, color: '#fff' }
      statuses.push((await app.post(bob, '/repos/acme/r/labels', label)).status)
      assertStatus(await app.delete(ann, member), 204)
    }

    assert.deepEqual(statuses, [201, 201, 403])
  })

  test('of another repository are not reached', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const { id } = (await app.post(ann, path, { name: 'x', color: '000000' })).body
    await app.post(bob, '/user/repos', { name: 'r' })

    assertError(await app.get(bob, `/repos/bob/r/labels/${id}`), 404)
    assertError(await app.patch(bob, `/repos/bob/r/labels/${id}`, { name: 'y' }), 404)
    assertStatus(await app.delete(bob, `/repos/bob/r/labels/${id}`), 204)
    assert.deepEqual(names(await app.get(ann, path)), ['x'])
  })
})

suite('/orgs/{org}/labels', () => {
  test('are the owners to write, and shown to who sees the organization', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const labels = '/orgs/acme/labels'

    const made = await app.post(ann, labels, { name: 'x', color: '000000' })

    assert.equal(made.status, 201)
    assert.equal(made.body.url, `http://codestead.test/api/v1${labels}/${made.body.id}`)
    assert.deepEqual(names(await app.get(undefined, labels)), ['x'])
    assertError(await app.get(undefined, `${labels}/${made.body.id}`), 401)
    assertStatus(await app.get(bob, `${labels}/${made.body.id}`), 200)
    assertError(await app.post(bob, labels, { name: 'y', color: '000000' }), 403)
    assertError(await app.patch(bob, `${labels}/${made.body.id}`, {}), 403)
    assert.equal((await app.patch(ann, `${labels}/${made.body.id}`, { name: 'z' })).body.name, 'z')
    await app.post(ann, '/orgs', { username: 'other' })
    const others = '/orgs/other/labels'
    const theirs = (await app.post(ann, others, { name: 'theirs', color: '000000' })).body
    assert.deepEqual((await app.get(ann, others)).body, [theirs])
    const foreign = `${labels}/${theirs.id}`
    assertError(await app.get(ann, foreign), 404)
    assertError(await app.get(ann, `${labels}/theirs`), 404)
    assertError(await app.patch(ann, foreign, { name: 'ours' }), 404)
    assertStatus(await app.delete(ann, foreign), 204)
    assertStatus(await app.delete(ann, `${labels}/${made.body.id}`), 204)
    assert.deepEqual((await app.get(ann, labels)).body, [])
    assert.deepEqual((await app.get(ann, others)).body, [theirs])
  })
})
