// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'

suite('GET /version', () => {
  test('answers anybody with a version that clients accept', async (t) => {
    const app = await startApp(t)

    const { status, headers, body } = await app.get(undefined, '/version')

    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json;charset=utf-8')
    assert.match(body.version, /^1\.26\.0\+codestead-\d+\.\d+\.\d+$/)
  })
})
