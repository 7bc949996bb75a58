import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { assertKeys, start, startReceiver } from './setup.ts'

const hooks = '/repos/ann/one/hooks'
const config = { url: 'https://ci.example.org/hook', content_type: 'json' }
const good = { type: 'gitea', config }

suite('the webhooks of a repository', () => {
  test('are made, read, listed, edited and deleted; no answer shows a secret', async (t) => {
    const { app, ann } = await start(t)
    const secret = { secret: 'hidden-one' }

    const made = await app.post(ann, hooks, {
      ...good,
      name: 'ci',
      config: { ...config, ...secret },
      events: ['push', 'create', 'nonsense'],
      branch_filter: 'release/*',
      authorization_header: 'Bearer hidden-two',
    })

    assertStatus(made, 201)
    const { id, created_at, updated_at, ...rest } = made.body
    assertKeys(made.body as object, [
      'id',
      'name',
      'type',
      'branch_filter',
      'config',
      'events',
      'authorization_header',
      'active',
      'updated_at',
      'created_at',
    ])
    assert.deepEqual(rest, {
      name: 'ci',
      type: 'gitea',
      branch_filter: 'release/*',
      config,
      events: ['create', 'push'],
      authorization_header: '',
      active: false,
    })
    assert.equal(created_at, updated_at)
    const path = `${hooks}/${id}`
    assert.deepEqual((await app.get(ann, path)).body, made.body)
    const list = await app.get(ann, hooks)
    assert.deepEqual(list.body, [made.body])
    assert.equal(list.headers['x-total-count'], '1')
    assert.equal(list.headers['link'], undefined)
    const rows = JSON.stringify(await app.ctx.db.selectFrom('webhook').selectAll().execute())
    assert.doesNotMatch(rows + made.text + list.text, /hidden/)

    const edited = await app.patch(ann, path, { events: ['issues'], active: true })
    assert.partialDeepStrictEqual(edited.body, { name: 'ci', active: true, branch_filter: '' })
    assert.deepEqual(edited.body.events, [
      'issues',
      'issue_assign',
      'issue_label',
      'issue_milestone',
      'issue_comment',
    ])
    const again = await app.patch(ann, path, { name: 'other', config: { content_type: 'form' } })
    assert.partialDeepStrictEqual(again.body, {
      name: 'other',
      active: true,
      events: ['push'],
      config: { url: config.url, content_type: 'form' },
    })

    assertStatus(await app.delete(ann, path), 204)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      assertError(await app.send(ann, method, path, {}), 404, 'not found')
    }
  })

  test('are refused with the reason when something about them is wrong', async (t) => {
    const { app, ann } = await start(t)
    const cases: readonly [object, string | RegExp][] = [
      [{ config }, '[Type]: Required'],
      [{ type: 'gitea' }, '[Config]: Required'],
      [{ type: 'nonsense', config }, 'Invalid hook type: nonsense'],
      [{ type: 'gitea', config: {} }, 'Missing config option: url'],
      [{ type: 'gitea', config: [] }, /^\[\]: cannot read an array as an object/],
      [{ type: 'gitea', config: { ...config, url: 1 } }, /^\[\]: .* within "\/config\/url"$/],
      [{ type: 'gitea', config: { ...config, secret: {} } }, /^\[\]: .*"\/config\/secret"$/],
      [{ type: 'gitea', config: { ...config, secret: 'x'.repeat(4097) } }, '[Config]: MaxSize'],
      [{ type: 'Gitea', config }, 'Invalid hook type: Gitea'],
      [{ type: 'nonsense', config: {} }, 'Invalid hook type: nonsense'],
      [{ ...good, events: 'push' }, /^\[\]: /],
      [{ type: 'gitea', config: { content_type: 'json' } }, 'Missing config option: url'],
      [{ type: 'gitea', config: { url: config.url } }, 'Missing config option: content_type'],
      [{ type: 'gitea', config: { ...config, content_type: 'xml' } }, 'Invalid content type'],
      [{ type: 'gitea', config: { ...config, url: 'no address' } }, 'Invalid url'],
      [{ type: 'gitea', config: { ...config, url: 'ftp://example.org' } }, 'Invalid url'],
      [{ type: 'gitea', config: { ...config, url: 'http://' } }, 'Invalid url'],
      [{ ...good, branch_filter: '{a' }, '[BranchFilter]: GlobPattern'],
      [{ ...good, authorization_header: 'a\nb' }, '[AuthorizationHeader]: Header'],
      [{ ...good, name: 'x'.repeat(256) }, '[Name]: MaxSize'],
      [{ type: 'slack', config }, 'Missing config option: channel'],
      [{ type: 'slack', config: { ...config, channel: '# x' } }, 'Invalid slack channel name'],
    ]

    for (const [body, message] of cases) assertError(await app.post(ann, hooks, body), 422, message)

    assert.deepEqual((await app.get(ann, hooks)).body, [])
    const made = await app.post(ann, hooks, good)
    const path = `${hooks}/${made.body.id}`
    for (const bad of [
      { config: { url: 'x' } },
      { config: { url: '' } },
      { config: { url: true } },
      { config: { content_type: 'xml' } },
      { branch_filter: '[' },
      { active: 'yes' },
    ]) {
      assertError(await app.patch(ann, path, bad), 422)
    }
    // A body that cannot be read is told before anybody looks for the webhook.
    assertError(await app.patch(ann, `${hooks}/999`, { active: 'yes' }), 422)
    assertError(await app.patch(ann, `${hooks}/999`, { config: { url: 'x' } }), 404)
    assert.deepEqual((await app.get(ann, path)).body, made.body)
  })

  test('groups of events stand for all that is in them', async (t) => {
    const { app, ann } = await start(t)
    const eventsOf = async (events?: string[]) =>
      (await app.post(ann, hooks, { ...good, events })).body.events as string[]

    assert.deepEqual(await eventsOf(), ['push'])
    assert.deepEqual(await eventsOf([]), ['push'])
    assert.deepEqual(await eventsOf(['nonsense', 'x'.repeat(100)]), [])
    assert.deepEqual(await eventsOf(['Push', 'ISSUES_ONLY']), ['push', 'issues'])
    const rest = 'fork wiki repository release package status workflow_run workflow_job'.split(' ')
    assert.deepEqual(await eventsOf(rest), rest)
    assert.deepEqual(await eventsOf(['issues_only', 'pull_request_only']), [
      'issues',
      'pull_request',
    ])
    assert.equal((await eventsOf(['pull_request'])).length, 8)
    assert.deepEqual(await eventsOf(['attachment', 'repository_update']), [
      'repository_update',
      'attachment',
    ])
  })

  test('are for administrators of the repository; scripts of git for nobody', async (t) => {
    const { app, ann } = await start(t)
    const bob = await app.addCaller('bob')
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    const { id } = (await app.post(ann, hooks, good)).body

    const paths = [hooks, `${hooks}/${id}`, `${hooks}/${id}/deliveries`, `${hooks}/git`]
    for (const path of paths) {
      assertError(await app.get(bob, path), 403, /^user should be an owner/)
      assertError(await app.get(undefined, path), 401)
    }
    assertError(await app.post(bob, hooks, good), 403)
    assertError(await app.post(bob, `${hooks}/${id}/tests`), 403)
    assertError(await app.get(ann, `${hooks}/git`), 403, 'must be allowed to edit Git hooks')
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      assertError(await app.send(ann, method, `${hooks}/git/pre-receive`, {}), 403)
    }
    assertError(await app.get(ann, '/repos/ann/none/hooks'), 404)
    assertError(await app.get(ann, `${hooks}/nonsense`), 404)
  })

  test('are no more than the server allows, however many are made at once', async (t) => {
    const { app, ann } = await start(t, { webhooks: { max_per_owner: 3 } })

    const answers = await Promise.all(Array.from({ length: 6 }, () => app.post(ann, hooks, good)))

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, 201, 201, 422, 422, 422])
    assert.equal((await app.get(ann, hooks)).headers['x-total-count'], '3')
  })

  test('another host does not get the secret that was meant for the first', async (t) => {
    const { app, ann, receiver, listen, heard } = await start(t)
    const id = await listen(['push'], {
      config: { url: 'https://ci.example.org', content_type: 'json', secret: 'first' },
    })

    await app.patch(ann, `${hooks}/${id}`, { config: { url: receiver.url } })
    await app.post(ann, `${hooks}/${id}/tests`)

    const [call] = await heard()
    assert.equal(call?.headers['x-hub-signature-256'], 'sha256=')
    await app.patch(ann, `${hooks}/${id}`, { config: { secret: 'second' } })
    await app.patch(ann, `${hooks}/${id}`, { config: { url: `${receiver.url}/other` } })
    await app.post(ann, `${hooks}/${id}/tests`)
    assert.match(
      String((await heard())[0]?.headers['x-hub-signature-256']),
      /^sha256=[0-9a-f]{64}$/,
    )
  })
})

