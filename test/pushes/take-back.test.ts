import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
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
})
