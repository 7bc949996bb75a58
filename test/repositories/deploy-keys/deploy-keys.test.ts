import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { ed25519Key } from '../../identity/keys/support.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const keys = '/repos/ann/one/keys'

/** ann with the repository `one`. */
async function start(t: TestContext): Promise<{ app: TestApp; ann: TestCaller }> {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  await addRepository(app, ann, 'one')
  return { app, ann }
}

async function addRepository(app: TestApp, owner: TestCaller, name: string): Promise<void> {
  assertStatus(await app.post(owner, '/user/repos', { name }), 201)
}

async function addKey(app: TestApp, who: TestCaller, fields: object = {}, path = keys) {
  const answer = await app.post(who, path, { title: 'deploy', key: ed25519Key(), ...fields })
  assertStatus(answer, 201)
  return answer.body
}

async function titles(app: TestApp, who: TestCaller, path = keys): Promise<string[]> {
  const answer = await app.get(who, path)
  assertStatus(answer, 200)
  return (answer.body as { title: string }[]).map(({ title }) => title)
}

suite('POST /repos/{owner}/{repo}/keys', () => {
  test('adds a key and shows it without its repository', async (t) => {
    const { app, ann } = await start(t)
    const key = ed25519Key('robot@ci')

    const { status, body } = await app.post(ann, keys, { title: 'deploy', key, read_only: true })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body as object), [
      'id',
      'key_id',
      'key',
      'url',
      'title',
      'fingerprint',
      'created_at',
      'read_only',
    ])
    assert.partialDeepStrictEqual(body, {
      key,
      url: `http://codestead.test/api/v1${keys}/${body.id}`,
      title: 'deploy',
      read_only: true,
    })
    assert.match(body.fingerprint as string, /^SHA256:/)
  })

  test('lets a key write unless it is told to read only', async (t) => {
    const { app, ann } = await start(t)

    assert.equal((await addKey(app, ann)).read_only, false)
  })

  test('takes a key for several repositories, under one key_id that outlasts its first use', async (t) => {
    const { app, ann } = await start(t)
    await addRepository(app, ann, 'two')
    await addRepository(app, ann, 'three')
    const key = ed25519Key()
    const other = await addKey(app, ann, { title: 'other' })

    const first = await addKey(app, ann, { key })
    const second = await addKey(app, ann, { key: `${key} comment` }, '/repos/ann/two/keys')
    assertStatus(await app.delete(ann, `${keys}/${first.id}`), 204)
    const third = await addKey(app, ann, { key }, '/repos/ann/three/keys')

    assert.notEqual(second.id, first.id)
    assert.notEqual(first.key_id, other.key_id)
    assert.deepEqual([second.key_id, third.key_id], [first.key_id, first.key_id])
  })

  test('refuses a key that the repository has, whatever its comment', async (t) => {
    const { app, ann } = await start(t)
    const key = ed25519Key()
    await addKey(app, ann, { key })

    const answer = await app.post(ann, keys, { title: 'other', key: `${key} comment` })

    assertError(answer, 422, 'This key has already been added to this repository')
  })

  test('refuses a title that the repository has, not one of another repository', async (t) => {
    const { app, ann } = await start(t)
    await addRepository(app, ann, 'two')
    await addKey(app, ann)

    const answer = await app.post(ann, keys, { title: 'deploy', key: ed25519Key() })

    assertError(answer, 422, 'A key with the same name already exists')
    await addKey(app, ann, {}, '/repos/ann/two/keys')
  })

  test('refuses the key of a person, and a person a deploy key', async (t) => {
    const { app, ann } = await start(t)
    const own = ed25519Key()
    const deployed = ed25519Key()
    assertStatus(await app.post(ann, '/user/keys', { title: 'laptop', key: own }), 201)
    await addKey(app, ann, { key: deployed })

    const asDeployKey = await app.post(ann, keys, { title: 'laptop', key: own })
    const asPerson = await app.post(ann, '/user/keys', { title: 'robot', key: deployed })

    assertError(asDeployKey, 422, 'Key content has been used as non-deploy key')
    assertError(asPerson, 422, 'Key content has been used as a deploy key')
  })

  test('gives a key to a person or to a repository, when both want it at once', async (t) => {
    const { app, ann } = await start(t)

    for (let round = 0; round < 5; round++) {
      const key = ed25519Key()
      const answers = await Promise.all([
        app.post(ann, '/user/keys', { title: `laptop ${round}`, key }),
        app.post(ann, keys, { title: `robot ${round}`, key }),
      ])

      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [201, 422],
      )
    }
  })

  test('takes one of many equal keys at once', async (t) => {
    const { app, ann } = await start(t)
    const key = ed25519Key()
    const wanted = ['a', 'b', 'c', 'd', 'e'].map((title) => app.post(ann, keys, { title, key }))

    const statuses = (await Promise.all(wanted)).map(({ status }) => status).sort((a, b) => a - b)

    assert.deepEqual(statuses, [201, 422, 422, 422, 422])
  })

  test('refuses bad bodies', async (t) => {
    const { app, ann } = await start(t)
    const key = ed25519Key()

    const cases: [unknown, string | RegExp][] = [
      [{ key }, '[Title]: Required'],
      [{ title: 'x' }, '[Key]: Required'],
      [{ title: 'x'.repeat(256), key }, '[Title]: MaxSize'],
      [{ title: 'x', key: 'ssh-ed25519 nonsense' }, /^Invalid key content: /],
      [{ title: 'x', key: `${key}\n${ed25519Key()}` }, /^Invalid key content: /],
      [{ title: 'x', key, read_only: 'yes' }, /^\[\]: /],
    ]
    for (const [body, message] of cases) assertError(await app.post(ann, keys, body), 422, message)
    assert.deepEqual(await titles(app, ann), [])
  })
})

