import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64 } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertKeys, failing, start, summary, type Received } from './setup.ts'

const everything = [
  'create',
  'delete',
  'fork',
  'push',
  'issues',
  'repository',
  'release',
  'repository_update',
  'attachment',
]

suite('events of repositories', () => {
  test('an organization hears of what is created, renamed and deleted, and of nothing else', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    await listen(['repository'], {}, '/orgs/acme/hooks')
    const bob = await app.addCaller('bob')

    await app.post(ann, '/orgs/acme/repos', { name: 'one', template: true })
    const body = { private: true, description: 'x', archived: true }
    await app.patch(ann, '/repos/acme/one', body)
    await app.patch(ann, '/repos/acme/one', { archived: false, name: 'ONE' })
    await app.patch(ann, '/repos/acme/one', { name: 'two' })
    await app.post(ann, '/repos/acme/two/generate', { owner: 'acme', name: 'made', topics: true })
    await app.delete(ann, '/repos/acme/two')
    await app.post(bob, '/user/repos', { name: 'elsewhere' })
    const calls = await heard()

    const shown = calls.map(({ body: told }) => `${told.action} ${told.repository.full_name}`)
    assert.deepEqual(shown, [
      'created acme/one',
      'renamed acme/two',
      'created acme/made',
      'deleted acme/two',
    ])
    assert.deepEqual(calls[1]?.body.changes, { name: { from: 'ONE' } })
    for (const { headers, body: told } of calls) {
      assert.equal(headers['x-gitea-hook-installation-target-type'], 'organization')
      assert.partialDeepStrictEqual(told, {
        repository: { permissions: { admin: true, push: true, pull: true } },
        organization: { login: 'acme' },
        sender: { login: 'ann' },
      })
    }
    assertKeys(calls[0]?.body as object, ['action', 'repository', 'organization', 'sender'])
  })

  test('who listens to updates hears of the rest; owners and the system of all that is theirs', async (t) => {
    const { app, ann, receiver, listen, heard } = await start(t)
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    await listen(['repository_update'], {}, '/user/hooks')
    await app.post(root, '/admin/hooks', {
      type: 'gitea',
      active: true,
      config: { url: `${receiver.url}/all`, content_type: 'json', is_system_webhook: 'true' },
      events: ['repository'],
    })

    await app.patch(ann, '/repos/ann/one', { description: 'x' })
    await app.patch(ann, '/repos/ann/one', { description: 'x' })
    await app.patch(ann, '/repos/ann/one', { private: true, archived: true })
    await app.patch(ann, '/repos/ann/one', { private: false, archived: false })
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/repos/ann/one/transfer', { new_owner: 'acme' })
    await app.post(bob, '/user/repos', { name: 'two' })
    const calls = await heard()

    const at = (path: string) => summary(calls.filter((call) => call.path === path))
    assert.deepEqual(
      at('/hook'),
      ['edited', 'privatized', 'archived', 'publicized', 'unarchived'].map(
        (action) => `repository_update ${action}`,
      ),
    )
    assert.deepEqual(at('/hook/all'), ['repository created'])
    assert.partialDeepStrictEqual(calls.find(({ path }) => path === '/hook/all')?.body, {
      repository: { full_name: 'bob/two', permissions: { admin: true, push: true, pull: true } },
      organization: { login: 'bob' },
      sender: { login: 'bob' },
    })
    const targets = new Set(
      calls.map(({ headers }) => headers['x-gitea-hook-installation-target-type']),
    )
    assert.deepEqual(targets, new Set(['user', 'system']))
  })

  test('a fork is told to the base; who does not listen costs and hears nothing', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const bob = await app.addCaller('bob')
    await app.post(ann, '/repos/ann/one/contents/a', { content: base64('a') })
    await listen(everything, { active: false })
    await listen(['fork'])

    assertStatus(await app.post(bob, '/repos/ann/one/forks', {}), 202)

    const calls: readonly Received[] = await heard()
    assert.deepEqual(calls.length, 1)
    assert.partialDeepStrictEqual(calls[0]?.body, {
      forkee: { full_name: 'ann/one' },
      repository: { full_name: 'bob/one', fork: true },
      sender: { login: 'bob' },
    })
    const rows = await app.ctx.db.selectFrom('webhook_delivery').selectAll().execute()
    assert.equal(rows.length, 1)
  })

  test('a repository that is deleted tells its own webhooks, which go with the last they hear', async (t) => {
    const { app, ann, receiver, listen, heard } = await start(t)
    await listen(['repository', 'repository_update'])
    await listen(['push'])
    receiver.answer(failing(503))

    await app.patch(ann, '/repos/ann/one', { description: 'x' })
    assertStatus(await app.delete(ann, '/repos/ann/one'), 204)
    const first = await heard()
    const waiting = await app.ctx.db.selectFrom('webhook').select('id').execute()
    app.passTime(60)
    const calls = await heard()

    assert.deepEqual(summary(first), ['repository_update edited'])
    assert.equal(waiting.length, 1)
    assert.deepEqual(summary(calls), ['repository_update edited', 'repository deleted'])
    assert.equal(calls[1]?.headers['x-gitea-hook-installation-target-type'], 'repository')
    assert.partialDeepStrictEqual(calls[1]?.body, {
      repository: { full_name: 'ann/one' },
      organization: { login: 'ann' },
      sender: { login: 'ann' },
    })
    assert.deepEqual(await app.ctx.db.selectFrom('webhook').select('id').execute(), [])
  })

  test('what is rolled back is told to nobody', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await app.post(ann, '/user/repos', { name: 'two' })
    await listen(['repository', 'repository_update'])

    const answer = await app.patch(ann, '/repos/ann/one', { name: 'two', description: 'x' })

    assertStatus(answer, 422)
    assert.deepEqual(await heard(), [])
  })
})
