import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { addKey } from '../../../src/identity/auth/security-keys/enrol.ts'
import { callerOf } from '../../../src/platform/context.ts'
import { enableSecondFactor } from '../../../src/identity/auth/second-factor.ts'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import type { Changes } from '../../../src/platform/db/schema.ts'
import {
  basic,
  PASSWORD,
  startApp,
  type TestAnswer,
  type TestApp,
  type TestCaller,
} from '../../support/app.ts'
import { startGitHost, tokenOf, type GitHost } from './support.ts'

const fetchRefs = '/info/refs?service=git-upload-pack'
const pushRefs = '/info/refs?service=git-receive-pack'

interface Started {
  readonly app: TestApp
  readonly ann: TestCaller
  /** Somebody unrelated. */
  readonly bob: TestCaller
}

/** Ann has a public and a private repository. */
async function start(t: TestContext, changes: ConfigChanges = {}): Promise<Started> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/user/repos', { name: 'open', auto_init: true })
  await app.post(ann, '/user/repos', { name: 'secret', auto_init: true, private: true })
  return { app, ann, bob }
}

async function collaborate({ app, bob }: Started, name: string, access: 'read' | 'write') {
  const { id } = await app.ctx.db
    .selectFrom('repository')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const row = { repository_id: id, account_id: bob.id, access, created_at: 0 }
  await app.ctx.db.insertInto('collaboration').values(row).execute()
}

async function changeRepository({ app }: Started, name: string, changes: Changes<'repository'>) {
  await app.ctx.db.updateTable('repository').set(changes).where('name', '=', name).execute()
}

async function changeBob({ app, bob }: Started, changes: Changes<'account'>) {
  await app.ctx.db.updateTable('account').set(changes).where('id', '=', bob.id).execute()
}

function assertPlain(answer: TestAnswer, status: number, message?: string | RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  if (typeof message === 'string') assert.equal(answer.text, `${message}\n`)
  else if (message) assert.match(answer.text, message)
}

function assertAsked(answer: TestAnswer): void {
  assertPlain(answer, 401)
  assert.equal(answer.headers['www-authenticate'], 'Basic realm="Gitea"')
}

suite('who may fetch', () => {
  test('anybody from a public repository', async (t) => {
    const { app, bob } = await start(t)

    for (const who of [undefined, bob]) {
      const answer = await app.get(who, `^/ann/open${fetchRefs}`)
      assert.equal(answer.status, 200)
      assert.match(answer.text, /refs\/heads\/main/)
    }
  })

  test('anonymous callers are asked to sign in, be the repository private or absent', async (t) => {
    const { app } = await start(t)

    const [secret, absent, nobody] = await Promise.all(
      ['ann/secret', 'ann/absent', 'nobody/one'].map((path) =>
        app.get(undefined, `^/${path}${fetchRefs}`),
      ),
    )

    for (const answer of [secret, absent, nobody]) assertAsked(answer as TestAnswer)
    assert.equal(secret?.text, absent?.text)
    assert.equal(secret?.text, nobody?.text)
  })

  test('to others a private repository is as absent as any other', async (t) => {
    const { app, ann, bob } = await start(t)

    for (const path of ['ann/secret', 'ann/absent', 'nobody/one', 'ann/secret.wiki.git']) {
      assertPlain(await app.get(bob, `^/${path}${fetchRefs}`), 404, 'Repository not found')
    }
    assert.equal((await app.get(ann, `^/ann/secret.git${fetchRefs}`)).status, 200)
  })

  test('collaborators of a private repository', async (t) => {
    const started = await start(t)
    await collaborate(started, 'secret', 'read')

    const answer = await started.app.get(started.bob, `^/ann/secret${fetchRefs}`)

    assert.equal(answer.status, 200)
  })

  test('nobody anonymously where sign-in is required, or the owner is not public', async (t) => {
    const closed = await start(t, { security: { require_sign_in: 'true' } })
    assertAsked(await closed.app.get(undefined, `^/ann/open${fetchRefs}`))
    assert.equal((await closed.app.get(closed.bob, `^/ann/open${fetchRefs}`)).status, 200)

    const limited = await start(t)
    const { db } = limited.app.ctx
    await db
      .updateTable('account')
      .set({ visibility: 'limited' })
      .where('name', '=', 'ann')
      .execute()
    assertAsked(await limited.app.get(undefined, `^/ann/open${fetchRefs}`))
    assert.equal((await limited.app.get(limited.bob, `^/ann/open${fetchRefs}`)).status, 200)
  })

  test('nobody where code is switched off', async (t) => {
    const started = await start(t)
    await started.app.ctx.db.deleteFrom('repository_unit').where('unit', '=', 'repo.code').execute()

    assertAsked(await started.app.get(undefined, `^/ann/open${fetchRefs}`))
    assertPlain(await started.app.get(started.bob, `^/ann/open${fetchRefs}`), 403)
    assertPlain(await started.app.get(started.ann, `^/ann/open${pushRefs}`), 403)
  })
})

