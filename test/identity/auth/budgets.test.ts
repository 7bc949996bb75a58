import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

function assertSpent(answer: TestAnswer): void {
  assertError(answer, 429, 'too many requests')
  const wait = Number(answer.headers['retry-after'])
  assert.ok(wait > 3500 && wait <= 3600, `${wait}`)
}

suite('budgets', () => {
  test('are spent by what an account does in an hour, and then 429 with the time to wait', async (t) => {
    const app = await startApp(t, { budgets: { creations: 3, forks: 1, stars: 2 } })
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const root = await app.addAdmin()
    let count = 0
    const create = (who = ann) => app.post(who, '/user/repos', { name: `r${++count}` })
    const fork = (of: string, who = bob) => app.post(who, `/repos/ann/${of}/forks`, {})
    const star = (of: string) => app.put(bob, `/user/starred/ann/${of}`)

    // Also when they come at once.
    const made = await Promise.all([create(), create(), create(), create(), create()])
    assert.deepEqual(
      made.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 201, 201, 429, 429],
    )
    const [one = '', two = '', three = ''] = made.flatMap(({ body }) => (body.name as string) ?? [])
    assertSpent(await create())
    assertStatus(await fork(one), 202)
    assertSpent(await fork(two))
    for (const name of [one, two]) assertStatus(await star(name), 204)
    assertSpent(await star(three))

    // Each has its own, and of each kind.
    assertStatus(await create(bob), 201)
    for (let turn = 0; turn < 4; turn++) assertStatus(await create(root), 201)
    app.passTime(1800)
    await app.ctx.signInLimits.forgetOld()
    assertError(await create(), 429)
    app.passTime(1800)
    assertStatus(await create(), 201)
    assertStatus(await fork(two), 202)
    assertStatus(await star(three), 204)
  })
})
