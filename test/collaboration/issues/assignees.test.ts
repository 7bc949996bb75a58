import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { column, issues, repo, withTracker } from './setup.ts'

const names = ({ body }: TestAnswer): string[] =>
  ((body.assignees ?? []) as { login: string }[]).map(({ login }) => login)

const assignees = `${issues}/1/assignees`

suite('/repos/{owner}/{repo}/issues/{index}/assignees', () => {
  test('adds and removes some, and leaves the others', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    const { updated_at: before } = await open(ann, { title: 'x', assignees: ['cat'] })
    app.passTime(10)

    const added = await app.post(cat, assignees, { assignees: ['BOB', 'ann', 'bob', 'cat'] })

    assertStatus(added, 201)
    assert.deepEqual(names(added), ['ann', 'bob', 'cat'])
    assert.equal(added.body.assignee.login, 'ann')
    assert.notEqual(added.body.updated_at, before)
    const removed = await app.delete(ann, assignees, { assignees: ['Cat', 'ann'] })
    assertStatus(removed, 200)
    assert.deepEqual(names(removed), ['bob'])
    // Who is not assigned need not be taken away.
    assert.deepEqual(names(await app.delete(ann, assignees, { assignees: ['ann'] })), ['bob'])
    assertStatus(await app.delete(ann, assignees, { assignees: ['bob'] }), 200)
    assert.equal((await app.get(ann, `${issues}/1`)).body.assignees, null)
    const told = await app.get(ann, `${issues}/1/timeline`)
    assert.deepEqual(
      told.body.map(({ type, assignee, removed_assignee }: Record<string, unknown>) => [
        type,
        (assignee as { login: string }).login,
        removed_assignee,
      ]),
      [
        ['assignees', 'cat', false],
        ['assignees', 'ann', false],
        ['assignees', 'bob', false],
        ['assignees', 'ann', true],
        ['assignees', 'cat', true],
        ['assignees', 'bob', true],
      ],
    )
  })

  test('without names changes nobody', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await open(ann, { title: 'x', assignees: ['cat'] })

    for (const body of [{}, { assignees: [] }, { assignees: null }]) {
      assert.deepEqual(names(await app.post(ann, assignees, body)), ['cat'])
      assert.deepEqual(names(await app.delete(ann, assignees, body)), ['cat'])
    }
    assert.deepEqual(column(await app.get(ann, `${issues}/1/timeline`), 'type'), ['assignees'])
  })

  test('refuses strangers to the server or to a private repository, and assigns nobody then', async (t) => {
    const { app, ann, open } = await withTracker(t, { private: true })
    await open(ann, { title: 'x' })
    await app.post(ann, '/orgs', { username: 'acme' })

    for (const method of ['POST', 'DELETE'] as const) {
      for (const name of ['nobody', 'acme', '']) {
        const answer = await app.send(ann, method, assignees, { assignees: ['cat', name] })
        assertError(answer, 422, /^Assignee does not exist/)
      }
      assertError(await app.send(ann, method, assignees, { assignees: 'cat' }), 422)
      assertError(await app.send(ann, method, assignees, { assignees: [1] }), 422)
    }
    const stranger = await app.post(ann, assignees, { assignees: ['cat', 'bob'] })
    assertError(stranger, 422, "user bob doesn't have access to repo r")
    assertStatus(await app.delete(ann, assignees, { assignees: ['bob'] }), 200)
    assert.equal((await app.get(ann, `${issues}/1`)).body.assignees, null)
  })

  test('is for those who write issues', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await open(bob, { title: 'x' })
    await app.post(ann, '/user/repos', { name: 'secret', private: true })
    await open(ann, { title: 'y' }, '/repos/ann/secret/issues')
    const body = { assignees: ['ann'] }
    const secret = '/repos/ann/secret/issues/1/assignees'
    const reading = await app.withToken(ann.account, ['read:issue'])
    const elsewhere = await app.withToken(ann.account, ['write:repository'])
    const outside = await app.withToken(ann.account, ['public-only', 'all'])

    for (const method of ['POST', 'DELETE'] as const) {
      // Who has opened it writes no issues by that.
      assertError(await app.send(bob, method, assignees, body), 403)
      assertError(await app.send(undefined, method, assignees, body), 401)
      assertError(await app.send(bob, method, secret, body), 404)
      assertError(await app.send(reading, method, assignees, body), 403, /scope/)
      assertError(await app.send(elsewhere, method, assignees, body), 403, /scope/)
      assertError(await app.send(outside, method, secret, body), 404)
      for (const index of [2, 0, 'x']) {
        assertError(await app.send(ann, method, `${issues}/${index}/assignees`, body), 404)
      }
      assertStatus(await app.send(outside, method, assignees, body), method === 'POST' ? 201 : 200)
    }
    await app.patch(ann, repo, { archived: true })
    for (const method of ['POST', 'DELETE'] as const) {
      assertError(await app.send(ann, method, assignees, body), 423)
    }
  })

  test('refuses whom the owner has blocked', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    // Who administers the server writes everywhere, also there.
    const root = await app.addAdmin()
    await app.put(ann, '/user/blocks/root')

    const answer = await app.post(root, assignees, { assignees: ['ann'] })

    assertError(answer, 403, 'user is blocked')
    assert.equal((await app.get(ann, `${issues}/1`)).body.assignees, null)
  })

  test('adds to what others add at the same time', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    await open(ann, { title: 'x' })

    await Promise.all([
      app.post(ann, assignees, { assignees: ['ann'] }),
      app.post(cat, assignees, { assignees: ['bob'] }),
      app.post(cat, assignees, { assignees: ['cat'] }),
    ])

    assert.deepEqual(names(await app.get(ann, `${issues}/1`)), ['ann', 'bob', 'cat'])
  })
})