suite('other homes of webhooks', () => {
  test('an organization, an account and the system have their own', async (t) => {
    const { app, ann } = await start(t)
    const root = await app.addAdmin()
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.put(root, '/orgs/acme/members/bob')

    for (const [who, path] of [
      [ann, '/orgs/acme/hooks'],
      [ann, '/user/hooks'],
      [root, '/admin/hooks'],
    ] as const) {
      const made = await app.post(who, path, {
        ...good,
        config: { ...config, is_system_webhook: 'true' },
      })
      assertStatus(made, 201)
      const one = `${path}/${made.body.id}`
      assert.deepEqual((await app.get(who, path)).body, [made.body])
      assertStatus(await app.patch(who, one, { active: true }), 200)
      assert.deepEqual((await app.get(who, `${one}/deliveries`)).body, [])
      assertError(await app.get(ann, `${hooks}/${made.body.id}`), 404)
      assertStatus(await app.delete(who, one), 204)
      assertError(await app.get(who, one), 404)
    }
    assertError(await app.get(bob, '/orgs/acme/hooks'), 403)
    assertError(await app.post(bob, '/admin/hooks', good), 403)
    assertError(await app.get(undefined, '/user/hooks'), 401)
    const limited = await app.withToken(ann.account, ['all', 'public-only'])
    assertError(await app.get(limited, '/user/hooks'), 403)
  })

  test('a default of the system is copied into each new repository', async (t) => {
    const { app, ann } = await start(t)
    const root = await app.addAdmin()
    await app.post(root, '/admin/hooks', { ...good, active: true })
    const all = { ...good, config: { ...config, is_system_webhook: 'true' } }
    const system = await app.post(root, '/admin/hooks', all)

    await app.post(ann, '/user/repos', { name: 'two' })

    const [copy, ...others] = (await app.get(ann, '/repos/ann/two/hooks')).body
    assert.partialDeepStrictEqual(copy, { type: 'gitea', config, active: true })
    assert.deepEqual(others, [])
    assert.deepEqual((await app.get(ann, hooks)).body, [])
    const typed = async (type: string) =>
      ((await app.get(root, `/admin/hooks?type=${type}`)).body as object[]).length
    assert.deepEqual([await typed('default'), await typed('all')], [1, 2])
    assert.deepEqual((await app.get(root, '/admin/hooks')).body, [system.body])
  })

  test('those of a template go to what is made from it, for its administrators alone', async (t) => {
    const { app, ann } = await start(t)
    const bob = await app.addCaller('bob')
    await app.patch(ann, '/repos/ann/one', { template: true })
    await app.post(ann, hooks, { ...good, config: { ...config, secret: 'x' }, active: true })
    const slack = { url: 'https://ci.example.org/slack', content_type: 'form', channel: '#c' }
    const more = { name: 'more', events: ['create', 'issues'], branch_filter: 'release/*' }
    assertStatus(await app.post(ann, hooks, { ...more, type: 'slack', config: slack }), 201)
    const generate = { webhooks: true, topics: true }
    const plainOf = async (path: string) =>
      (await app.get(ann, path)).body.map(
        ({ id: _id, created_at: _at, updated_at: _then, ...hook }: Record<string, unknown>) => hook,
      ) as object[]

    await app.post(ann, '/repos/ann/one/generate', { owner: 'ann', name: 'two', ...generate })
    await app.post(bob, '/repos/ann/one/generate', { owner: 'bob', name: 'two', ...generate })
    await app.post(ann, '/repos/ann/one/generate', { owner: 'ann', name: 'three', topics: true })

    const copies = await plainOf('/repos/ann/two/hooks')
    assert.deepEqual(copies, await plainOf(hooks))
    assert.deepEqual(copies.length, 2)
    assert.deepEqual((await app.get(bob, '/repos/bob/two/hooks')).body, [])
    assert.deepEqual((await app.get(ann, '/repos/ann/three/hooks')).body, [])
    const secrets = await app.ctx.db.selectFrom('webhook').select('secret').execute()
    assert.equal(secrets.length, 4)
    assert.equal(secrets[0]?.secret, secrets[2]?.secret)
    assert.notEqual(secrets[0]?.secret, secrets[1]?.secret)
  })
})

