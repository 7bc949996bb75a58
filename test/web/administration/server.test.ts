import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { buildApp } from '../../../src/server/app.ts'
import { keepResult, MAX_KEPT } from '../../../src/server/doctor/results.ts'
import { programVersion } from '../../../src/platform/version.ts'
import { asWorker, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { machineOf } from '../../support/terminal.ts'
import { evil, hasScript, mainOf, wordsOf } from '../repository/support.ts'
import { signIn } from '../support.ts'
import {
  administration,
  assertSeenByAdministrators,
  assertTakenFromAdministrators,
  startWithAdministrator,
  type Setup,
} from './setup.ts'

suite('/-/admin', () => {
  test('is for administrators, whose menu leads to it', async (t) => {
    const setup = await startWithAdministrator(t)
    const link = /href="\/-\/admin"/

    await assertSeenByAdministrators(setup, administration)

    assert.match((await setup.byRoot.get('/')).text, link)
    assert.doesNotMatch((await setup.byAnn.get('/')).text, link)
    assert.doesNotMatch((await setup.visitor.get('/')).text, link)
  })

  test('is gone at once for who administers no longer', async (t) => {
    const { app, root } = await startWithAdministrator(t)
    await app.addAdmin('eve')
    const byEve = await signIn(app, 'eve')
    assertStatus(await byEve.get(administration), 200)

    await app.patch(root, '/admin/users/eve', { admin: false })

    assertStatus(await byEve.get(administration), 404)
    assertStatus(await byEve.post(`${administration}/tasks/run`, { name: 'git_gc_repos' }), 404)
  })

  test('tells what runs here and how much there is', async (t) => {
    const { app, ann, byRoot } = await startWithAdministrator(t)
    await app.post(ann, '/user/repos', { name: 'one', private: true })
    await app.post(ann, '/orgs', { username: 'acme', visibility: 'private' })

    const words = wordsOf(await byRoot.get(administration))

    assert.ok(words.includes(`Codestead ${programVersion} Node.js ${process.versions.node}`))
    const database = app.ctx.db.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    assert.ok(words.includes(`Database ${database} Started`))
    assert.match(words, /Memory [\d.]+ [MG]B/)
    assert.match(words, /People 2, of whom 2 signed in within a month/)
    assert.match(words, /Organizations 1 Repositories 1 /)
  })

  test('lists the tasks of the API, and starts one', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, root, byRoot } = setup
    const run = `${administration}/tasks/run`
    const name = 'check_accounts'
    const runs = async () => {
      const { body } = await app.get(root, '/admin/cron?limit=50')
      return (body as { name: string; exec_times: number }[]).find((one) => one.name === name)
        ?.exec_times
    }
    const { body: tasks } = await app.get(root, '/admin/cron?limit=50')
    const before = await byRoot.get(administration)
    for (const { name: task } of tasks as { name: string }[]) {
      assert.match(mainOf(before), new RegExp(`<code>${task}</code></b><span class="mute">[A-Z]`))
    }
    assert.match(
      wordsOf(before),
      /check_accounts Checks accounts, and mends nothing · when you say so · has not run yet Run now/,
    )
    assert.match(
      wordsOf(before),
      /git_gc_repos Packs repositories, [^·]* · every day · has not run yet/,
    )
    assert.match(wordsOf(before), /resume_webhooks Sends [^·]* · every 30 seconds/)
    await assertTakenFromAdministrators(setup, run, { name })
    assert.equal(await runs(), 0)

    const started = await byRoot.post(run, { name })

    assert.equal(started.headers['location'], '/-/admin?started=yes')
    assert.equal(await runs(), 1)
    const after = await byRoot.get('/-/admin?started=yes')
    assert.match(after.text, /role="status">Started\./)
    assert.match(
      wordsOf(after),
      /check_accounts Checks accounts, and mends nothing · when you say so · ran just now , 1 time so far/,
    )
    const unknown = await byRoot.post(run, { name: evil })
    assertStatus(unknown, 404)
    assert.equal(hasScript(unknown), false)
  })
})

