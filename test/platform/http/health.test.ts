import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'

suite('GET /api/healthz', () => {
  test('passes while the database answers', async (t) => {
    const app = await startApp(t)

    const { status, headers, body } = await app.get(undefined, '^/api/healthz')

    assert.equal(status, 200)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(body.status, 'pass')
    assert.equal(body.checks['database:ping'][0].status, 'pass')
  })

  test('fails when it does not, without saying why to strangers', async (t) => {
    const app = await startApp(t)
    await app.ctx.db.destroy()

    const { status, body } = await app.get(undefined, '^/api/healthz')

    assert.equal(status, 503)
    assert.equal(body.status, 'fail')
    assert.deepEqual(Object.keys(body.checks['database:ping'][0]), ['status', 'time'])
  })

  test('needs no credential where everything else does', async (t) => {
    const app = await startApp(t, { security: { require_sign_in: 'true' } })

    assert.equal((await app.get(undefined, '^/api/healthz')).status, 200)
  })
})

suite('GET /api/readyz', () => {
  test('passes while the server takes requests and can do its work', async (t) => {
    const app = await startApp(t)

    const { status, body } = await app.get(undefined, '^/api/readyz')

    assert.equal(status, 200)
    assert.equal(body.checks['server:accepting'][0].status, 'pass')
    assert.equal(body.checks['database:ping'][0].status, 'pass')
  })

  test('names what fails', async (t) => {
    const app = await startApp(t)
    await app.ctx.db.destroy()

    const { status, body } = await app.get(undefined, '^/api/readyz')

    assert.equal(status, 503)
    assert.equal(body.checks['server:accepting'][0].status, 'pass')
    assert.equal(body.checks['database:ping'][0].status, 'fail')
  })
})