suite('where a webhook may lead', () => {
  test('nowhere inside, however it is written, neither at first nor later', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const { id } = (
      await app.post(ann, hooks, { ...good, config: { ...config, url: 'http://8.8.8.8/' } })
    ).body
    const inside =
      '127.0.0.1 localhost 0.0.0.0 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] ' +
      '2130706433 0x7f.1 0177.0.0.1 127.1 169.254.169.254 10.0.0.1 codestead.test 192.168.1.1'

    for (const host of inside.split(' ')) {
      const url = `http://${host}/latest`
      const expected = [422, 'You can not import from disallowed hosts.'] as const
      assertError(await app.post(ann, hooks, { ...good, config: { ...config, url } }), ...expected)
      assertError(await app.patch(ann, `${hooks}/${id}`, { config: { url } }), ...expected)
    }
  })

  test('what became forbidden since is not called, and told without where it led', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const receiver = await startReceiver(t)
    const outside = { ...config, url: 'http://8.8.8.8/' }
    const { id } = (await app.post(ann, hooks, { ...good, config: outside })).body
    await app.ctx.db.updateTable('webhook').set({ url: receiver.url }).execute()

    await app.post(ann, `${hooks}/${id}/tests`)
    await app.ctx.jobs.runDue()

    assert.deepEqual(receiver.calls, [])
    const [delivery] = (await app.get(ann, `${hooks}/${id}/deliveries`)).body
    assert.partialDeepStrictEqual(delivery, {
      status: 'failed',
      attempts: 1,
      last_error: 'You can not import from disallowed hosts.',
    })
  })
})
