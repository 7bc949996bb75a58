import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import {
  deliverWaiting,
  forgetOldDeliveries,
  resumeDeliveries,
} from '../../../src/outbound/webhooks/deliver.ts'
import { NotYet } from '../../../src/platform/jobs/queue.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { failing, start, startReceiver, type Received, type Setup } from './setup.ts'

const hooks = '/repos/ann/one/hooks'
const DAY = 86_400
const never = new AbortController().signal

/** Opens so many issues; their titles are the numbers from `from`. */
async function openIssues({ app, ann }: Setup, count: number, from = 1): Promise<void> {
  for (let number = from; number < from + count; number++) {
    await app.post(ann, '/repos/ann/one/issues', { title: String(number) })
  }
}

const titles = (calls: readonly Received[]) => calls.map(({ body }) => body.issue.title as string)

async function deliveriesOf({ app, ann }: Setup, id: number) {
  const answer = await app.get(ann, `${hooks}/${id}/deliveries`)
  assertStatus(answer, 200)
  return answer.body as {
    id: number
    uuid: string
    status: string
    attempts: number
    last_error: string
    response_status: number
    next_attempt_at: string | null
  }[]
}

suite('what a receiver gets', () => {
  test('is signed, also as a form, and carries all the headers that receivers know', async (t) => {
    const setup = await start(t)
    const { listen, heard, receiver } = setup
    const secret = { url: receiver.url, secret: 's3cret' }
    await listen(['issues'], {
      config: { ...secret, content_type: 'json' },
      authorization_header: 'Bearer abc',
    })
    await listen(['issue_milestone', 'issues'], { config: { ...secret, content_type: 'form' } })

    await openIssues(setup, 1)
    const [json, form] = await heard()

    const signed = (algorithm: string, text: string) =>
      createHmac(algorithm, 's3cret').update(text).digest('hex')
    const sha256 = signed('sha256', json?.text ?? '')
    for (const prefix of ['x-gitea', 'x-gogs', 'x-github']) {
      assert.partialDeepStrictEqual(json?.headers, {
        [`${prefix}-event`]: 'issues',
        [`${prefix}-event-type`]: 'issues',
        [`${prefix}-signature`]: sha256,
        [`${prefix}-hook-installation-target-type`]: 'repository',
      })
      assert.match(String(json?.headers[`${prefix}-delivery`]), /^[0-9a-f-]{36}$/)
    }
    assert.partialDeepStrictEqual(json?.headers, {
      'content-type': 'application/json',
      authorization: 'Bearer abc',
      'x-hub-signature': `sha1=${signed('sha1', json?.text ?? '')}`,
      'x-hub-signature-256': `sha256=${sha256}`,
    })
    assert.equal(form?.headers['content-type'], 'application/x-www-form-urlencoded')
    const payload = new URLSearchParams(form?.text).get('payload') ?? ''
    assert.equal(form?.headers['x-gitea-signature'], signed('sha256', payload))
    assert.deepEqual(JSON.parse(payload), json?.body)
    assert.equal(form?.headers.authorization, undefined)
  })

  test('is a line of text where the service shows text', async (t) => {
    const setup = await start(t)
    const { app, ann, receiver, heard } = setup
    const text = '[ann/one] ann opened #1 <b> & http://codestead.test/ann/one/issues/1'
    const shapes: readonly [string, object][] = [
      ['slack', { channel: '#ci', text: text.replace('&', '&amp;').replace('<b>', '&lt;b&gt;') }],
      ['discord', { content: text, allowed_mentions: { parse: [] } }],
      ['dingtalk', { msgtype: 'text', text: { content: text } }],
      ['wechatwork', { msgtype: 'text', text: { content: text } }],
      ['feishu', { msg_type: 'text', content: { text } }],
      ['telegram', { text }],
      ['msteams', { text }],
      ['packagist', { repository: { url: 'http://codestead.test/ann/one' } }],
      ['matrix', { msgtype: 'm.notice', body: text }],
    ]
    for (const [type] of shapes) {
      const url = `${receiver.url}/${type}`
      const config = { url, content_type: 'form', ...(type === 'slack' ? { channel: '#ci' } : {}) }
      const made = await app.post(ann, hooks, { type, config, events: ['issues'], active: true })
      assertStatus(made, 201)
    }

    await app.post(ann, '/repos/ann/one/issues', { title: '<b> &' })
    const calls = await heard()

    for (const [type, expected] of shapes) {
      const call = calls.find(({ path }) => path.startsWith(`/hook/${type}`))
      assert.deepEqual(call?.body, expected, type)
      assert.equal(call?.method, type === 'matrix' ? 'PUT' : 'POST')
    }
  })
})