suite('GET /repos/{owner}/{repo}/keys', () => {
  test('lists the keys of this repository with the repository as the key opens it', async (t) => {
    const { app, ann } = await start(t)
    await addRepository(app, ann, 'two')
    await addKey(app, ann, { title: 'reads', read_only: true })
    await addKey(app, ann, { title: 'writes' })
    await addKey(app, ann, { title: 'elsewhere' }, '/repos/ann/two/keys')

    const { status, body, headers } = await app.get(ann, keys)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, [
      { title: 'reads', repository: { permissions: { admin: false, push: false, pull: true } } },
      { title: 'writes', repository: { permissions: { admin: false, push: true, pull: true } } },
    ])
    assert.equal(body.length, 2)
    assert.equal(headers['x-total-count'], '2')
    assert.equal(headers['link'], undefined)
  })

  test('finds a key by its fingerprint or its key_id, and pages', async (t) => {
    const { app, ann } = await start(t)
    const first = await addKey(app, ann, { title: 'first' })
    const second = await addKey(app, ann, { title: 'second' })

    const fingerprint = encodeURIComponent(second.fingerprint as string)
    assert.deepEqual(await titles(app, ann, `${keys}?fingerprint=${fingerprint}`), ['second'])
    assert.deepEqual(await titles(app, ann, `${keys}?key_id=${first.key_id}`), ['first'])
    assert.deepEqual(await titles(app, ann, `${keys}?limit=1&page=2`), ['second'])
    assert.deepEqual(await titles(app, ann, `${keys}?limit=1&page=3`), [])
  })
})

suite('GET /repos/{owner}/{repo}/keys/{id}', () => {
  test('shows a key of this repository only', async (t) => {
    const { app, ann } = await start(t)
    await addRepository(app, ann, 'two')
    const { id, key_id, fingerprint } = await addKey(app, ann)

    const { status, body } = await app.get(ann, `${keys}/${id}`)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      id,
      key_id,
      fingerprint,
      repository: { full_name: 'ann/one' },
    })
    for (const path of [`/repos/ann/two/keys/${id}`, `${keys}/999`, `${keys}/nonsense`]) {
      assertError(await app.get(ann, path), 404, 'not found')
    }
  })
})

suite('DELETE /repos/{owner}/{repo}/keys/{id}', () => {
  test('deletes a key of this repository only, and says the same of one that is not there', async (t) => {
    const { app, ann } = await start(t)
    await addRepository(app, ann, 'two')
    const { id } = await addKey(app, ann)

    assertStatus(await app.delete(ann, `/repos/ann/two/keys/${id}`), 204)
    assert.deepEqual(await titles(app, ann), ['deploy'])
    assertStatus(await app.delete(ann, `${keys}/${id}`), 204)
    assertStatus(await app.delete(ann, `${keys}/${id}`), 204)
    assert.deepEqual(await titles(app, ann), [])
  })
})

suite('deploy keys', () => {
  test('are for administrators of the repository', async (t) => {
    const { app, ann } = await start(t)
    const bob = await app.addCaller('bob')
    const cleo = await app.addCaller('cleo')
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    await app.put(ann, '/repos/ann/one/collaborators/cleo', { permission: 'admin' })
    const { id } = await addKey(app, ann)

    for (const [method, path] of [
      ['GET', keys],
      ['POST', keys],
      ['GET', `${keys}/${id}`],
      ['DELETE', `${keys}/${id}`],
    ] as const) {
      assertError(await app.send(undefined, method, path), 401, 'token is required')
      assertError(
        await app.send(bob, method, path),
        403,
        'user should be an owner or a collaborator with admin write of a repository',
      )
      assertError(await app.send(bob, method, path.replace('one', 'none')), 404)
    }
    assert.deepEqual(await titles(app, cleo), ['deploy'])
  })

  test('go with their repository', async (t) => {
    const { app, ann } = await start(t)
    const key = ed25519Key()
    await addKey(app, ann, { key })

    assertStatus(await app.delete(ann, '/repos/ann/one'), 204)

    assertStatus(await app.post(ann, '/user/keys', { title: 'laptop', key }), 201)
  })
})
