import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { startGitHost } from '../git/support.ts'
import { startApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { doMeanwhile } from '../support/meanwhile.ts'

const one = '/repos/ann/one'

suite('a database that fails when git has moved refs', () => {
  test('has them go back', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
    const content = Buffer.from('hello').toString('base64')
    const wiki = { title: 'Home', content_base64: content }
    const changes: (() => Promise<{ readonly status: number }>)[] = [
      () => app.post(ann, `${one}/contents/file`, { content }),
      () => app.post(ann, `${one}/branches`, { new_branch_name: 'new' }),
      () => app.patch(ann, `${one}/branches/main`, { name: 'trunk' }),
      () => app.post(ann, `${one}/tags`, { tag_name: 'v1' }),
      () => app.delete(ann, `${one}/tags/v1`),
      () => app.delete(ann, `${one}/branches/new`),
      () => app.post(ann, `${one}/wiki/new`, wiki),
    ]
    const full = async () => {
      throw Object.assign(new Error('it is full'), { code: 'ENOSPC' })
    }

    for (const change of changes) {
      assert.equal((await doMeanwhile(t, app, change, full)).status, 507)
      assert.ok([200, 201, 204].includes((await change()).status))
    }

    const { body } = await app.get(ann, one)
    assert.partialDeepStrictEqual(body, { default_branch: 'trunk', branch_count: 1 })
  })
  test('has a job mend the record where they cannot go back', async (t) => {
    const host = await startGitHost(t)
    const { app } = host
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    const lock = join(await host.folderOf('ann/one'), 'refs', 'heads', 'main.lock')
    const full = async () => {
      writeFileSync(lock, '')
      throw Object.assign(new Error('it is full'), { code: 'ENOSPC' })
    }

    const change = () => app.post(ann, `${one}/contents/file`, { content: '' })
    assertStatus(await doMeanwhile(t, app, change, full), 507)
    assert.equal((await app.get(ann, one)).body.empty, true)
    app.passTime(301)
    await app.ctx.jobs.runDue()

    assert.partialDeepStrictEqual((await app.get(ann, one)).body, { empty: false, branch_count: 1 })
  })
})
