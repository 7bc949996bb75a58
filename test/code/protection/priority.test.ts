import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { administratorsOnly, protectBranch, repo, start, type Setup } from './setup.ts'

const rules = `${repo}/branch_protections`
const priority = `${rules}/priority`

/** The contract shows no ids. */
async function idsOf({ app }: Setup): Promise<Readonly<Record<string, number>>> {
  const rows = await app.ctx.db.selectFrom('branch_protection').select(['id', 'name']).execute()
  return Object.fromEntries(rows.map(({ id, name }) => [name, id]))
}

async function namesIn({ app, ann }: Setup, path = rules): Promise<readonly string[]> {
  const { body } = await app.get(ann, path)
  return body.map(
    (rule: Record<string, unknown>) => `${String(rule['rule_name'])} ${String(rule['priority'])}`,
  )
}

async function withRules(t: Parameters<typeof start>[0]) {
  const setup = await start(t)
  for (const name of ['a*', 'b*', '*']) {
    await protectBranch(setup, { rule_name: name, enable_push: name === '*' })
  }
  return { setup, ids: await idsOf(setup) }
}

suite('POST /repos/{owner}/{repo}/branch_protections/priority', () => {
  test('orders the rules, and the first one that matches is asked', async (t) => {
    const { setup, ids } = await withRules(t)
    const { app, ann, bob } = setup
    const file = (branch: string, path: string) =>
      app.post(bob, `${repo}/contents/${path}`, { content: '', branch: 'main', new_branch: branch })
    assertError(await file('apple', 'one'), 403)
    app.passTime(10)

    const answer = await app.post(ann, priority, { ids: [ids['*'], ids['a*'], ids['b*']] })

    assertStatus(answer, 204)
    assert.equal(answer.text, '')
    assert.deepEqual(await namesIn(setup), ['* 1', 'a* 2', 'b* 3'])
    assertStatus(await file('apple', 'one'), 201)
    const { created_at, updated_at } = (await app.get(ann, `${rules}/a*`)).body
    assert.notEqual(updated_at, created_at)
  })

  test('leaves alone whatever is not named, and what is elsewhere', async (t) => {
    const { setup, ids } = await withRules(t)
    const { app, ann } = setup
    await app.post(ann, '/user/repos', { name: 'two' })
    const elsewhere = '/repos/ann/two/branch_protections'
    assertStatus(await app.post(ann, elsewhere, { rule_name: 'far', priority: 9 }), 201)
    const { far } = await idsOf(setup)

    for (const body of [{}, { ids: [] }, { ids: null }, { ids: [far, 0, -1, 2 ** 53] }]) {
      assertStatus(await app.post(ann, priority, body), 204)
      assert.deepEqual(await namesIn(setup), ['a* 1', 'b* 2', '* 3'])
    }
    assertStatus(await app.post(ann, priority, { ids: [far, ids['b*'], far, far, ids['a*']] }), 204)
    assert.deepEqual(await namesIn(setup), ['b* 2', '* 3', 'a* 5'])
    assert.deepEqual(await namesIn(setup, elsewhere), ['far 9'])
  })

  test('is for administrators of a repository that is no archive', async (t) => {
    const { setup, ids } = await withRules(t)
    const { app, ann, bob, cleo } = setup
    const body = { ids: [ids['*']] }
    const reading = await app.withToken(ann.account, ['read:repository'])
    const outside = await app.withToken(ann.account, ['public-only', 'all'])

    assertError(await app.post(undefined, priority, body), 401)
    assertError(await app.post(cleo, priority, body), 403, administratorsOnly)
    assertError(await app.post(bob, priority, body), 403, administratorsOnly)
    assertError(await app.post(reading, priority, body), 403, /scope/)
    assertError(await app.post(ann, '/repos/ann/none/branch_protections/priority', body), 404)
    for (const bad of ['1', ['1'], [1.5], {}]) {
      assertError(await app.post(ann, priority, { ids: bad }), 422)
    }
    assert.deepEqual(await namesIn(setup), ['a* 1', 'b* 2', '* 3'])
    assertStatus(await app.post(outside, priority, body), 204)
    await app.patch(ann, repo, { private: true })
    assertError(await app.post(outside, priority, body), 404)
    assertError(await app.post(cleo, priority, body), 404)
    await app.patch(ann, repo, { archived: true })
    assertError(await app.post(ann, priority, body), 423)
  })
})
