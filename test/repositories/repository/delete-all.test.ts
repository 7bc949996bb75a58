import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { unpack } from '../../../src/events/webhooks/packed.ts'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { enableSecondFactor } from '../../../src/identity/auth/second-factor.ts'
import { addOrganization, addTeam, names } from '../../identity/organizations/setup.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { startServer } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'
import { foldersOf } from './support.ts'
import { until } from '../../support/until.ts'

const PATH = '/orgs/acme/repos'

async function withOrganization(t: TestContext, changes: ConfigChanges = {}) {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  await addOrganization(app, ann, 'acme')
  const add = async (name: string, options: object = {}) => {
    const answer = await app.post(ann, PATH, { name, auto_init: true, ...options })
    assertStatus(answer, 201)
    return answer.body.id as number
  }
  const left = async () => names((await app.get(ann, PATH)).body)
  return { app, ann, add, left }
}

async function waiting({ ctx }: TestApp): Promise<readonly string[]> {
  const jobs = await ctx.db.selectFrom('job').select('kind').execute()
  return jobs.map(({ kind }) => kind).filter((kind) => kind === 'remove_repositories')
}

suite('DELETE /orgs/{org}/repos', () => {
  test('deletes what the organization has, by a job, and nothing else', async (t) => {
    const { app, ann, add, left } = await withOrganization(t)
    const bob = await app.addCaller('bob')
    for (const name of ['one', 'two', 'three']) await add(name, { private: name === 'two' })
    await app.post(ann, '/user/repos', { name: 'own', auto_init: true })
    await app.post(bob, '/repos/acme/one/forks', {})
    const hook = { url: 'http://hook.example/', content_type: 'json' }
    const listening = { type: 'gitea', config: hook, events: ['repository'], active: true }
    assertStatus(await app.post(ann, '/orgs/acme/hooks', listening), 201)

    const answer = await app.delete(ann, PATH)

    assert.deepEqual([answer.status, answer.text], [202, ''])
    assert.deepEqual(await left(), ['one', 'two', 'three'])
    await app.ctx.jobs.runDue()
    assert.deepEqual(await left(), [])
    assertStatus(await app.get(ann, '/repos/ann/own'), 200)
    assert.partialDeepStrictEqual((await app.get(bob, '/repos/bob/one')).body, {
      fork: false,
      empty: false,
    })
    assert.equal(foldersOf(app).length, 2)
    const told = await app.ctx.db.selectFrom('webhook_payload').selectAll().execute()
    const deletions = told.filter(({ content }) => {
      const { action, sender } = JSON.parse(unpack(content))
      return action === 'deleted' && sender.login === 'ann'
    })
    assert.equal(deletions.length, 3)
    assert.deepEqual(await app.ctx.db.selectFrom('repository_removal').selectAll().execute(), [])
    assertStatus(await app.delete(ann, '/orgs/acme'), 204)
  })

  test('says when there is nothing to delete', async (t) => {
    const { app, ann } = await withOrganization(t)

    const answer = await app.delete(ann, PATH)

    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual(await waiting(app), [])
  })

  test('is for owners and administrators', async (t) => {
    const { app, ann, add, left } = await withOrganization(t)
    await add('one')
    const [bob, cat] = [await app.addCaller('bob'), await app.addCaller('cat')]
    const all = { permission: 'admin', includes_all_repositories: true }
    await addTeam(app, ann, 'acme', { name: 'lead', ...all }, [bob])
    const refused = 'Must be an organization owner'

    assertError(await app.delete(undefined, PATH), 401, 'token is required')
    assertError(await app.delete(bob, PATH), 403, refused)
    assertError(await app.delete(cat, PATH), 403, refused)
    assertError(await app.delete(ann, '/orgs/nobody/repos'), 404, 'not found')
    assertError(await app.delete(ann, '/orgs/ann/repos'), 404, 'not found')
    for (const scope of ['write:organization', 'write:repository']) {
      const limited = await app.withToken(ann.account, [scope])
      assertError(await app.delete(limited, PATH), 403, /required=\[/)
    }
    await app.patch(ann, '/orgs/acme', { visibility: 'private' })
    assertError(await app.delete(cat, PATH), 404, 'not found')
    await app.ctx.jobs.runDue()
    assert.deepEqual(await left(), ['one'])
    assertStatus(await app.delete(await app.addAdmin(), PATH), 202)
    await app.ctx.jobs.runDue()
    assert.deepEqual(await left(), [])
  })

  test('takes of what is private nothing with a token for what is public', async (t) => {
    const { app, ann, add, left } = await withOrganization(t)
    for (const name of ['open', 'closed']) await add(name, { private: name === 'closed' })
    const outside = await app.withToken(ann.account, ['public-only', 'all'])

    assertStatus(await app.delete(outside, PATH), 202)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await left(), ['closed'])
    assertStatus(await app.delete(outside, PATH), 204)
  })

  test('is not for whom repositories are hidden until they have a second factor', async (t) => {
    const security = { require_two_factor: true }
    const { app, ann, add } = await withOrganization(t, { security })
    await enableSecondFactor(app.ctx, ann.account)
    await add('one')
    await updateTotpSecret(app.ctx.db, ann.id, '')

    assertError(await app.delete(ann, PATH), 404, 'not found')

    assert.deepEqual(await waiting(app), [])
  })

  test('leaves what comes after it, and what goes elsewhere before its turn', async (t) => {
    const { app, ann, add, left } = await withOrganization(t)
    await addOrganization(app, ann, 'other')
    for (const name of ['one', 'two']) await add(name)

    assertStatus(await app.delete(ann, PATH), 202)
    await add('later')
    assertStatus(await app.post(ann, '/repos/acme/two/transfer', { new_owner: 'other' }), 202)
    await app.post(ann, '/user/repos', { name: 'given' })
    assertStatus(await app.post(ann, '/repos/ann/given/transfer', { new_owner: 'acme' }), 202)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await left(), ['later', 'given'])
    assertStatus(await app.get(ann, '/repos/other/two'), 200)
    assert.deepEqual(await app.ctx.db.selectFrom('repository_removal').selectAll().execute(), [])
  })

  test('is begun once, however often it is asked for', async (t) => {
    const { app, ann, add, left } = await withOrganization(t)
    for (const name of ['one', 'two']) await add(name)

    const answers = await Promise.all(Array.from({ length: 10 }, () => app.delete(ann, PATH)))

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    assert.deepEqual(await waiting(app), ['remove_repositories'])
    await Promise.all([
      app.ctx.jobs.runDue(),
      app.ctx.jobs.runDue(),
      app.delete(ann, '/repos/acme/two'),
    ])
    await app.ctx.jobs.runDue()
    assert.deepEqual(await left(), [])
    assert.deepEqual(await waiting(app), [])
  })

  test('goes on with the others when one fails, and comes back to that', async (t) => {
    const { app, ann, add, left } = await withOrganization(t)
    const id = await add('one')
    await add('two')
    const { jobs } = app.ctx
    const enqueue = jobs.enqueue.bind(jobs)
    const { folder } = await app.ctx.db
      .selectFrom('repository')
      .select('folder')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const failing = t.mock.method(jobs, 'enqueue', async (...given: Parameters<typeof enqueue>) => {
      if (JSON.stringify(given[2]).includes(folder)) throw new Error('no')
      return enqueue(...given)
    })

    assertStatus(await app.delete(ann, PATH), 202)
    await jobs.runDue()
    assert.deepEqual(await left(), ['one'])
    failing.mock.restore()
    assertStatus(await app.delete(ann, PATH), 202)
    app.passTime(60)
    await jobs.runDue()

    assert.deepEqual(await left(), [])
    assert.deepEqual(await waiting(app), [])
  })

  test('is done for who is gone by then, too', async (t) => {
    const { app, ann, add } = await withOrganization(t)
    await add('one')
    const root = await app.addAdmin()
    const helper = await app.addAdmin('helper')

    assertStatus(await app.delete(helper, PATH), 202)
    assertStatus(await app.delete(root, '/admin/users/helper'), 204)
    await app.ctx.jobs.runDue()

    assertError(await app.get(ann, '/repos/acme/one'), 404)
  })
})