suite('the checks at /-/admin', () => {
  const followers = 'counts of followers are right'

  async function miscount(app: TestApp): Promise<void> {
    await app.ctx.db.updateTable('account').set({ followers_count: 7 }).execute()
  }

  /** Until it has ended. */
  async function run({ app, byRoot }: Setup, name: string): Promise<void> {
    assertStatus(await byRoot.post(`${administration}/tasks/run`, { name }), 303)
    await app.ctx.schedule.stop()
  }

  test('tell when they ran and what they found, until it is mended', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, byRoot } = setup
    const wordsNow = async () => wordsOf(await byRoot.get(administration))
    assert.ok((await wordsNow()).includes(`${followers} has not run yet`))

    await run(setup, 'check_accounts')
    assert.ok((await wordsNow()).includes(`${followers} all is well · looked `))
    await miscount(app)
    await run(setup, 'check_accounts')

    const wrong = await wordsNow()
    assert.ok(wrong.includes(`Not so: ${followers} (2 problems)`))
    assert.match(wrong, /ann has 0 followers and follows 0, counted 7 and 0/)
    assert.ok(wrong.includes(`${followers} 2 problems · looked `))
    assert.match(wrong, /every attachment has its file has not run yet/)
    assert.equal((await machineOf(app).admin(['doctor', '--fix'])).status, 0)
    const mended = await wordsNow()
    assert.doesNotMatch(mended, /Not so|has not run yet every/)
    assert.ok(mended.includes(`${followers} all is well · looked `))
    assert.match(mended, /every attachment has its file all is well/)
  })

  test('show what the command finds, as text, and not more of it than is of use', async (t) => {
    const { app, byRoot } = await startWithAdministrator(t)
    const found = Array.from({ length: MAX_KEPT + 5 }, (_, at) => `${evil} ${at}`)
    await miscount(app)
    assert.equal((await machineOf(app).admin(['doctor'])).status, 1)
    assert.match(wordsOf(await byRoot.get(administration)), /Not so: .*counted 7 and 0/)

    await keepResult(app.ctx.db, followers, found, app.ctx.now())

    const page = await byRoot.get(administration)
    assert.equal(hasScript(page), false)
    const words = wordsOf(page)
    assert.ok(words.includes(`(${MAX_KEPT + 5} problems)`))
    assert.match(words, new RegExp(` ${MAX_KEPT - 1} and 5 more`))
  })

  test('are the same on every node', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, byRoot } = setup
    await miscount(app)
    await run(setup, 'check_accounts')

    const node = await buildApp(app.ctx.config, app.ctx.log, { ...asWorker, now: app.ctx.now })
    t.after(() => node.close())

    const headers = byRoot.headers
    const { payload } = await node.server.inject({ url: administration, headers })
    assert.ok(payload.includes(`Not so: ${followers} (2 problems)`))
  })
})

suite('/-/admin/settings', () => {
  const path = `${administration}/settings`

  test('shows every setting in force, and no secret', async (t) => {
    const changes = {
      metrics: { token: 'very-secret-token' },
      ui: { default_theme: evil },
      users: { restricted: true },
    }
    const setup = await startWithAdministrator(t, changes)
    await assertSeenByAdministrators(setup, path)

    const page = await setup.byRoot.get(path)

    const words = wordsOf(page)
    assert.doesNotMatch(page.text, /very-secret-token/)
    assert.match(words, /metrics\.token \*\*\* · metrics\.token/)
    assert.match(words, /users\.restricted true · .*Defaults/)
    assert.match(words, /Defaults .*users\.hide_email false/)
    assert.match(words, /security\.secret_key empty/)
    assert.ok(words.includes(`data ${setup.app.ctx.config.data}`))
    assert.equal(hasScript(page), false)
  })
})
