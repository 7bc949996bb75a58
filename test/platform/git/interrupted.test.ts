// One database is enough: packs do not pass through it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { basic, PASSWORD, type TestCaller } from '../../support/app.ts'
import { startServer } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'
import { isBusy } from './processes.ts'
import { startGitHost, type GitHost } from './support.ts'
import { until } from '../../support/until.ts'

interface Prepared {
  readonly host: GitHost
  readonly ann: TestCaller
  readonly work: string
  /** The directory of ann/one on the server. */
  readonly folder: string
  /** The body of a push of main as refs/heads/new. */
  readonly body: Buffer
}

/** A push of some megabytes, ready to be sent by hand. */
async function prepare(t: TestContext): Promise<Prepared> {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  const work = await host.client.makeRepository()
  writeFileSync(join(work, 'random'), randomBytes(4_000_000))
  const tip = await host.client.commit(work, 'much')
  const pack = execFileSync('git', ['pack-objects', '--stdout', '--revs', '--quiet'], {
    cwd: work,
    input: 'main\n',
    maxBuffer: 64_000_000,
  })
  const command = pktLine(`${'0'.repeat(40)} ${tip} refs/heads/new\0report-status side-band-64k`)
  const body = Buffer.concat([Buffer.from(`${command}0000`), pack])
  return { host, ann, work, folder: await host.folderOf('ann/one'), body }
}

function startPush({ host, ann }: Prepared): ClientRequest {
  const push = request(host.url('ann/one.git/git-receive-pack'), {
    method: 'POST',
    headers: { ...ann.headers, 'content-type': 'application/x-git-receive-pack-request' },
  })
  push.on('error', () => undefined)
  return push
}

const isReceiving = (folder: string) => () =>
  readdirSync(join(folder, 'objects')).some((name) => name.startsWith('tmp_objdir'))

async function assertUntouched({ host, ann, folder }: Prepared): Promise<void> {
  await until(() => !isBusy(folder))
  assert.equal(isReceiving(folder)(), false)
  const refs = await host.client.git(['--git-dir', folder, 'for-each-ref', '--format=%(refname)'])
  assert.equal(refs, 'refs/heads/main')
  await host.assertSound('ann/one')
  assert.equal((await host.app.get(ann, '/repos/ann/one')).body.branch_count, 1)
}

suite('a push that breaks off', () => {
  test('leaves no trace, wherever it does', async (t) => {
    const prepared = await prepare(t)
    const { body, folder, host, work } = prepared
    const head = body.indexOf('PACK')

    for (const length of [10, head - 4, head, head + 12, body.length >> 1, body.length - 1]) {
      const push = startPush(prepared)
      await new Promise((resolve) => push.write(body.subarray(0, length), resolve))
      if (length > head + 12) await until(isReceiving(folder))
      push.destroy()
      await assertUntouched(prepared)
    }

    await host.client.git(['push', host.urlFor('ann', 'ann/one.git'), 'main:new'], work)
  })

  test('by the death of the real git leaves a sound repository and a server that serves', async (t) => {
    const { host, work, folder } = await prepare(t)

    const push = host.client.start(['push', host.urlFor('ann', 'ann/one.git'), 'main:new'], work)
    const ended = once(push, 'close')
    await until(isReceiving(folder))
    host.client.kill(push)
    await ended

    await until(() => !isBusy(folder))
    assert.equal(isReceiving(folder)(), false)
    await host.assertSound('ann/one')
    await host.client.git(['clone', '--quiet', host.url('ann/one'), 'copy'])
  })

  test('when the first byte of its answer has come is recorded all the same', async (t) => {
    const prepared = await prepare(t)
    const { host, ann, body } = prepared

    const push = startPush(prepared)
    push.end(body)
    const [answer] = (await once(push, 'response')) as [IncomingMessage]
    answer.destroy()

    const branches = async () => (await host.app.get(ann, '/repos/ann/one')).body.branch_count
    await until(async () => (await branches()) === 2)
    await host.assertSound('ann/one')
  })
})

