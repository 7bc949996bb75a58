import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startReceiver } from '../../webhooks/setup.ts'
import { fromElsewhere } from '../support.ts'
import { administration, assertSeenByAdministrators, startWithAdministrator } from './setup.ts'

const path = `${administration}/hooks`
const form = { type: 'gitea', content_type: 'json', active: 'true' }

suite(path, () => {
  test('adds webhooks that hear of all repositories, and removes them', async (t) => {
    const setup = await startWithAdministrator(t, { network: { allow_private: true } })
    const { app, root, ann, byRoot, byAnn } = setup
    const receiver = await startReceiver(t)
    const fields = { ...form, url: receiver.url, events: 'repository' }
    await assertSeenByAdministrators(setup, path)
    await assertSeenByAdministrators(setup, `${path}/new`)
    assertStatus(await byAnn.post(path, fields), 404)
    assertStatus(await byRoot.post(path, fields, fromElsewhere), 403)
    assert.deepEqual((await app.get(root, '/admin/hooks')).body, [])

    assert.equal((await byRoot.post(path, fields)).headers['location'], `${path}?saved=yes`)

    const [hook] = (await app.get(root, '/admin/hooks')).body
    await assertSeenByAdministrators(setup, `${path}/${hook.id}`)
    await app.post(ann, '/user/repos', { name: 'r' })
    await app.ctx.jobs.runDue()
    const [heard, ...others] = receiver.calls
    assert.equal(heard?.body.repository.full_name, 'ann/r')
    assert.deepEqual(others, [])
    assertStatus(await byAnn.post(`${path}/${hook.id}/delete`), 404)
    assertStatus(await byRoot.post(`${path}/${hook.id}/delete`), 303)
    assert.deepEqual((await app.get(root, '/admin/hooks')).body, [])
  })
})
