import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { examine } from '../../../src/server/doctor/examine.ts'
import { startApp } from '../../support/app.ts'

const remote = {
  address: 'http://example.org/x.git',
  host: 'example.org',
  interval: '8h0m0s',
  interval_seconds: 28_800,
}

suite('admin doctor, about mirrors', () => {
  test('mends mirrors of nothing, remotes of no mirror and waiting in vain', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    const ann = await app.addCaller('ann')
    const ids: number[] = []
    for (const name of ['lost', 'plain', 'good', 'queued']) {
      ids.push((await app.post(ann, '/user/repos', { name })).body.id as number)
    }
    const [lost = 0, plain = 0, good = 0, queued = 0] = ids
    await ctx.db.updateTable('repository').set({ is_mirror: 1 }).where('id', '<>', plain).execute()
    for (const id of [plain, good, queued]) {
      await ctx.db
        .insertInto('mirror')
        .values({ ...remote, repository_id: id, is_queued: 1 })
        .execute()
    }
    await ctx.jobs.enqueue(ctx.db, 'sync_mirror', { repositoryId: queued })
    const push = {
      ...remote,
      repository_id: good,
      remote_name: 'x',
      is_queued: 1,
      created_at: 1,
    } as const
    const { id } = await ctx.db
      .insertInto('push_mirror')
      .values(push)
      .returning('id')
      .executeTakeFirstOrThrow()

    const findings = await examine(ctx.db, ctx.config, ctx.now(), { fix: true })

    const about = findings.filter(({ check }) => check.includes('mirror'))
    assert.deepEqual(
      about.map(({ found }) => found),
      [
        [
          `repository ${lost} is a mirror of nothing`,
          `repository ${plain} is no mirror, but has a remote`,
        ],
        [`the mirror of repository ${good} waits for no job`, `push mirror ${id} waits for no job`],
      ],
    )
    assert.deepEqual(
      about.map(({ left }) => left),
      [[], []],
    )
    const kept = await ctx.db
      .selectFrom('mirror')
      .select(['repository_id', 'is_queued'])
      .orderBy('repository_id')
      .execute()
    assert.deepEqual(
      kept.map(({ repository_id, is_queued }) => [repository_id, is_queued]),
      [
        [good, 0],
        [queued, 1],
      ],
    )
  })
})