suite('a delivery that fails', () => {
  test('is tried again ever more slowly, and what comes after waits for it', async (t) => {
    const setup = await start(t)
    const { app, ann, listen, heard, receiver } = setup
    const id = await listen(['issues'])
    receiver.answer(failing(500, 'sorry'), failing(503))

    await openIssues(setup, 3)
    assert.deepEqual(titles(await heard()), ['1'])
    const waiting = await deliveriesOf(setup, id)
    assert.deepEqual(
      waiting.map(({ status, attempts }) => [status, attempts]),
      [
        ['waiting', 0],
        ['waiting', 0],
        ['waiting', 1],
      ],
    )
    assert.partialDeepStrictEqual(waiting[2], {
      last_error: 'the receiver answered 500',
      response_status: 500,
    })
    assert.notEqual(waiting[2]?.next_attempt_at, null)
    assert.deepEqual(titles(await heard()), [])
    app.passTime(11)
    assert.deepEqual(titles(await heard()), ['1'])
    assert.deepEqual(titles(await heard()), [])
    app.passTime(21)
    await openIssues(setup, 1, 4)

    assert.deepEqual(titles(await heard()), ['1', '2', '3', '4'])
    const uuids = receiver.calls.map(({ headers }) => headers['x-gitea-delivery'])
    assert.equal(new Set(uuids).size, 4)
    assert.deepEqual(
      (await deliveriesOf(setup, id)).map(({ status, attempts }) => [status, attempts]),
      [
        ['delivered', 1],
        ['delivered', 1],
        ['delivered', 1],
        ['delivered', 3],
      ],
    )
    const oldest = (await deliveriesOf(setup, id))[3]?.id
    const details = await app.get(ann, `${hooks}/${id}/deliveries/${oldest}`)
    assert.partialDeepStrictEqual(details.body, {
      event: 'issues',
      event_type: 'issues',
      payload: { action: 'opened' },
      response_body: 'thanks',
      last_error: '',
    })
  })

  test('holds nothing back when the receiver does not want it, or sends us elsewhere', async (t) => {
    const setup = await start(t)
    const { listen, heard, receiver } = setup
    const id = await listen(['issues'])
    const elsewhere = await startReceiver(t)
    receiver.answer(failing(400), (response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    )

    await openIssues(setup, 3)

    assert.deepEqual(titles(await heard()), ['1', '2', '3'])
    assert.deepEqual(elsewhere.calls, [])
    assert.deepEqual(
      (await deliveriesOf(setup, id)).map(({ status }) => status),
      ['delivered', 'failed', 'failed'],
    )
  })

  test('is given up after three days, and then the next one is tried', async (t) => {
    const setup = await start(t)
    const { app, listen, heard, receiver } = setup
    const id = await listen(['issues'])
    receiver.answer(...Array.from({ length: 4 }, () => failing(500)))
    await openIssues(setup, 1)

    await heard()
    app.passTime(3 * DAY - 3600)
    await openIssues(setup, 1, 2)
    assert.deepEqual(titles(await heard()), ['1'])
    app.passTime(7200)
    const last = await heard()

    assert.deepEqual(titles(last), ['1', '2'])
    const [second, first] = await deliveriesOf(setup, id)
    assert.deepEqual([first?.status, second?.status], ['failed', 'waiting'])
    assert.deepEqual([first?.attempts, second?.attempts], [3, 1])
  })

  test('is the same for receivers that cannot be reached or say nothing', async (t) => {
    const setup = await start(t, { webhooks: { timeout: '1s' } })
    const { listen, heard, receiver } = setup
    const id = await listen(['issues'])
    const nowhere = { url: 'http://127.0.0.1:9/none', content_type: 'json' }
    const unreachable = await listen(['issues'], { config: nowhere })
    receiver.answer(() => undefined)

    await openIssues(setup, 1)
    await heard()

    const [silent] = await deliveriesOf(setup, id)
    assert.partialDeepStrictEqual(silent, {
      status: 'waiting',
      last_error: 'the receiver took too long',
    })
    const [failed] = await deliveriesOf(setup, unreachable)
    assert.equal(failed?.last_error, 'the receiver cannot be reached: ECONNREFUSED')
  })
})

suite('delivering', () => {
  test('keeps the beginning of what a receiver says, however much that is', async (t) => {
    const setup = await start(t)
    const { app, ann, listen, heard, receiver } = setup
    const id = await listen(['issues'])
    receiver.answer((response) => response.end(Buffer.alloc(200_000, 'a\0')))

    await openIssues(setup, 1)
    await heard()

    const [long] = await deliveriesOf(setup, id)
    assert.equal(long?.status, 'delivered')
    const details = await app.get(ann, `${hooks}/${id}/deliveries/${long?.id}`)
    assert.equal(details.body.response_body, 'a'.repeat(32_768))
  })

  test('a receiver that is slow holds no other back', async (t) => {
    const setup = await start(t)
    const { app, listen, receiver } = setup
    const slow = await startReceiver(t)
    const config = { content_type: 'json' }
    await listen(['issues'], { config: { ...config, url: slow.url } })
    await listen(['issues'], { config: { ...config, url: receiver.url } })
    slow.answer(...Array.from({ length: 3 }, () => () => undefined))

    app.ctx.jobs.start()
    await openIssues(setup, 3)
    await receiver.received(3)
    await slow.received(1)

    assert.deepEqual(titles(receiver.calls), ['1', '2', '3'])
    assert.equal(slow.calls.length, 1)
  })

  test('many workers at once deliver each event once, and in order', async (t) => {
    const setup = await start(t)
    const { app, listen, receiver } = setup
    const id = await listen(['issues'])
    await openIssues(setup, 10)

    await Promise.all(Array.from({ length: 5 }, () => deliverWaiting(app.ctx, id, never)))

    assert.deepEqual(titles(receiver.calls), ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])
  })

  test('what a worker left when it died is taken up when its lease is over', async (t) => {
    const setup = await start(t)
    const { app, listen, heard } = setup
    const { ctx } = app
    const id = await listen(['issues'])
    await openIssues(setup, 2)
    await ctx.db.deleteFrom('job').where('kind', '=', 'deliver_webhook').execute()
    await ctx.db
      .updateTable('webhook')
      .set({ lease_until: ctx.now() + 25 })
      .execute()

    await resumeDeliveries(ctx)
    await deliverWaiting(ctx, id, never)
    assert.deepEqual(await heard(), [])
    app.passTime(26)
    await resumeDeliveries(ctx)

    assert.deepEqual(titles(await heard()), ['1', '2'])
  })

  test('webhooks at one busy host wait for each other', async (t) => {
    const setup = await start(t, { webhooks: { per_host: 1 } })
    const { app, listen, heard, receiver } = setup
    const { ctx } = app
    const busy = await listen(['push'])
    const id = await listen(['issues'])
    await openIssues(setup, 1)
    const lease = ctx.db.updateTable('webhook').where('id', '=', busy)
    await lease.set({ lease_until: ctx.now() + 25 }).execute()

    await assert.rejects(deliverWaiting(ctx, id, never), NotYet)
    assert.deepEqual(receiver.calls, [])
    await lease.set({ lease_until: 0 }).execute()

    assert.deepEqual(titles(await heard()), ['1'])
  })

  test('a webhook of a deleted repository goes in the end, also when a worker left it', async (t) => {
    const { app, ann, listen, heard, receiver } = await start(t)
    const stored = () => app.ctx.db.selectFrom('webhook').select('id').execute()
    await listen(['repository'])
    receiver.answer(failing(500))
    await app.delete(ann, '/repos/ann/one')
    await heard()

    await forgetOldDeliveries(app.ctx)
    assert.equal((await stored()).length, 1)
    await app.ctx.db.updateTable('webhook_delivery').set({ is_waiting: 0 }).execute()
    await forgetOldDeliveries(app.ctx)

    assert.deepEqual(await stored(), [])
  })

  test('the record of what is over is forgotten, what waits is not', async (t) => {
    const setup = await start(t)
    const { app, listen, heard, receiver } = setup
    const id = await listen(['issues'])
    await openIssues(setup, 1)
    await heard()
    receiver.answer(failing(500))
    await openIssues(setup, 1, 2)
    await heard()

    app.passTime(6 * DAY)
    await forgetOldDeliveries(app.ctx)
    assert.equal((await deliveriesOf(setup, id)).length, 2)
    app.passTime(2 * DAY)
    await forgetOldDeliveries(app.ctx)

    assert.deepEqual(
      (await deliveriesOf(setup, id)).map(({ status }) => status),
      ['waiting'],
    )
  })
})

