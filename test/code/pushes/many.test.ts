import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startGitHost } from '../../platform/git/support.ts'
import { assertStatus } from '../../support/expect.ts'

const MIB = 1024 * 1024

async function start(t: TestContext) {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one' })
  const work = await host.client.makeRepository()
  const push = (...refs: readonly string[]) =>
    host.client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), ...refs], work)
  await push('main')
  /** So many commits, one on the other, with this message. */
  const commitOften = async (times: number, message: string) => {
    writeFileSync(join(host.client.home, 'message'), message)
    for (let count = 0; count < times; count++) {
      const file = join(host.client.home, 'message')
      await host.client.git(['commit', '--quiet', '--allow-empty', '-F', file], work)
    }
  }
  return { host, ann, work, push, commitOften }
}

suite('one push', () => {
  test('makes no more than a thousand entries of issues that its commits name', async (t) => {
    const { host, ann, push, commitOften } = await start(t)
    const numbers = Array.from({ length: 50 }, (_, at) => at + 1)
    for (const number of numbers) {
      assertStatus(await host.app.post(ann, '/repos/ann/one/issues', { title: `${number}` }), 201)
    }
    await commitOften(25, `about ${numbers.map((number) => `#${number}`).join(' ')}`)

    await push('main')
    await host.app.ctx.jobs.runDue()

    const { count } = await host.app.ctx.db
      .selectFrom('comment')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('kind', '=', 'commit_ref')
      .executeTakeFirstOrThrow()
    assert.equal(count, 1000)
    const { body } = await host.app.get(ann, '/repos/ann/one/issues/50/timeline')
    assert.equal(body.length, 20)
  })

  test('of many branches tells a mebibyte of commits in feeds, and of all branches', async (t) => {
    const { host, ann, push, commitOften } = await start(t)
    await commitOften(4, `much\n\n${'words '.repeat(10_000)}`)
    const branches = Array.from({ length: 40 }, (_, at) => `main:refs/heads/b${at}`)

    await push(...branches)

    const told = await host.app.ctx.db
      .selectFrom('activity')
      .select(['ref_name as ref', 'content'])
      .where('content', '<>', '')
      .where('ref_name', 'like', 'refs/heads/b%')
      .execute()
    assert.equal(told.length, 40)
    const lengths = told.map(({ content }) => content.length)
    assert.ok(lengths.reduce((sum, length) => sum + length, 0) < 1.1 * MIB)
    assert.ok(told.some(({ content }) => JSON.parse(content).HeadCommit !== null))
    assertStatus(await host.app.get(ann, '/repos/ann/one/activities/feeds?limit=50'), 200)
  })
})
