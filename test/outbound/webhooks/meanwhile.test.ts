import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test, type TestContext } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { start, startReceiver } from './setup.ts'

/**
 * A webhook for which two issues wait, and which leads elsewhere before the first of them is
 * answered with `status`.
 */
async function editDuringDelivery(t: TestContext, status: number) {
  const { app, ann, listen, heard, receiver } = await start(t)
  const other = await startReceiver(t)
  const id = await listen(['issues'])
  for (const title of ['one', 'two']) await app.post(ann, '/repos/ann/one/issues', { title })
  const config = { url: other.url, secret: 'new' }
  receiver.answer((response) => {
    void app
      .patch(ann, `/repos/ann/one/hooks/${id}`, { config, events: ['issues'] })
      .then((answer) => {
        assertStatus(answer, 200)
        response.writeHead(status).end()
      })
  })
  await heard()
  const titles = ({ calls }: typeof other) => calls.map(({ body }) => body.issue.title as string)
  return { other, first: titles(receiver), later: titles(other) }
}

suite('a webhook that is edited during a delivery', () => {
  test('gets what comes next as it is then', async (t) => {
    const { other, first, later } = await editDuringDelivery(t, 200)

    assert.deepEqual([first, later], [['one'], ['two']])
    const [call] = other.calls
    const signature = createHmac('sha256', 'new')
      .update(call?.text ?? '')
      .digest('hex')
    assert.equal(call?.headers['x-gitea-signature'], signature)
  })

  test('does not wait because the one before failed', async (t) => {
    const { first, later } = await editDuringDelivery(t, 500)

    assert.deepEqual([first, later], [['one'], ['one', 'two']])
  })
})

suite('a webhook that two edit at once', () => {
  test('does not take the secret for one host to another', async (t) => {
    const { app, ann, receiver, listen, heard } = await start(t)
    const other = await startReceiver(t)
    const id = await listen(['issues'])
    const edit = (config: object) =>
      app.patch(ann, `/repos/ann/one/hooks/${id}`, { config, events: ['issues'] })
    const { outside } = app.ctx
    const look = outside.assertReachable.bind(outside)
    const mock = t.mock.method(outside, 'assertReachable', async (url: URL) => {
      mock.mock.restore()
      assertStatus(await edit({ url: other.url, secret: 'for the other' }), 200)
      return look(url)
    })

    assertStatus(await edit({ url: receiver.url }), 200)
    await app.post(ann, '/repos/ann/one/issues', { title: 'one' })
    const [call] = await heard()

    assert.equal(call?.headers['x-gitea-signature'], '')
    assert.equal(other.calls.length, 0)
  })
})
