import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { foldersOf } from '../../code/mirrors/support.ts'
import { startApp } from '../../support/app.ts'
import { whileDeleting } from '../../support/deleting.ts'
import { assertStatus } from '../../support/expect.ts'
import { Pause, startFailingGit } from '../../support/failing-git.ts'

suite('a repository that is deleted meanwhile', () => {
  test('is not found by what reads it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const places = ['issue_templates', 'issue_config', 'commits', 'branches', 'git/refs']

    const answers = await whileDeleting(
      app,
      ann,
      [...places, ...places].map((place) => (path) => app.get(ann, `${path}/${place}`)),
    )

    assert.deepEqual(
      answers.filter((answer) => !/^(?:200|404 .*"not found")/.test(answer)),
      [],
    )
  })

  test('is not found by what asks git for a long text of it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const places = ['git/commits/main.diff', 'git/commits/main.patch', 'raw/README.md']

    const answers = await whileDeleting(
      app,
      ann,
      [...places, ...places].map((place) => (path) => app.get(ann, `${path}/${place}`)),
      4,
    )

    assert.deepEqual(
      answers.filter((answer) => !/^(?:200|404 .*"not found")/.test(answer)),
      [],
    )
  })

  test('is not found where git has begun to say something of it', async (t) => {
    const { host, failAt } = await startFailingGit(t)
    const { app } = host
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
    const pause = new Pause(host)
    failAt('format-patch', { begins: `echo From\n${pause.lines}\nexit 128` })

    const patch = app.get(ann, '/repos/ann/one/git/commits/main.patch')
    await pause.begun()
    assertStatus(await app.delete(ann, '/repos/ann/one'), 204)
    pause.end()

    assertStatus(await patch, 404)
  })

  test('is not found by what changes it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const hook = { type: 'gitea', config: { url: 'http://example.org', content_type: 'json' } }
    const file = { content: '', message: 'x' }

    const answers = await whileDeleting(app, ann, [
      (path) => app.patch(ann, path, { has_wiki: true, allow_rebase: false, has_actions: true }),
      (path) => app.patch(ann, path, { has_wiki: false, has_actions: false }),
      (path) => app.patch(ann, path, { default_branch: 'main', archived: false }),
      (path) => app.post(ann, `${path}/hooks`, hook),
      (path) => app.put(ann, `${path}/collaborators/bob`, { permission: 'read' }),
      (path) => app.post(ann, `${path}/branches`, { new_branch_name: 'b' }),
      (path) => app.post(ann, `${path}/contents/a`, file),
      (path) => app.put(bob, path.replace('/repos', '/user/starred')),
      (path) => app.put(ann, `${path}/topics`, { topics: ['one', 'two'] }),
    ])

    assert.deepEqual(
      answers.filter((answer) => !/^(?:20[014]|404 .*"not found")/.test(answer)),
      [],
    )
  })

  for (const command of ['fast-import', 'log', 'rev-list']) {
    test(`while git ${command} runs for a commit leaves no folder, and is no error of the server`, async (t) => {
      const { host, failAt } = await startFailingGit(t)
      const { app } = host
      const ann = await app.addCaller('ann')
      assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
      const topic = { content: '', new_branch: 'topic' }
      assertStatus(await app.post(ann, '/repos/ann/one/contents/other', topic), 201)
      const pull = { title: 'x', head: 'topic', base: 'main' }
      assertStatus(await app.post(ann, '/repos/ann/one/pulls', pull), 201)
      await app.ctx.jobs.runDue()
      const errors = t.mock.method(app.ctx.log, 'error')
      const folder = await host.folderOf('ann/one')
      const pause = new Pause(host)
      const file = { content: '', branch: 'topic' }
      // It writes where the folder was just removed, be it only how it failed.
      const writes = command === 'fast-import' ? `mkdir -p '${folder}/objects/pack'` : ''
      failAt(command, { begins: `${pause.lines}\n${writes}\nexit 128` })

      const written = app.post(ann, '/repos/ann/one/contents/file', file)
      await pause.begun()
      assertStatus(await app.delete(ann, '/repos/ann/one'), 204)
      await app.ctx.jobs.runDue()
      pause.end()

      assertStatus(await written, 404)
      assert.equal(foldersOf(app), 0)
      assert.deepEqual(
        errors.mock.calls.map(({ arguments: [, words] }) => words),
        [],
      )
    })
  }

  test('while it is measured leaves no job, and is no failure of one', async (t) => {
    const { host, failAt } = await startFailingGit(t)
    const { app } = host
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    const work = await host.client.makeRepository()
    await host.client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main'], work)
    const warnings = t.mock.method(app.ctx.log, 'warn')
    const pause = new Pause(host)
    failAt('cat-file', { begins: `${pause.lines}\nexit 128` })

    const done = app.ctx.jobs.runDue()
    await pause.begun()
    assertStatus(await app.delete(ann, '/repos/ann/one'), 204)
    pause.end()
    await done

    const left = await app.ctx.db.selectFrom('job').select('kind').execute()
    assert.deepEqual(
      left.filter(({ kind }) => kind === 'measure_repository'),
      [],
    )
    assert.deepEqual(
      warnings.mock.calls.map(({ arguments: [, words] }) => words),
      [],
    )
  })

  test('is taken out of every count once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const people = [await app.addCaller('bob'), await app.addCaller('eve')]
    const topics = [['one', 'two'], ['two', 'three'], ['three', 'one'], []]

    const answers = await whileDeleting(app, ann, [
      ...topics.map((names) => (path: string) => app.put(ann, `${path}/topics`, { topics: names })),
      ...people.flatMap((person) => [
        (path: string) => app.put(person, path.replace('/repos', '/user/starred')),
        (path: string) => app.put(person, `${path}/subscription`),
        (path: string) => app.delete(person, path.replace('/repos', '/user/starred')),
        (path: string) => app.delete(person, `${path}/subscription`),
      ]),
      (path) => app.patch(ann, path, { private: true, description: 'x' }),
    ])

    assert.deepEqual(
      answers.filter((answer) => !/^(?:200|204|404)/.test(answer)),
      [],
    )
    for (const person of people) {
      assert.equal((await app.get(person, '/user')).body.starred_repos_count, 0)
    }
    const counts = await app.ctx.db.selectFrom('topic').select(['name', 'repo_count']).execute()
    assert.deepEqual(
      counts.filter(({ repo_count: count }) => count !== 0),
      [],
    )
  })
})