const REPOSITORIES = 30

suite('a server killed while it deletes all repositories', () => {
  test('goes on with it when it is started again', async (t) => {
    const machine = await startMachine(t)
    const person = 'user create --name ann --email ann@example.org --password password1'
    const made = await machine.admin([...person.split(' '), '--access-token', 't'])
    const headers = {
      authorization: `token ${made.lastLine}`,
      'content-type': 'application/json',
    }
    const serve = async () => {
      const server = startServer(t, {
        ...machine.environment,
        CODESTEAD_LOG_LEVEL: 'error',
        CODESTEAD_JOBS_LEASE: '3s',
      })
      const [, url = ''] = await server.says(/is at (http:\S+)/)
      const send = (method: string, path: string, body?: object) =>
        fetch(`${url}/api/v1${path}`, {
          method,
          headers,
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
      const count = async () => {
        const answer = await send('GET', `${PATH}?limit=1`)
        return Number(answer.headers.get('x-total-count'))
      }
      return { server, send, count }
    }
    const first = await serve()
    await first.send('POST', '/orgs', { username: 'acme' })
    for (let at = 0; at < REPOSITORIES; at++) await first.send('POST', PATH, { name: `r${at}` })

    assert.equal((await first.send('DELETE', PATH)).status, 202)
    await until(async () => (await first.count()) < REPOSITORIES, { pauseMs: 1 })
    first.server.child.kill('SIGKILL')
    await first.server.end()
    const second = await serve()
    assert.equal((await second.send('POST', PATH, { name: 'later' })).status, 201)
    await until(async () => (await second.count()) === 1)

    const answer = await second.send('GET', PATH)
    assert.deepEqual(names((await answer.json()) as { name: string }[]), ['later'])
  })
})
