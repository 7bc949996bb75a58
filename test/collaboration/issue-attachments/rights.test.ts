import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FORM, upload } from '../../repositories/attachments/form.ts'
import { storedKeys } from '../../delivery/release-attachments/setup.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { attach, openIssue, say, start } from './setup.ts'

suite('who may do what with the attachments of an issue', () => {
  test('its author, those who write issues, and administrators change them', async (t) => {
    const { app, ann, bob, path, issue, assets } = await start(t)
    const carol = await app.addCaller('carol')
    const dave = await app.addCaller('dave')
    const root = await app.addAdmin()
    await app.put(ann, `${path}/collaborators/carol`, { permission: 'write' })

    for (const who of [ann, bob, carol, root]) {
      const { id } = await attach(app, who, assets)
      assertStatus(await app.patch(who, `${assets}/${id}`, { name: 'renamed' }), 201)
      assertStatus(await app.delete(who, `${assets}/${id}`), 204)
    }
    const { id } = await attach(app, carol, assets)
    assertStatus(await app.delete(ann, `${path}/collaborators/carol`), 204)
    const refusal = 'user should have permission to write issue'
    // Who sent a file has no right to it.
    assertError(await app.delete(carol, `${assets}/${id}`), 403, refusal)
    for (const attachment of [id, 999]) {
      const one = `${assets}/${attachment}`
      assertError(await app.patch(dave, one, { name: 'x' }), 403, refusal)
      assertError(await app.delete(dave, one), 403, refusal)
      assertError(await app.patch(undefined, one, { name: 'x' }), 401, 'token is required')
      assertError(await app.delete(undefined, one), 401)
    }
    const json = { 'content-type': 'application/json' }
    for (const one of [`${assets}/${id}`, `${path}/issues/999/assets/1`])
      assertError(await app.patch(dave, one, '{', json), 422, /^\[\]: /)
    assertError(await upload(app, dave, `${path}/issues/999/assets`), 404, /index: 999/)
    assertError(await app.post(dave, assets, 'no form', FORM), 403, refusal)
    assertError(await app.post(undefined, assets, 'no form', FORM), 401)
    assertStatus(await app.patch(ann, path, { private: true }), 200)
    assertError(await upload(app, undefined, assets), 404, 'not found')
    assertError(await upload(app, bob, assets), 404, 'not found')
    const reader = await app.withToken(ann.account, ['read:issue'])
    const other = await app.withToken(ann.account, ['all', 'public-only'])
    assertStatus(await app.get(reader, assets), 200)
    assertError(await app.post(reader, assets, 'no form', FORM), 403, /\[write:issue\]/)
    assertError(await app.get(other, `${assets}/${id}`), 404, 'not found')
    const stranger = await app.withToken(ann.account, ['write:repository'])
    for (const one of [assets, assets.replace('one', 'none'), issue.replace('ann', 'nobody')])
      assertError(await app.get(stranger, one), 403, /required=\[read:issue\]/)
  })

  test('in an organization it is the unit of the number that must be written', async (t) => {
    const { app, ann, bob } = await start(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'r' })
    const teams: [string, object][] = [
      ['issues', { permission: 'write', units_map: { 'repo.issues': 'write' } }],
      ['pulls', { permission: 'write', units_map: { 'repo.pulls': 'write' } }],
      ['admins', { permission: 'admin' }],
    ]
    const callers = new Map<string, TestCaller>()
    for (const [name, rights] of teams) {
      callers.set(name, await app.addCaller(`of-${name}`))
      const team = await app.post(ann, '/orgs/acme/teams', { name, ...rights })
      assertStatus(await app.put(ann, `/teams/${team.body.id}/members/of-${name}`), 204)
      assertStatus(await app.put(ann, `/teams/${team.body.id}/repos/acme/r`), 204)
    }
    const issue = await openIssue(app, bob, '/repos/acme/r')
    // Rows are enough: there is something to be pulled into.
    await app.ctx.db.updateTable('repository').set({ is_empty: 0 }).execute()
    const statuses = async () => {
      const sent = [...callers.values()].map((who) => upload(app, who, `${issue}/assets`))
      return (await Promise.all(sent)).map(({ status }) => status)
    }

    const puller = callers.get('pulls') ?? ann
    const remark = await say(app, puller, '/repos/acme/r', issue)

    assert.deepEqual(await statuses(), [201, 403, 201])
    assertError(await upload(app, puller, `${remark}/assets`), 403, /edit comment$/)
    await app.ctx.db.updateTable('issue').set({ is_pull: 1 }).execute()
    assert.deepEqual(await statuses(), [403, 201, 201])
    assertStatus(await upload(app, puller, `${remark}/assets`), 201)
  })

  test('nobody who is blocked by the owner or the author adds any', async (t) => {
    const { app, ann, bob, path, issue, assets } = await start(t)
    const carol = await app.addCaller('carol')
    await app.put(ann, `${path}/collaborators/carol`, { permission: 'write' })
    const remark = await say(app, carol, path, issue)

    assertStatus(await app.put(bob, '/user/blocks/carol'), 204)
    const dave = await app.addCaller('dave')
    const daves = await openIssue(app, dave, path)
    assertStatus(await app.put(ann, '/user/blocks/dave'), 204)
    assertError(await upload(app, dave, `${daves}/assets`), 403, 'user is blocked')

    assertError(await upload(app, carol, assets), 403, 'user is blocked')
    assertError(await upload(app, carol, `${remark}/assets`), 403, 'user is blocked')
    assertStatus(await upload(app, ann, assets), 201)
    assert.equal((await storedKeys(app)).length, 1)
    await app.put(ann, `${path}/collaborators/carol`, { permission: 'admin' })
    assertStatus(await upload(app, carol, assets), 201)
  })

  test('in an archived repository they are read and not changed', async (t) => {
    const { app, ann, bob, path, issue, assets } = await start(t)
    const { id } = await attach(app, bob, assets)
    assertStatus(await app.patch(ann, path, { archived: true }), 200)

    assertStatus(await app.get(undefined, assets), 200)
    assertStatus(await app.get(undefined, `${assets}/${id}`), 200)
    const dave = await app.addCaller('dave')
    for (const one of [assets, issue.replace(/\d+$/, '999/assets')]) {
      for (const who of [bob, dave]) {
        assertError(await upload(app, who, one), 423, 'repo is archived')
        assertError(await app.patch(who, `${one}/1`, '{', {}), 423, 'repo is archived')
        assertError(await app.delete(who, `${one}/1`), 423, 'repo is archived')
      }
      assertError(await upload(app, undefined, one), 401, 'token is required')
      assertError(await app.patch(undefined, `${one}/1`, '{', {}), 401)
      assertError(await app.delete(undefined, `${one}/1`), 401)
    }
  })

  test('without the unit, or with attachments switched off, they do not exist', async (t) => {
    const { app, ann, path, assets } = await start(t)
    const off = await start(t, { attachment: { enabled: false } })

    assertStatus(await app.patch(ann, path, { has_issues: false, has_pull_requests: false }), 200)

    for (const method of ['GET', 'POST']) {
      assertError(await app.send(undefined, method, assets), 404, 'not found')
      assertError(await off.app.send(off.ann, method, off.assets), 404, 'not found')
    }
    assertError(await off.app.get(off.ann, `${off.assets}/1`), 404, 'not found')
    assertError(await off.app.patch(off.ann, `${off.assets}/1`, {}), 404, 'not found')
    assertError(await off.app.delete(off.ann, `${off.assets}/1`), 404, 'not found')
    const ofComment = `${await say(off.app, off.ann, off.path, off.issue)}/assets`
    assertError(await off.app.get(off.ann, ofComment), 404, 'not found')
    assertError(await upload(off.app, off.ann, ofComment), 404, 'not found')
  })

  test('with the other unit alone neither those of issues nor those of comments are read', async (t) => {
    const { app, ann, path, issue, assets } = await start(t)
    const remark = `${await say(app, ann, path, issue)}/assets`
    const { id } = await attach(app, ann, remark)
    assertStatus(await app.post(ann, `${path}/contents/a.txt`, { content: '' }), 201)

    assertStatus(await app.patch(ann, path, { has_issues: false }), 200)

    for (const one of [assets, `${assets}/${id}`, remark, `${remark}/${id}`])
      assertError(await app.get(ann, one), 404)
    assertError(await upload(app, ann, remark), 404, 'not found')
  })
})
