import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startGitHost } from '../../platform/git/support.ts'
import { assertStatus } from '../../support/expect.ts'

async function start(t: TestContext, activity: NonNullable<ConfigChanges['activity']>) {
  const host = await startGitHost(t, { activity })
  const { app, client } = host
  const ann = await app.addCaller('ann')
  const work = await client.makeRepository()
  const create = async (name: string) => {
    assertStatus(await app.post(ann, '/user/repos', { name }), 201)
    await app.ctx.jobs.runDue()
  }
  /** Pushes the commit to so many new branches, each of which has two entries in the feed. */
  const pushBranches = async (name: string, prefix: string, count: number) => {
    const refs = Array.from({ length: count }, (_, at) => `HEAD:refs/heads/${prefix}${at}`)
    await client.git(['push', '--quiet', host.urlFor('ann', `ann/${name}.git`), ...refs], work)
    await app.ctx.jobs.runDue()
  }
  const commit = async (message: string) => {
    const file = join(client.home, 'message')
    writeFileSync(file, message)
    await client.git(['commit', '--quiet', '--allow-empty', '-F', file], work)
  }
  const entries = async () =>
    app.ctx.db.selectFrom('activity').select(['id', 'ref_name', 'content']).orderBy('id').execute()
  return { app, ann, create, pushBranches, commit, entries }
}

const totalOf = async ({ app, ann }: Awaited<ReturnType<typeof start>>, path: string) =>
  Number((await app.get(ann, path)).headers['x-total-count'])

suite('the activity feed', () => {
  test('of a repository keeps the newest entries', async (t) => {
    const setup = await start(t, { max_entries: 100 })
    const { create, pushBranches, entries } = setup
    await create('one')
    await pushBranches('one', 'a', 40)
    assert.equal((await entries()).length, 81)

    await pushBranches('one', 'b', 40)

    const kept = await entries()
    assert.ok(kept.length <= 100 && kept.length >= 80, String(kept.length))
    const refs = new Set(kept.map(({ ref_name }) => ref_name))
    for (let at = 0; at < 40; at++) assert.ok(refs.has(`refs/heads/b${at}`), String(at))
    assert.equal(await totalOf(setup, '/repos/ann/one/activities/feeds'), kept.length)
  })

  test('of a repository has an end to its size', async (t) => {
    const { create, pushBranches, commit, entries } = await start(t, { max_room: '1MiB' })
    await create('one')
    for (let at = 0; at < 6; at++) {
      await commit(`number ${at}\n\n${'words '.repeat(10_000)}`)
      await pushBranches('one', `b${at}-`, 2)
    }

    const kept = await entries()
    const room = kept.reduce((sum, { content }) => sum + content.length, 0)
    assert.ok(room <= 1024 * 1024, String(room))
    assert.ok(room >= 512 * 1024, String(room))
    assert.equal(kept.at(-1)?.ref_name, 'refs/heads/b5-1')
  })

  test('of all repositories of an owner has an end, too', async (t) => {
    const { create, pushBranches, entries } = await start(t, { max_entries: 100 })
    for (let at = 0; at < 6; at++) {
      await create(`r${at}`)
      await pushBranches(`r${at}`, 'a', 45)
    }

    const kept = await entries()
    assert.ok(kept.length <= 400 && kept.length >= 330, String(kept.length))
  })
})