suite('a push that takes long', () => {
  const cases: Record<string, (prepared: Prepared) => Promise<unknown>> = {
    'after the repository was archived': ({ host, ann }) =>
      host.app.patch(ann, '/repos/ann/one', { archived: true }),
    'after the token was revoked': ({ host }) =>
      host.app.ctx.db.deleteFrom('access_token').execute(),
    'after the account was locked': ({ host }) =>
      host.app.ctx.db.updateTable('account').set({ prohibit_login: 1 }).execute(),
  }

  for (const [when, change] of Object.entries(cases)) {
    test(`is refused ${when}`, async (t) => {
      const prepared = await prepare(t)
      const { host, body, folder } = prepared
      const push = startPush(prepared)
      const answered = once(push, 'response') as Promise<[IncomingMessage]>
      push.write(body.subarray(0, body.length >> 1))
      await until(isReceiving(folder))

      await change(prepared)
      push.end(body.subarray(body.length >> 1))

      const [answer] = await answered
      const text = Buffer.concat(await answer.toArray()).toString()
      assert.equal(answer.statusCode, 200)
      assert.match(text, /ng refs\/heads\/new pre-receive hook declined/)
      const refs = await host.client.git(['--git-dir', folder, 'for-each-ref'])
      assert.doesNotMatch(refs, /refs\/heads\/new/)
    })
  }

  test('goes through after a rename', async (t) => {
    const prepared = await prepare(t)
    const { host, ann, body, folder } = prepared
    const push = startPush(prepared)
    const answered = once(push, 'response') as Promise<[IncomingMessage]>
    push.write(body.subarray(0, body.length >> 1))
    await until(isReceiving(folder))

    await host.app.patch(ann, '/repos/ann/one', { name: 'two' })
    push.end(body.subarray(body.length >> 1))

    const [answer] = await answered
    assert.match(Buffer.concat(await answer.toArray()).toString(), /ok refs\/heads\/new/)
    assert.equal((await host.app.get(ann, '/repos/ann/two')).body.branch_count, 2)
  })
})

/** A fetch that has begun and does not go on; it counts as one until it is destroyed. */
function holdFetch(url: string): ClientRequest {
  const fetched = request(url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/x-git-upload-pack-request' },
  })
  fetched.on('error', () => undefined)
  fetched.write('0032')
  return fetched
}

suite('fetches without number', () => {
  test('wait for each other, and are sent away when too many wait', async (t) => {
    const { host, folder } = await prepare(t)
    const url = host.url('ann/one/git-upload-pack')

    const held = Array.from({ length: 100 }, () => holdFetch(url))
    const answers = held.map((fetched) => once(fetched, 'response') as Promise<[IncomingMessage]>)
    const [sentAway] = await Promise.any(answers)

    assert.equal(sentAway.statusCode, 503)
    assert.ok(Number(sentAway.headers['retry-after']) > 0)
    for (const fetched of held) fetched.destroy()
    await Promise.allSettled(answers)
    await until(() => !isBusy(folder))
    await host.client.git(['clone', '--quiet', host.url('ann/one'), 'copy'])
  })

  test('of one client or one repository leave places for others', async (t) => {
    const { host, ann, folder } = await prepare(t)
    // Git says who asks only where it has to.
    await host.app.post(ann, '/user/repos', { name: 'two', auto_init: true, private: true })
    const held = Array.from({ length: 100 }, () => holdFetch(host.url('ann/one/git-upload-pack')))
    await Promise.any(held.map((fetched) => once(fetched, 'response')))

    await host.client.git(['clone', '--quiet', host.urlFor('ann', 'ann/two'), 'copy'])

    for (const fetched of held) fetched.destroy()
    await until(() => !isBusy(folder))
  })
})

suite('a server that stops', () => {
  test('takes the git that it has started with it', async (t) => {
    const machine = await startMachine(t)
    const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', PASSWORD]
    await machine.admin(['user', 'create', ...ann])
    const server = startServer(t, { ...machine.environment, CODESTEAD_SERVER_STOP_TIMEOUT: '1s' })
    const [, url = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
    await fetch(`${url}/api/v1/user/repos`, {
      method: 'POST',
      headers: { authorization: basic('ann', PASSWORD), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'one', auto_init: true }),
    })
    const repositories = join(machine.data, 'repositories')
    holdFetch(`${url}/ann/one/git-upload-pack`)
    await until(() => isBusy(repositories))

    server.child.kill('SIGTERM')
    await server.end()

    await until(() => !isBusy(repositories))
  })
})

suite('a fetch that breaks off', () => {
  test('ends git', async (t) => {
    const prepared = await prepare(t)
    const { host, work, folder } = prepared
    await host.client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main:new'], work)
    const tip = await host.client.git(['rev-parse', 'main'], work)

    const fetched = request(host.url('ann/one/git-upload-pack'), {
      method: 'POST',
      headers: { 'content-type': 'application/x-git-upload-pack-request' },
    })
    fetched.end(`${pktLine(`want ${tip} ofs-delta\n`)}0000${pktLine('done\n')}`)
    const [answer] = (await once(fetched, 'response')) as [IncomingMessage]
    await once(answer, 'readable')
    assert.equal(isBusy(folder), true)
    answer.destroy()

    await until(() => !isBusy(folder))
  })

  test('before its request is complete ends git too', async (t) => {
    const { host, folder } = await prepare(t)
    const fetched = holdFetch(host.url('ann/one/git-upload-pack'))
    await until(() => isBusy(folder))

    fetched.destroy()

    await until(() => !isBusy(folder))
  })
})
