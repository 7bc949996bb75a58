import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { column, issues, repo, withTracker } from '../issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const labels = `${issues}/1/labels`

suite('/repos/{owner}/{repo}/issues/{index}/labels', () => {
  test('are added, replaced and taken off by ids or by names', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    const ids: number[] = []
    for (const name of ['one', 'two', 'three']) {
      ids.push((await app.post(ann, `${repo}/labels`, { name, color: 'fff' })).body.id)
    }
    await open(ann, { title: 'x' })
    await open(ann, { title: 'other', labels: ids })
    const named = async (method: 'POST' | 'PUT', given: unknown[]) => {
      const answer = await app.send(cat, method, labels, { labels: given })
      assertStatus(answer, 200)
      return column(answer, 'name')
    }

    const many = Array.from({ length: 40_000 }, (_, at) => 1_000_000 + at)
    assert.deepEqual(await named('POST', many), [])
    assert.deepEqual(await named('POST', [ids[1]]), ['two'])
    assert.deepEqual(await named('POST', ['one', 'two', 'unknown']), ['one', 'two'])
    assert.deepEqual(await named('POST', []), ['one', 'two'])
    assert.deepEqual(await named('PUT', [ids[2], 999_999]), ['three'])
    assert.deepEqual(await named('PUT', ['one', 'three']), ['one', 'three'])
    assert.deepEqual(column(await app.get(undefined, labels), 'name'), ['one', 'three'])
    for (const _ of [1, 2]) assertStatus(await app.delete(cat, `${labels}/${ids[0]}`), 204)
    assert.deepEqual(column(await app.get(undefined, labels), 'name'), ['three'])
    assertError(await app.delete(cat, `${labels}/999999`), 404)
    assertStatus(await app.delete(cat, labels), 204)
    assert.deepEqual((await app.get(undefined, labels)).body, [])
    const ofOther = await app.get(undefined, `${issues}/2/labels`)
    assert.deepEqual(column(ofOther, 'name'), ['one', 'three', 'two'])
    // What changes nothing is no change of the issue, and is told nowhere.
    const changes = async () => {
      const told = column(await app.get(ann, `${issues}/2/timeline`), 'type').length
      return [(await app.get(ann, `${issues}/2`)).body.updated_at as string, told]
    }
    const before = await changes()
    app.passTime(60)
    const add = (given: unknown[]) => app.post(cat, `${issues}/2/labels`, { labels: given })
    assertStatus(await add(['one', 'two']), 200)
    assert.deepEqual(await changes(), before)
    assertStatus(await app.delete(cat, `${issues}/2/labels/${ids[0]}`), 204)
    const [updatedAt, told] = await changes()
    assert.ok(String(updatedAt) > String(before[0]))
    assert.equal(told, Number(before[1]) + 1)
  })

  test('are refused, in order: nobody, a body, an issue, a right, a mixture', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const { id } = (await app.post(ann, `${repo}/labels`, { name: 'one', color: 'fff' })).body
    await open(bob, { title: 'x' })
    const mixed = { labels: ['one', id] }

    for (const method of ['POST', 'PUT'] as const) {
      assertError(await app.send(undefined, method, labels, {}), 401)
      assertError(await app.send(bob, method, labels, { labels: 'x' }), 422)
      assertError(await app.send(ann, method, `${issues}/9/labels`, mixed), 404)
      assertError(await app.send(bob, method, labels, mixed), 403, 'write permission is required')
      const message = 'labels should be an array of strings or integers'
      for (const given of [mixed, { labels: [true] }, { labels: [1.5] }, { labels: [null] }]) {
        assertError(await app.send(ann, method, labels, given), 400, message)
      }
    }
    assertError(await app.delete(bob, labels), 403)
    assertError(await app.delete(bob, `${labels}/${id}`), 403)
    assertError(await app.delete(undefined, labels), 401)
    assertError(await app.get(ann, `${issues}/9/labels`), 404)
  })

  test('of one exclusive scope replace each other', async (t) => {
    const { app, ann, open } = await withTracker(t)
    for (const name of ['p/low', 'p/high', 'q/low']) {
      await app.post(ann, `${repo}/labels`, { name, color: 'fff', exclusive: true })
    }
    await app.post(ann, `${repo}/labels`, { name: 'p/free', color: 'fff' })
    await open(ann, { title: 'x' })
    const add = async (...given: string[]) =>
      column(await app.post(ann, labels, { labels: given }), 'name')

    assert.deepEqual(await add('p/low', 'q/low', 'p/free'), ['p/free', 'p/low', 'q/low'])
    assert.deepEqual(await add('p/high'), ['p/free', 'p/high', 'q/low'])
    assert.deepEqual(await add('p/high', 'p/low'), ['p/free', 'p/low', 'q/low'])
  })

  test('may be of the organization that owns the repository, and of no other', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    for (const username of ['acme', 'other']) await app.post(ann, '/orgs', { username })
    const label = { name: 'all', color: 'fff' }
    const own = (await app.post(ann, '/orgs/acme/labels', label)).body
    const foreign = (await app.post(ann, '/orgs/other/labels', { ...label, name: 'theirs' })).body
    await app.post(ann, '/orgs/acme/repos', { name: 'r' })
    const path = '/repos/acme/r/issues'

    const issue = await open(ann, { title: 'x', labels: [own.id, foreign.id] }, path)

    assert.deepEqual(issue.labels, [own])
    assert.deepEqual((await app.get(bob, `${path}?labels=all`)).body.length, 1)
    assertError(await app.delete(ann, `${path}/1/labels/${foreign.id}`), 404)
    const added = await app.post(ann, `${path}/1/labels`, { labels: ['theirs'] })
    assert.deepEqual(column(added, 'name'), ['all'])
    assertStatus(await app.post(ann, '/repos/acme/r/transfer', { new_owner: 'other' }), 202)
    assert.deepEqual((await app.get(bob, '/repos/other/r/issues/1')).body.labels, [])
  })

  test('are counted where labels are listed by their issues, and go with the label', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const ids: number[] = []
    for (const name of ['none', 'some', 'many']) {
      ids.push((await app.post(ann, `${repo}/labels`, { name, color: 'fff' })).body.id)
    }
    await open(ann, { title: 'x', labels: [ids[1], ids[2]] })
    await open(ann, { title: 'y', labels: [ids[2]] })
    const sorted = async (sort: string) =>
      column(await app.get(undefined, `${repo}/labels?sort=${sort}`), 'name')

    assert.deepEqual(await sorted('mostissues'), ['many', 'some', 'none'])
    assert.deepEqual(await sorted('leastissues'), ['none', 'some', 'many'])
    assert.deepEqual(await sorted('constructor'), ['many', 'none', 'some'])
    await app.delete(ann, `${repo}/labels/${ids[2]}`)
    assert.deepEqual(column(await app.get(undefined, labels), 'name'), ['some'])
  })
})