suite('who may push', () => {
  test('anonymous callers are asked to sign in', async (t) => {
    const { app } = await start(t)

    for (const path of ['ann/open', 'ann/secret', 'ann/absent']) {
      assertAsked(await app.get(undefined, `^/${path}${pushRefs}`))
    }
    const type = { 'content-type': 'application/x-git-receive-pack-request' }
    assertAsked(await app.post(undefined, '^/ann/open/git-receive-pack', '0000', type))
  })

  test('the owner and collaborators who may write; readers may not', async (t) => {
    const started = await start(t)
    const { app, ann, bob } = started

    assert.equal((await app.get(ann, `^/ann/open${pushRefs}`)).status, 200)
    assertPlain(
      await app.get(bob, `^/ann/open${pushRefs}`),
      403,
      'You may not write to this repository.',
    )
    await collaborate(started, 'open', 'write')
    assert.equal((await app.get(bob, `^/ann/open${pushRefs}`)).status, 200)
    await collaborate(started, 'secret', 'read')
    assertPlain(await app.get(bob, `^/ann/secret${pushRefs}`), 403)
  })

  test('nobody to an archive or a mirror, from which all may fetch', async (t) => {
    const started = await start(t)
    const { app, ann } = started

    for (const [changes, word] of [
      [{ is_archived: 1 as const }, /archived/],
      [{ is_archived: 0 as const, is_mirror: 1 as const }, /mirror/],
    ] as const) {
      await changeRepository(started, 'open', changes)
      assertPlain(await app.get(ann, `^/ann/open${pushRefs}`), 403, word)
      const type = { 'content-type': 'application/x-git-receive-pack-request' }
      assertPlain(await app.post(ann, '^/ann/open/git-receive-pack', '0000', type), 403, word)
      assert.equal((await app.get(undefined, `^/ann/open${fetchRefs}`)).status, 200)
    }
  })

  test('to a private repository of somebody else is as to none', async (t) => {
    const { app, bob } = await start(t)

    for (const path of ['ann/secret', 'ann/absent', 'nobody/one']) {
      assertPlain(await app.get(bob, `^/${path}${pushRefs}`), 404, 'Repository not found')
    }
  })
})

