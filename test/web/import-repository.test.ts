import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { foldersOf, listenForever, refsOf, startMirrorHost } from '../code/mirrors/support.ts'
import { PASSWORD, startApp, type TestApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { skipWithoutBrowser } from '../support/browser.ts'
import { openBrowser } from './open-browser.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { complaintIn } from './settings/setup.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor } from './support.ts'
import { until } from '../support/until.ts'

const path = '/repo/migrate'
const reloads = /<meta http-equiv="refresh" content="\d+">/

const importsOf = ({ ctx }: TestApp) => ctx.db.selectFrom('repository_import').selectAll().execute()
const jobsOf = ({ ctx }: TestApp) => ctx.db.selectFrom('job').selectAll().execute()

/** A page without what differs from one address, or one moment, to the next. */
const plain = (text: string) => text.replace(/nonce="\w+"/g, '').replaceAll('absent', 'source')

async function giveUpPath(app: TestApp): Promise<string> {
  const [{ id } = { id: 0 }] = await importsOf(app)
  return `${path}/${id}/give-up`
}

suite(path, () => {
  test('brings a repository from elsewhere, as it is called there or otherwise', async (t) => {
    const { host, app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    assert.match((await byBob.get('/repo/create')).text, /<a href="\/repo\/migrate">imported<\/a>/)
    const form = { clone_addr: address, description: evil }

    const same = await byBob.post(path, form)
    const other = await byBob.post(path, { ...form, repo_name: 'copy', private: 'true' })
    const mirror = await byBob.post(path, { ...form, repo_name: 'kept', mirror: 'true' })
    await app.ctx.jobs.runDue()

    const leads = [same, other, mirror].map(({ status, headers }) => [status, headers['location']])
    assert.deepEqual(leads, [
      [303, '/bob/source'],
      [303, '/bob/copy'],
      [303, '/bob/kept'],
    ])
    for (const [name, record] of [
      ['source', { private: false, mirror: false, description: evil, original_url: address }],
      ['copy', { private: true, mirror: false }],
      ['kept', { private: false, mirror: true }],
    ] as const) {
      const { body } = await app.get(bob, `/repos/bob/${name}`)
      assert.partialDeepStrictEqual(body, { ...record, empty: false })
      assert.deepEqual(await refsOf(host, `bob/${name}`), ['refs/heads/main'])
    }
    assert.deepEqual(await importsOf(app), [])
  })

  test('leads at once to where the repository will be, which says so until it is', async (t) => {
    const { host, app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')

    const { headers } = await byBob.post(path, { clone_addr: address, repo_name: 'Copy' })
    const before = await byBob.get(headers['location'] ?? '')
    const list = await byBob.get(path)
    await app.ctx.jobs.runDue()
    const after = await byBob.get('/bob/copy')

    assertStatus(before, 200)
    assert.match(before.text, reloads)
    assert.match(wordsOf(before), /bob\/Copy This repository is being imported It comes from http/)
    assert.match(wordsOf(list), /Not there yet bob\/Copy : is being imported Cancel/)
    assert.match(wordsOf(after), /README\.md/)
    assert.doesNotMatch(after.text, reloads)
    assert.doesNotMatch(wordsOf(await byBob.get(path)), /Not there yet/)
    assertStatus(await app.get(bob, '/repos/bob/copy'), 200)
    await host.assertSound('bob/copy')
  })

  test('is shown also where an old name leads elsewhere', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    await app.post(bob, '/user/repos', { name: 'old' })
    await app.patch(bob, '/repos/bob/old', { name: 'new' })
    assertStatus(await byBob.get('/bob/old'), 301)

    assertStatus(await byBob.post(path, { clone_addr: address, repo_name: 'old' }), 303)

    assert.match((await byBob.get('/bob/old')).text, reloads)
    await app.ctx.jobs.runDue()
    assert.equal((await app.get(bob, '/repos/bob/old')).body.empty, false)
  })

  test('is shown while it lasts to those alone whose repository it will be', async (t) => {
    const { host, app, ann, address } = await startMirrorHost(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.addAdmin()
    const [byAnn, byBob, byRoot] = [
      await signIn(app, 'ann'),
      await signIn(app, 'bob'),
      await signIn(app, 'root'),
    ]
    assertStatus(await byRoot.post(path, { clone_addr: address, owner: 'acme' }), 303)
    const cancel = await giveUpPath(app)

    for (const visitor of [byAnn, byRoot]) {
      assert.match((await visitor.get('/acme/source')).text, reloads)
    }
    for (const visitor of [byBob, new Visitor(app)]) {
      const [there, absent] = [await visitor.get('/acme/source'), await visitor.get('/acme/absent')]
      assertStatus(there, 404)
      assert.equal(plain(there.text), plain(absent.text))
    }
    assertStatus(await byBob.post(cancel), 404)
    assertStatus(await byBob.get(`${path}?import=${cancel.split('/')[3]}`), 404)
    assertStatus(await byAnn.post(cancel, {}, fromElsewhere), 403)
    assertStatus(await byAnn.get('/acme/source/issues'), 404)
    assertStatus(await app.get(ann, '/repos/acme/source'), 404)
    assert.deepEqual((await app.get(ann, '/orgs/acme/repos')).body, [])
    const url = host.urlFor('ann', 'acme/source.git')
    assert.notEqual((await host.client.run(['clone', '--quiet', url, 'x'])).code, 0)
    assert.equal((await importsOf(app)).length, 1)
  })

  test('brings what is not open to everybody with the name and the password there', async (t) => {
    const { app, ann, bob, address } = await startMirrorHost(t)
    await app.patch(ann, '/repos/ann/source', { private: true })
    const byBob = await signIn(app, 'bob')
    const form = { clone_addr: address, repo_name: 'r', auth_username: 'ann', description: 'mine' }

    assertStatus(await byBob.post(path, { ...form, auth_password: 'canary-wrong' }), 303)
    const kept = JSON.stringify([await importsOf(app), await jobsOf(app)])
    await app.ctx.jobs.runDue()
    const refused = await byBob.get('/bob/r')
    const [failed] = await importsOf(app)
    const again = await byBob.get(`${path}?import=${failed?.id}`)
    assertStatus(await byBob.post(path, { ...form, auth_password: PASSWORD }), 303)
    await app.ctx.jobs.runDue()

    assert.doesNotMatch(kept, /canary|"ann"/)
    assert.match(wordsOf(refused), /could not be imported It is not open to everybody/)
    assert.match(refused.text, new RegExp(`href="${path}\\?import=${failed?.id}">Try again<`))
    assert.doesNotMatch(refused.text + again.text, /canary/)
    assert.doesNotMatch(refused.text, reloads)
    assert.equal(failed?.secrets, '')
    assert.match(again.text, /name="description"[^>]* value="mine"/)
    assert.match(again.text, /name="repo_name"[^>]* value="r"/)
    const { body } = await app.get(bob, '/repos/bob/r')
    assert.equal(body.description, 'mine')
    assert.doesNotMatch(JSON.stringify(body), new RegExp(PASSWORD))
    assert.deepEqual(await importsOf(app), [])
  })

  test('says what is wrong, and leaves nothing behind', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    await app.post(bob, '/user/repos', { name: 'there' })
    const byBob = await signIn(app, 'bob')

    for (const [fields, complaint] of [
      [{ clone_addr: '' }, /^clone_addr: This is needed/],
      [{ clone_addr: 'ftp://x.test/r.git' }, /^clone_addr: Nothing can be brought/],
      [{ clone_addr: evil, repo_name: 'r' }, /^clone_addr: Nothing can be brought/],
      [{ clone_addr: address, repo_name: 'there' }, /^repo_name: There is a repository/],
      [{ clone_addr: address, repo_name: '..' }, /^repo_name: /],
      [{ clone_addr: address, repo_name: evil }, /^repo_name: Only letters/],
    ] as const) {
      const answer = await byBob.post(path, fields)
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
    const unknown = await byBob.post(path, { clone_addr: address, owner: 'ann' })
    assertStatus(unknown, 422)
    assert.match(wordsOf(unknown), /Given user is not an organization/)
    assert.deepEqual([await importsOf(app), await jobsOf(app)], [[], []])
    const { body } = await app.get(bob, '/user/repos')
    assert.equal(body.length, 1)
  })

  test('says later what only the other server knew, until that is deleted', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')

    assertStatus(await byBob.post(path, { clone_addr: `${address}x`, repo_name: 'r' }), 303)
    await app.ctx.jobs.runDue()
    const shown = await byBob.get('/bob/r')
    assertStatus(await app.get(bob, '/repos/bob/r'), 404)
    const gone = await byBob.post(await giveUpPath(app))

    assertStatus(shown, 200)
    assert.match(wordsOf(shown), /could not be imported It /)
    assert.deepEqual([gone.status, gone.headers['location']], [303, '/bob'])
    assertStatus(await byBob.get('/bob/r'), 404)
    assert.deepEqual([await importsOf(app), await jobsOf(app)], [[], []])
    assert.equal(foldersOf(app), 1)
  })

  test('is for those who are signed in, from pages of this server, and for organizations that they own', async (t) => {
    const { app, ann, bob, address } = await startMirrorHost(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const team = { name: 'crew', permission: 'write', can_create_org_repo: true }
    const { body } = await app.post(ann, '/orgs/acme/teams', team)
    await app.put(ann, `/teams/${body.id}/members/bob`)
    const [byAnn, byBob, visitor] = [
      await signIn(app, 'ann'),
      await signIn(app, 'bob'),
      new Visitor(app),
    ]
    const form = { clone_addr: address, owner: 'acme' }

    assert.equal(
      (await visitor.get(path)).headers['location'],
      '/user/login?redirect_to=%2Frepo%2Fmigrate',
    )
    assertSessionEnded(await visitor.post(path, form))
    assertStatus(await byAnn.post(path, form, fromElsewhere), 403)
    assert.match((await byAnn.get(path)).text, /<option>acme<\/option>/)
    assert.doesNotMatch((await byBob.get(path)).text, /<option>acme<\/option>/)
    assertStatus(await byBob.post(path, form), 422)
    await app.ctx.jobs.runDue()
    assertStatus(await app.get(ann, '/repos/acme/source'), 404)
    assertStatus(await byAnn.post(path, form), 303)
    await app.ctx.jobs.runDue()
    assertStatus(await app.get(bob, '/repos/acme/source'), 200)
  })

  test('ends when it is given up', { timeout: 120_000 }, async (t) => {
    const { app, bob } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    const endless = await listenForever(t)
    assertStatus(await byBob.post(path, { clone_addr: endless.url, repo_name: 'r' }), 303)

    const working = app.ctx.jobs.runDue()
    await endless.reached
    assert.match((await byBob.get('/bob/r')).text, reloads)
    assertStatus(await byBob.post(await giveUpPath(app)), 303)
    await endless.left
    await working

    assertStatus(await byBob.get('/bob/r'), 404)
    assertStatus(await app.get(bob, '/repos/bob/r'), 404)
    assert.deepEqual([await importsOf(app), await jobsOf(app)], [[], []])
    assert.equal(foldersOf(app), 1)
  })

  test('makes nothing of what is given up at the last moment', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    assertStatus(await byBob.post(path, { clone_addr: address, repo_name: 'r' }), 303)
    const { jobs } = app.ctx
    const { git } = app.ctx
    const start = git.start.bind(git)
    t.mock.method(git, 'start', async (...given: Parameters<typeof start>) => {
      if (given[1].includes('fetch')) await byBob.post(await giveUpPath(app))
      return start(...given)
    })

    await jobs.runDue()

    assertStatus(await app.get(bob, '/repos/bob/r'), 404)
    assert.deepEqual([await importsOf(app), await jobsOf(app)], [[], []])
    assert.equal(foldersOf(app), 1)
  })

  test('is begun anew after the server was stopped', { timeout: 120_000 }, async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    const endless = await listenForever(t)
    assertStatus(await byBob.post(path, { clone_addr: endless.url, repo_name: 'r' }), 303)

    app.ctx.jobs.start()
    await endless.reached
    await app.ctx.jobs.stop()
    assert.match((await byBob.get('/bob/r')).text, reloads)
    assert.equal(foldersOf(app), 1)
    await app.ctx.db.updateTable('repository_import').set({ address }).execute()
    app.ctx.jobs.start()
    await until(async () => (await importsOf(app)).length === 0)
    await app.ctx.jobs.stop()

    assert.equal((await app.get(bob, '/repos/bob/r')).body.empty, false)
    assert.deepEqual(await importsOf(app), [])
  })

  test('gives a name once, to whoever has it first', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    const form = { clone_addr: address, repo_name: 'r' }

    const answers = await Promise.all(
      ['r', 'R', 'r', 'R'].map((name) => byBob.post(path, { ...form, repo_name: name })),
    )
    const refused = answers.filter(({ status }) => status === 422)
    await app.post(bob, '/user/repos', { name: 'r', description: 'made by hand' })
    await app.ctx.jobs.runDue()

    assert.equal(refused.length, 3)
    for (const { text } of refused) {
      assert.equal(complaintIn(text), 'repo_name: It is being imported already.')
    }
    assert.equal((await app.get(bob, '/repos/bob/r')).body.description, 'made by hand')
    assertStatus(await byBob.get('/bob/r'), 200)
    assert.match(
      wordsOf(await byBob.get(path)),
      /bob\/[rR] : There is a repository of this name already/,
    )
    assertStatus(await byBob.post(await giveUpPath(app)), 303)
    assert.doesNotMatch(wordsOf(await byBob.get(path)), /Not there yet/)
    assert.equal(foldersOf(app), 2)
  })

  test('is not done for who may not have it any more, nor for who is gone', async (t) => {
    const { app, ann, address } = await startMirrorHost(t)
    const root = await app.addAdmin()
    await app.post(ann, '/orgs', { username: 'acme' })
    const { body: teams } = await app.get(ann, '/orgs/acme/teams')
    await app.put(ann, `/teams/${teams[0].id}/members/bob`)
    await app.addPerson('cat')
    await app.addPerson('dan')
    for (const [name, owner] of [
      ['bob', 'acme'],
      ['cat', 'cat'],
      ['dan', 'dan'],
    ] as const) {
      const visitor = await signIn(app, name)
      assertStatus(await visitor.post(path, { clone_addr: address, owner }), 303)
    }

    await app.delete(ann, `/teams/${teams[0].id}/members/bob`)
    await app.patch(root, '/admin/users/cat', {
      prohibit_login: true,
      login_name: 'cat',
      source_id: 0,
    })
    assertStatus(await app.delete(root, '/admin/users/dan'), 204)
    await app.ctx.jobs.runDue()

    const reasons = (await importsOf(app)).map(({ last_error }) => last_error)
    assert.deepEqual(reasons, Array(2).fill('Whoever asked for it may not do so any more.'))
    assertStatus(await app.get(root, '/repos/acme/source'), 404)
    assertStatus(await app.get(root, '/repos/cat/source'), 404)
    assert.equal(foldersOf(app), 1)
    assert.deepEqual(await jobsOf(app), [])
  })

  test('is not done either for who loses the right to it meanwhile', async (t) => {
    const { app, ann, address } = await startMirrorHost(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const { body: teams } = await app.get(ann, '/orgs/acme/teams')
    const membership = `/teams/${teams[0].id}/members/bob`
    await app.put(ann, membership)
    const byBob = await signIn(app, 'bob')
    assertStatus(await byBob.post(path, { clone_addr: address, owner: 'acme' }), 303)
    const { git } = app.ctx
    const start = git.start.bind(git)
    t.mock.method(git, 'start', async (...given: Parameters<typeof start>) => {
      if (given[1].includes('fetch')) assertStatus(await app.delete(ann, membership), 204)
      return start(...given)
    })

    await app.ctx.jobs.runDue()

    const reasons = (await importsOf(app)).map(({ last_error }) => last_error)
    assert.deepEqual(reasons, ['Whoever asked for it may not do so any more.'])
    assertStatus(await app.get(ann, '/repos/acme/source'), 404)
    assert.equal(foldersOf(app), 1)
  })

  test('takes a score of one person at a time, and not more than the server lets them have', async (t) => {
    const { app, address } = await startMirrorHost(t, { repositories: { max_per_user: 25 } })
    const byBob = await signIn(app, 'bob')
    const begin = (name: string) => byBob.post(path, { clone_addr: address, repo_name: name })

    for (let at = 0; at < 20; at++) assertStatus(await begin(`r${at}`), 303)
    const tooMany = await begin('more')
    await app.ctx.jobs.runDue()
    for (let at = 20; at < 28; at++) assertStatus(await begin(`r${at}`), 303)
    await app.ctx.jobs.runDue()

    assertStatus(tooMany, 422)
    assert.match(wordsOf(tooMany), /Too much is being imported already/)
    const made = await app.ctx.db.selectFrom('repository').select('id').execute()
    assert.equal(made.length, 26)
    assert.equal((await importsOf(app)).length, 3)
    assert.match(wordsOf(await byBob.get(path)), /reached maximum limit of repositories/)
  })

  test('is not there where nothing is imported', async (t) => {
    const app = await startApp(t, { repositories: { migrations: false } })
    await app.addPerson('ann')
    const byAnn = await signIn(app, 'ann')

    assertStatus(await byAnn.get(path), 404)
    assert.doesNotMatch((await byAnn.get('/repo/create')).text, /repo\/migrate/)
  })
})

suite('the page of what is being imported', { skip: skipWithoutBrowser }, () => {
  test('becomes that of the repository by itself, without script', async (t) => {
    const { setup, page, root } = await openBrowser(t, 1200, { network: { allow_private: true } })
    await page.goto(`${root}/user/login`)
    await page.getByLabel('Name or e-mail').fill('ann')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Account of ann' }).waitFor()
    await page.goto(`${root}${path}`)

    await page.getByLabel('Clone address').fill(`${root}/ann/one.git`)
    await page.getByLabel('Name', { exact: true }).fill('copy')
    await page.getByRole('button', { name: 'Import' }).click()
    await page.getByRole('heading', { name: 'This repository is being imported' }).waitFor()
    await setup.app.ctx.jobs.runDue()

    await page.getByRole('link', { name: 'README.md' }).first().waitFor()
    assert.equal(page.url(), `${root}/ann/copy`)
  })
})