suite('who can be assigned', () => {
  test('is anybody in a public repository', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.addPerson('shy', { visibility: 'private' })

    for (const who of [ann, bob, undefined]) {
      assertStatus(await app.get(who, `${assignees}/BOB`), 204)
      assertError(await app.get(who, `${assignees}/nobody`), 404)
      assertError(await app.get(who, `${assignees}/acme`), 404)
      assertError(await app.get(who, `${assignees}/shy`), 404)
      assertError(await app.get(who, `${issues}/2/assignees/bob`), 404)
    }
    for (const who of [ann, bob]) {
      assertStatus(await app.get(who, `${repo}/assignees/BOB`), 204)
      assertError(await app.get(who, `${repo}/assignees/nobody`), 404)
      assertError(await app.get(who, `${repo}/assignees/acme`), 404)
    }
    assertError(await app.get(undefined, `${repo}/assignees/bob`), 401)
  })

  test('is whoever can do something in a private one', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t, { private: true })
    await open(ann, { title: 'x' })

    for (const path of [assignees, `${repo}/assignees`]) {
      assertStatus(await app.get(cat, `${path}/ann`), 204)
      assertStatus(await app.get(cat, `${path}/cat`), 204)
      assertError(await app.get(cat, `${path}/bob`), 404)
      assertError(await app.get(bob, `${path}/ann`), 404)
      assertError(await app.get(undefined, `${path}/ann`), 404)
      const outside = await app.withToken(ann.account, ['public-only', 'all'])
      assertError(await app.get(outside, `${path}/ann`), 404)
      const other = await app.withToken(ann.account, ['read:user'])
      assertError(await app.get(other, `${path}/ann`), 403, /scope/)
    }
    const reading = await app.withToken(cat.account, ['read:issue'])
    assertStatus(await app.get(reading, `${assignees}/ann`), 204)
    assertError(await app.get(reading, `${repo}/assignees/ann`), 403, /scope/)
  })
})