suite('credentials of git', () => {
  const forms = (name: string, token: string) => ({
    'token as password': { headers: { authorization: basic(name, token) }, query: '' },
    'token as user name': { headers: { authorization: basic(token, '') }, query: '' },
    'token as user name of OAuth': {
      headers: { authorization: basic(token, 'x-oauth-basic') },
      query: '',
    },
    token: { headers: { authorization: `token ${token}` }, query: '' },
    Bearer: { headers: { authorization: `Bearer ${token}` }, query: '' },
    query: { headers: {}, query: `&token=${token}` },
  })
  const expected: [string[], number, number][] = [
    [['read:repository'], 200, 403],
    [['write:repository'], 200, 200],
    [['all'], 200, 200],
    [['write:user', 'write:issue'], 403, 403],
    [['public-only', 'write:repository'], 404, 404],
  ]

  test('in every form reach as far as the scopes of the token', async (t) => {
    const { app, ann } = await start(t)

    for (const [scopes, fetching, pushing] of expected) {
      const caller = await app.withToken(ann.account, scopes)
      const token = caller.headers['authorization']?.split(' ')[1] ?? ''
      for (const [form, { headers, query }] of Object.entries(forms('ann', token))) {
        const fetched = await app.get(undefined, `^/ann/secret${fetchRefs}${query}`, headers)
        const pushed = await app.get(undefined, `^/ann/secret${pushRefs}${query}`, headers)
        assert.deepEqual(
          [fetched.status, pushed.status],
          [fetching, pushing],
          `${form}, ${scopes.join()}`,
        )
      }
    }
  })

  test('a public-only token reaches what is public', async (t) => {
    const { app, ann } = await start(t)
    const caller = await app.withToken(ann.account, ['public-only', 'write:repository'])

    assert.equal((await app.get(caller, `^/ann/open${pushRefs}`)).status, 200)
  })

  test('wrong ones are refused, also where none are needed', async (t) => {
    const { app } = await start(t)

    for (const authorization of [
      basic('ann', 'wrong'),
      basic('x', 'y'),
      `token ${'0'.repeat(40)}`,
    ]) {
      assertAsked(await app.get(undefined, `^/ann/open${fetchRefs}`, { authorization }))
    }
  })

  test('that are empty are none', async (t) => {
    const { app, ann } = await start(t)
    const token = ann.headers['authorization']?.split(' ')[1] ?? ''
    const statusOf = async (name: string, query: string, who?: typeof ann) =>
      (await app.get(who, `^/ann/${name}${fetchRefs}&${query}`)).status

    assert.equal(await statusOf('open', 'token='), 200)
    assert.equal(await statusOf('secret', 'token=&access_token=', ann), 200)
    assert.equal(await statusOf('secret', `token=&access_token=${token}`), 200)
    assert.equal(await statusOf('open', 'token=x'), 401)
  })

  test('cannot be guessed without end', async (t) => {
    const { app } = await start(t, { security: { failures_per_address: 2 } })
    const guess = () =>
      app.get(undefined, `^/ann/open${fetchRefs}`, { authorization: basic('ann', 'wrong') })

    const statuses = [(await guess()).status, (await guess()).status]
    const limited = await guess()

    assert.deepEqual(statuses, [401, 401])
    assertPlain(limited, 429)
    assert.ok(Number(limited.headers['retry-after']) > 0)
  })

  test('a password works', async (t) => {
    const { app, ann } = await start(t)

    assert.equal(
      (await app.get(app.withPassword(ann.account), `^/ann/secret${pushRefs}`)).status,
      200,
    )
  })

  test('with a second factor a password is refused with a hint, and a token works', async (t) => {
    const { app, ann } = await start(t)
    await enableSecondFactor(app.ctx, ann.account)

    const answer = await app.get(app.withPassword(ann.account), `^/ann/open${pushRefs}`)

    assertAsked(answer)
    assert.match(answer.text, /use an access token/)
    assert.equal((await app.get(ann, `^/ann/open${pushRefs}`)).status, 200)
  })

  test('with a security key a password is refused in the same words, and a token works', async (t) => {
    const { app, ann, bob } = await start(t)
    await enableSecondFactor(app.ctx, bob.account)
    const key = { name: 'Blue', credentialId: 'AA', publicKey: 'AA', signCount: 0 }
    await addKey(app.ctx, callerOf(ann.account), key)

    const answer = await app.get(app.withPassword(ann.account), `^/ann/open${pushRefs}`)

    assertAsked(answer)
    const ofBob = await app.get(app.withPassword(bob.account), `^/ann/open${pushRefs}`)
    assert.equal(answer.text, ofBob.text)
    assert.equal((await app.get(ann, `^/ann/open${pushRefs}`)).status, 200)
  })

  test('of accounts that may not be used are refused', async (t) => {
    const started = await start(t)
    const { app, bob } = started
    const states: Changes<'account'>[] = [
      { is_active: 0 },
      { is_active: 1, prohibit_login: 1 },
      { prohibit_login: 0, must_change_password: 1 },
    ]

    for (const state of states) {
      await changeBob(started, state)
      for (const path of [fetchRefs, pushRefs]) {
        assertPlain(await app.get(bob, `^/ann/open${path}`), 403)
        const byPassword = await app.get(app.withPassword(bob.account), `^/ann/open${path}`)
        assert.ok([401, 403].includes(byPassword.status), byPassword.text)
      }
    }
  })

  test('work with the real git, which is told what is wrong', async (t) => {
    const host = await startGitHost(t)
    const ann = await host.app.addCaller('ann')
    await host.app.addPerson('bob')
    await host.app.post(ann, '/user/repos', { name: 'secret', auto_init: true, private: true })
    const token = await tokenOf(host, 'ann', ['read:repository'])

    const tried = async (credentials: string) =>
      host.client.run(['ls-remote', host.url('ann/secret.git', credentials)])

    assert.equal((await tried(`ann:${PASSWORD}`)).code, 0)
    assert.equal((await tried(`ann:${token}`)).code, 0)
    assert.equal((await tried(token)).code, 0)
    assert.match((await tried('ann:wrong')).notes, /Authentication failed/)
    assert.match((await tried(`bob:${PASSWORD}`)).notes, /remote: Repository not found/)
    assert.match((await tried('')).notes, /could not read Username|Authentication failed/)
    await pushIsRefused(host, token)
  })
})

