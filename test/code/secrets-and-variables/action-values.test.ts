import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

async function start(t: TestContext) {
  const app = await startApp(t)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  assertStatus(await app.post(ann, '/user/repos', { name: 'r' }), 201)
  assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
  return { app, ann, bob }
}

const bases = ['/repos/ann/r/actions', '/orgs/acme/actions', '/user/actions']
const badNames = ['1x', 'a-b', 'GITEA_X', 'github_x', 'a b', 'x'.repeat(256)]

suite('secrets for workflows', () => {
  test('are set, listed and deleted, and never shown', async (t) => {
    const { app, ann } = await start(t)

    for (const base of bases) {
      const path = `${base}/secrets`
      const made = await app.put(ann, `${path}/token`, { data: 'hunter2', description: 'mine' })
      const changed = await app.put(ann, `${path}/TOKEN`, { data: 'hunter3' })
      const list = await app.get(ann, path)

      assert.deepEqual([made.status, made.text], [201, ''])
      assert.deepEqual([changed.status, changed.text], [204, ''])
      assert.deepEqual(list.body, [
        { name: 'TOKEN', description: '', created_at: list.body[0].created_at },
      ])
      assert.equal(list.headers['x-total-count'], '1')
      for (const name of badNames) {
        const one = `${path}/${encodeURIComponent(name)}`
        assertError(await app.put(ann, one, { data: 'x' }), 400, 'invalid name')
        assertError(await app.delete(ann, one), 400, 'invalid name')
      }
      for (const body of [{}, { data: '' }, { data: null }]) {
        assertError(await app.put(ann, `${path}/1x`, body), 422, '[Data]: Required')
      }
      assertError(await app.put(ann, `${path}/a`, { data: 1 }), 422, /^\[\]: /)
      assertError(
        await app.put(ann, `${path}/a`, { data: 'x'.repeat(65_537) }),
        422,
        '[Data]: MaxSize',
      )
      assertStatus(await app.delete(ann, `${path}/Token`), 204)
      assertError(await app.delete(ann, `${path}/token`), 404)
      assert.deepEqual((await app.get(ann, path)).body, [])
    }
  })

  test('are kept encrypted, each once, and go with their owner', async (t) => {
    const { app, ann } = await start(t)
    const path = '/repos/ann/r/actions/secrets/a'

    const answers = await Promise.all(
      ['x', 'y', 'z'].map((data) => app.put(ann, path, { data: `hunter-${data}` })),
    )
    const kept = await app.ctx.db.selectFrom('action_value').selectAll().execute()
    await app.delete(ann, '/repos/ann/r')

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 204, 204],
    )
    assert.equal(kept.length, 1)
    assert.ok(!JSON.stringify(kept).includes('hunter'))
    assert.deepEqual(await app.ctx.db.selectFrom('action_value').selectAll().execute(), [])
  })
})

suite('variables for workflows', () => {
  test('are created, read, renamed and deleted', async (t) => {
    const { app, ann } = await start(t)
    const { body: repo } = await app.get(ann, '/repos/ann/r')
    const { body: org } = await app.get(ann, '/orgs/acme')
    const owners = [
      { owner_id: 0, repo_id: repo.id },
      { owner_id: org.id, repo_id: 0 },
      { owner_id: ann.id, repo_id: 0 },
    ]

    for (const [index, base] of bases.entries()) {
      const path = `${base}/variables`
      const made = await app.post(ann, `${path}/level`, { value: 'high', description: 'how' })
      assertStatus(await app.post(ann, `${path}/other`, { value: 'x' }), 201)
      const read = await app.get(ann, `${path}/Level`)

      assert.deepEqual([made.status, made.text], [201, ''])
      assert.deepEqual(read.body, {
        ...owners[index],
        name: 'LEVEL',
        data: 'high',
        description: 'how',
      })
      const names = (await app.get(ann, path)).body.map(({ name }: { name: string }) => name)
      assert.deepEqual(names, ['LEVEL', 'OTHER'])
      assert.equal((await app.get(ann, `${path}?limit=1&page=2`)).body[0].name, 'OTHER')
      assertError(await app.post(ann, `${path}/LEVEL`, { value: 'x' }), 409)
      assertError(await app.post(ann, `${path}/x`, {}), 422, '[Value]: Required')
      for (const name of badNames) {
        const one = `${path}/${encodeURIComponent(name)}`
        assertError(await app.post(ann, one, { value: 'x' }), 400, 'invalid name')
        assertError(await app.delete(ann, one), 400, 'invalid name')
        assertError(await app.get(ann, one), 404)
      }
      assertError(await app.put(ann, `${path}/none`, { value: '' }), 422, '[Value]: Required')
      assertError(await app.put(ann, `${path}/level`, { value: 'x', name: 'other' }), 409)
      assertError(await app.put(ann, `${path}/level`, { value: 'x', name: '1x' }), 400)
      assertError(await app.put(ann, `${path}/none`, { value: 'x' }), 404)
      assertStatus(await app.put(ann, `${path}/level`, { value: 'low' }), 204)
      assertStatus(await app.put(ann, `${path}/level`, { value: 'low', name: 'depth' }), 204)
      const renamed = await app.get(ann, `${path}/depth`)
      assert.partialDeepStrictEqual(renamed.body, {
        name: 'DEPTH',
        data: 'low',
        description: 'how',
      })
      assertError(await app.get(ann, `${path}/level`), 404)
      assertStatus(await app.delete(ann, `${path}/depth`), 204)
      assertError(await app.delete(ann, `${path}/depth`), 404)
    }
  })

  test('are for owners', async (t) => {
    const { app, ann, bob } = await start(t)
    await app.put(ann, '/repos/ann/r/collaborators/bob', { permission: 'admin' })

    for (const kind of ['secrets', 'variables']) {
      assertError(await app.get(bob, `/repos/ann/r/actions/${kind}`), 403, /owner of the repo/)
      assertError(await app.get(bob, `/orgs/acme/actions/${kind}`), 403)
      assertError(await app.put(bob, `/repos/ann/r/actions/${kind}/x`, {}), 403)
      for (const base of bases) {
        assertError(await app.get(undefined, `${base}/${kind}`), 401, 'token is required')
      }
      assertError(await app.get(ann, `/repos/ann/none/actions/${kind}`), 404)
      assertError(await app.get(ann, `/orgs/none/actions/${kind}`), 404)
      assert.deepEqual((await app.get(bob, `/user/actions/${kind}`)).body, [])
    }
  })
})
