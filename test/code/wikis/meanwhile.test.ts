import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { foldersOf } from '../mirrors/support.ts'
import { startApp } from '../../support/app.ts'
import { atOnce } from '../../support/at-once.ts'
import { assertStatus } from '../../support/expect.ts'

suite('the first page of a wiki', () => {
  test('is not made when the repository is deleted at the same moment, and leaves no folder', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const prepare = async (round: number) => {
      assertStatus(await app.post(ann, '/user/repos', { name: `r${round}` }), 201)
      return `/repos/ann/r${round}`
    }
    const write = (path: string) =>
      app.post(ann, `${path}/wiki/new`, { title: 'Home', content_base64: 'eA==' })
    const remove = async (path: string) => {
      const answer = await app.delete(ann, path)
      await app.ctx.jobs.runDue()
      return answer
    }

    await atOnce(prepare, [write, remove], (_path, [written, removed]) => {
      assertStatus(removed, 204)
      assert.match(String(written.status), /^(?:201|404)$/)
    })

    assert.equal(foldersOf(app), 0)
  })

  test('is made once, however many make it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    const write = (title: string) =>
      app.post(ann, '/repos/ann/one/wiki/new', { title, content_base64: 'eA==' })

    const answers = await Promise.all(['Home', 'Home', 'Other', 'Home', 'Other'].map(write))

    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [201, 201, 400, 400, 400])
    const { body } = await app.get(ann, '/repos/ann/one/wiki/pages')
    assert.deepEqual(
      (body as { title: string }[]).map(({ title }) => title),
      ['Home', 'Other'],
    )
  })
})