suite('by hand', () => {
  test('a test delivers the latest commit, whatever the webhook listens to and whosever it is', async (t) => {
    const setup = await start(t)
    const { app, ann, listen, heard } = setup
    const id = await listen(['issues'], { active: false })
    const { id: own } = (
      await app.post(ann, '/user/hooks', {
        type: 'gitea',
        config: { url: setup.receiver.url, content_type: 'json' },
      })
    ).body
    await app.post(ann, '/orgs', { username: 'acme' })
    const ofAcme = await listen(['push'], {}, '/orgs/acme/hooks')

    assertStatus(await app.post(ann, `${hooks}/${id}/tests`), 204)
    const [empty] = await heard()
    await app.post(ann, '/repos/ann/one/contents/a', { content: '' })
    assertStatus(await app.post(ann, `${hooks}/${id}/tests`), 204)
    assertStatus(await app.post(ann, `/user/hooks/${own}/tests`), 204)
    const [full, ofAnn] = await heard()

    assert.partialDeepStrictEqual(empty?.body, {
      ref: 'refs/heads/main',
      after: '0'.repeat(40),
      commits: [],
      head_commit: null,
    })
    const head = (await app.get(ann, '/repos/ann/one/branches/main')).body.commit.id
    assert.partialDeepStrictEqual(full?.body, {
      after: head,
      total_commits: 1,
      commits: [{ id: head, added: ['a'] }],
      pusher: { login: 'ann' },
    })
    assert.equal(full?.headers['x-gitea-event'], 'push')
    assert.deepEqual(ofAnn?.body, full?.body)
    assertError(
      await app.post(ann, `/orgs/acme/hooks/${ofAcme}/tests`),
      422,
      'there is no repository to test with',
    )
    assertError(await app.post(ann, `${hooks}/999/tests`), 404)
  })

  test('what was delivered can be delivered again, under the same name', async (t) => {
    const setup = await start(t)
    const { app, ann, listen, heard } = setup
    const id = await listen(['issues'])
    const other = await listen(['issues'])
    await openIssues(setup, 1)
    const [first] = await heard()
    const [delivery] = await deliveriesOf(setup, id)
    const path = `${hooks}/${id}/deliveries/${delivery?.id}`

    const again = await app.post(ann, `${path}/redeliver`)
    const [second] = await heard()

    assertStatus(again, 201)
    assert.partialDeepStrictEqual(again.body, { uuid: delivery?.uuid, status: 'waiting' })
    assert.equal(second?.text, first?.text)
    assert.equal(second?.headers['x-gitea-delivery'], first?.headers['x-gitea-delivery'])
    assert.equal((await deliveriesOf(setup, id)).length, 2)
    assertError(await app.post(ann, `${hooks}/${id}/deliveries/999/redeliver`), 404)
    assertError(await app.get(ann, `${hooks}/${other}/deliveries/${delivery?.id}`), 404)
  })
})
