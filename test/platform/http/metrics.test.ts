// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'

suite('GET /metrics', () => {
  test('counts and times requests by method, route and kind of status', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.get(ann, '/users/ann')
    await app.get(ann, '/users/nobody')
    await app.get(ann, '/users/ann')
    await app.get(ann, '^/no/such/page')

    const { status, headers, text } = await app.get(undefined, '^/metrics')

    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^text\/plain/)
    const labels = (kind: string) => `method="GET",route="/api/v1/users/:username",status="${kind}"`
    assert.ok(text.includes(`codestead_http_requests_total{${labels('2xx')}} 2\n`))
    assert.ok(text.includes(`codestead_http_requests_total{${labels('4xx')}} 1\n`))
    assert.ok(text.includes(`codestead_http_request_duration_seconds_count{${labels('2xx')}} 2\n`))
    assert.match(text, /route="none",status="4xx"\} 1/)
    assert.doesNotMatch(text, /nobody|no\/such|process_cpu/)
  })

  test('asks for the token where one is set', async (t) => {
    const app = await startApp(t, { metrics: { token: 'the-secret' } })
    const get = (authorization?: string) =>
      app.get(undefined, '^/metrics', authorization === undefined ? {} : { authorization })

    const refused = [
      await get(),
      await get('Bearer wrong'),
      await get('Bearer the-secret2'),
      await get('Basic the-secret'),
      await get('Bearer '),
    ]
    const admitted = await get('Bearer the-secret')

    assert.deepEqual(
      refused.map(({ status, text }) => [status, text]),
      refused.map(() => [401, '']),
    )
    assert.equal(refused[0]?.headers['www-authenticate'], 'Bearer')
    assert.equal(admitted.status, 200)
  })

  test('is not there when switched off', async (t) => {
    const app = await startApp(t, { metrics: { enabled: false } })

    assert.equal((await app.get(undefined, '^/metrics')).status, 404)
  })
})
