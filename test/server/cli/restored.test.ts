import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { buildApp } from '../../../src/server/app.ts'
import { startApp, TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { startAdmin } from '../../support/process.ts'
import { Machine, machineOf } from '../../support/terminal.ts'
import { signIn } from '../../web/support.ts'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-restored-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'copy')
}

async function startCopy(t: TestContext, like: TestApp, data: string): Promise<TestApp> {
  const { config } = like.ctx
  const there = { ...config, data, database: { ...config.database, url: '' } }
  const clock = { offset: 0 }
  const now = () => Math.floor(Date.now() / 1000) + clock.offset
  const app = await buildApp(there, pino({ level: 'silent' }), { now })
  t.after(() => app.close())
  return new TestApp(app, clock)
}

/** Counts what it is sent, and takes it or not. */
async function startReceiver(t: TestContext) {
  const state = { status: 500, received: 0 }
  const server: Server = createServer((_request, response) => {
    state.received++
    response.writeHead(state.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function startWithHook(t: TestContext): Promise<{
  readonly app: TestApp
  readonly ann: TestCaller
  readonly state: { status: number; received: number }
}> {
  const { state, url } = await startReceiver(t)
  const app = await startApp(t, { network: { allow_private: true } })
  const ann = await app.addCaller('ann', { isAdmin: true })
  assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
  const hook = { type: 'gitea', config: { url, content_type: 'json' }, events: ['issues'] }
  assertStatus(await app.post(ann, '/repos/ann/one/hooks', { ...hook, active: true }), 201)
  assertStatus(await app.post(ann, '/repos/ann/one/issues', { title: 'x' }), 201)
  await app.ctx.jobs.runDue()
  assert.equal(state.received, 1)
  state.status = 200
  return { app, ann, state }
}

suite('a server on a backup', () => {
  test('sends, sweeps and starts nothing until it is told to go live', async (t) => {
    const { app, ann, state } = await startWithHook(t)
    const to = folderFor(t)
    assert.equal((await machineOf(app).admin(['backup', '--to', to])).status, 0)
    assert.ok(existsSync(join(to, 'backup.json')))

    const copy = await startCopy(t, app, to)
    copy.passTime(3 * 86_400)
    await copy.ctx.schedule.runDue()
    assertStatus(await copy.post(ann, '/repos/ann/one/issues', { title: 'y' }), 201)
    await copy.ctx.jobs.runDue()
    const page = await (await signIn(copy, 'ann')).get('/')
    const anonymous = await copy.get(undefined, '^/explore/repos')

    assert.equal(state.received, 1)
    assert.match(page.text, /This server is a copy/)
    assert.match(anonymous.text, /This server is a copy/)
    assert.deepEqual(
      (await copy.ctx.schedule.list()).filter(({ runs }) => runs > 0),
      [],
    )

    const live = await new Machine(to, '').admin(['restored', '--go-live'])
    assert.equal(live.status, 0, live.notes)
    await copy.ctx.quiet.look()
    copy.passTime(3_600)
    await copy.ctx.schedule.runDue()
    await copy.ctx.jobs.runDue()

    assert.ok(state.received > 1)
    assert.doesNotMatch((await copy.get(undefined, '^/explore/repos')).text, /is a copy/)
  })

  test('may forget what waited when it was made', async (t) => {
    const { app, state } = await startWithHook(t)
    const to = folderFor(t)
    await machineOf(app).admin(['backup', '--to', to])

    const live = await new Machine(to, '').admin(['restored', '--go-live', '--drop-waiting'])
    assert.match(live.notes, /waiting mails and webhooks are forgotten/)
    const copy = await startCopy(t, app, to)
    copy.passTime(3_600)
    await copy.ctx.schedule.runDue()
    await copy.ctx.jobs.runDue()

    assert.equal(state.received, 1)
    const again = new Machine(folderFor(t), '')
    assert.equal((await again.admin(['restored'])).status, 2)
    assert.equal((await again.admin(['restored', '--quiet'])).status, 0)
    assert.match((await again.admin(['restored', '--go-live'])).notes, /lives on as the original/)
    // The original goes on as before.
    assert.equal(
      (await machineOf(app).admin(['restored', '--go-live'])).notes.includes('no copy'),
      true,
    )
  })
})

suite('a backup', () => {
  test('that is stopped takes back what it has begun', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (let count = 0; count < 30; count++) {
      const made = await app.post(ann, '/user/repos', { name: `r${count}`, auto_init: true })
      assertStatus(made, 201)
    }
    const to = folderFor(t)

    const backup = startAdmin(t, machineOf(app).environment, ['backup', '--to', to])
    while (!existsSync(join(to, 'repositories')) && backup.child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    backup.child.kill('SIGTERM')
    const status = await backup.end()

    assert.equal(status, 1, backup.notes)
    assert.match(backup.notes, /stopped: what was begun is taken back/)
    assert.deepEqual(readdirSync(to), [])
    const holds = readdirSync(app.ctx.config.data).filter((name) => name.includes('hold'))
    assert.deepEqual(holds, [])
  })

  test('that was killed is no data folder', async (t) => {
    const app = await startApp(t)
    await app.addCaller('ann')
    const to = folderFor(t)
    await machineOf(app).admin(['backup', '--to', to])
    writeFileSync(join(to, 'backup-unfinished'), '')

    await assert.rejects(startCopy(t, app, to), /is a backup that did not come to its end/)
  })

  test('is not made without the repositories that are not there', async (t) => {
    const app = await startApp(t)
    const { data } = app.ctx.config
    cpSync(join(data, 'repositories'), join(data, 'away'), { recursive: true })
    rmSync(join(data, 'repositories'), { recursive: true })

    const { status, notes } = await machineOf(app).admin(['backup', '--to', folderFor(t)])

    assert.equal(status, 1)
    assert.match(notes, /the storage is not available/)
  })

  test('keeps its hold while another one ends', async (t) => {
    const app = await startApp(t)
    const { holdRemovals, areRemovalsHeld } =
      await import('../../../src/platform/storage/removals.ts')
    const first = holdRemovals(app.ctx.config)
    const second = holdRemovals(app.ctx.config)

    first()
    assert.ok(areRemovalsHeld(app.ctx.config))
    second()

    assert.ok(!areRemovalsHeld(app.ctx.config))
  })
})