async function pushIsRefused(host: GitHost, token: string): Promise<void> {
  const work = await host.client.makeRepository()
  const url = host.url('ann/secret.git', `ann:${token}`)
  const { code, notes } = await host.client.run(['push', url, 'main:other'], work)
  assert.equal(code, 128)
  assert.match(notes, /required=\[write:repository\]/)
}

suite('a renamed repository', () => {
  test('is redirected to with the same query, for those who may see it', async (t) => {
    const { app, ann, bob } = await start(t)
    await app.patch(ann, '/repos/ann/secret', { name: 'moved' })

    const sent = await app.get(ann, `^/ann/secret.git${fetchRefs}`)

    assert.equal(sent.status, 301)
    assert.equal(sent.headers['location'], `/ann/moved.git${fetchRefs}`)
    const plain = await app.get(ann, `^/ann/secret${fetchRefs}`)
    assert.equal(plain.headers['location'], `/ann/moved${fetchRefs}`)
    assertPlain(await app.get(bob, `^/ann/secret${fetchRefs}`), 404)
    assertAsked(await app.get(undefined, `^/ann/secret${fetchRefs}`))
  })

  test('keeps working for the real git, to fetch and to push', async (t) => {
    const host = await startGitHost(t)
    const ann = await host.app.addCaller('ann')
    await host.app.post(ann, '/user/repos', { name: 'one' })
    const work = await host.client.makeRepository()
    await host.app.patch(ann, '/repos/ann/one', { name: 'two' })

    await host.client.git(['push', host.urlFor('ann', 'ann/one.git'), 'main'], work)
    await host.client.git(['clone', '--quiet', host.url('ann/one'), 'copy'])

    assert.equal((await host.app.get(ann, '/repos/ann/two')).body.empty, false)
  })

  test('a renamed owner is followed too', async (t) => {
    const { app, ann } = await start(t)
    const root = await app.addAdmin()
    await app.post(root, '/admin/users/ann/rename', { new_username: 'anna' })

    const { status, headers } = await app.get(ann, `^/ann/open.git${fetchRefs}`)

    assert.equal(status, 301)
    assert.equal(headers['location'], `/anna/open.git${fetchRefs}`)
  })
})

suite('a push to a repository that is not there', () => {
  test('is refused by default', async (t) => {
    const { app, ann } = await start(t)
    await app.post(ann, '/orgs', { username: 'guild' })

    const own = await app.get(ann, `^/ann/fresh${pushRefs}`)
    const guild = await app.get(ann, `^/guild/fresh${pushRefs}`)

    assertPlain(own, 403, 'Push to create is not enabled for users.')
    assertPlain(guild, 403, 'Push to create is not enabled for organizations.')
  })

  test('creates it, private, where that is switched on', async (t) => {
    const host = await startGitHost(t, {
      repositories: { push_to_create_user: true, push_to_create_organization: true },
    })
    const ann = await host.app.addCaller('ann')
    await host.app.addPerson('bob')
    await host.app.post(ann, '/orgs', { username: 'guild' })
    const work = await host.client.makeRepository()

    for (const owner of ['ann', 'guild']) {
      await host.client.git(['push', host.urlFor('ann', `${owner}/fresh.git`), 'main'], work)
      const { body } = await host.app.get(ann, `/repos/${owner}/fresh`)
      assert.partialDeepStrictEqual(body, { private: true, empty: false, branch_count: 1 })
      const denied = await host.client.run(
        ['push', host.urlFor('bob', `${owner}/other`), 'main'],
        work,
      )
      assert.match(denied.notes, /Repository not found/)
    }
  })

  test('creates none with a bad name, nor with a public-only token', async (t) => {
    const { app, ann } = await start(t, { repositories: { push_to_create_user: true } })
    const limited = await app.withToken(ann.account, ['public-only', 'all'])

    for (const name of ['a%20b', 'x.WIKI', '..%2Fx', 'a'.repeat(101)]) {
      assertPlain(await app.get(ann, `^/ann/${name}${pushRefs}`), 422)
    }
    assertPlain(await app.get(limited, `^/ann/fresh${pushRefs}`), 404)
    assertPlain(await app.get(ann, `^/ann/fresh.wiki.git${pushRefs}`), 404)
    assertPlain(await app.get(limited, `^/ann/secret${pushRefs}`), 404)
    assert.equal((await app.get(ann, '/user/repos')).body.length, 2)
  })
})
