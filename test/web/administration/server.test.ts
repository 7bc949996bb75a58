import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { programVersion } from '../../../src/instance/version.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, mainOf, wordsOf } from '../repository/support.ts'
import { signIn } from '../support.ts'
import {
  administration,
  assertSeenByAdministrators,
  assertTakenFromAdministrators,
  startWithAdministrator,
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
    assert.match(words, /Memory [\d.]+ MB/)
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
      assert.ok(mainOf(before).includes(`<code>${task}</code>`), task)
    }
    assert.match(wordsOf(before), /check_accounts when you say so · has not run yet Run now/)
    assert.match(wordsOf(before), /git_gc_repos every day · has not run yet/)
    assert.match(wordsOf(before), /resume_webhooks every 30 seconds/)
    await assertTakenFromAdministrators(setup, run, { name })
    assert.equal(await runs(), 0)

    const started = await byRoot.post(run, { name })

    assert.equal(started.headers['location'], '/-/admin?started=yes')
    assert.equal(await runs(), 1)
    const after = await byRoot.get('/-/admin?started=yes')
    assert.match(after.text, /role="status">Started\./)
    assert.match(wordsOf(after), /check_accounts when you say so · ran just now , 1 time so far/)
    const unknown = await byRoot.post(run, { name: evil })
    assertStatus(unknown, 404)
    assert.equal(hasScript(unknown), false)
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
