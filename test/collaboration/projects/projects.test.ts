import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { column, repo, withTracker } from '../issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { projects, withBoard } from './setup.ts'

suite('projects of a repository', () => {
  test('are closed or open as asked for, also by two at once', async (t) => {
    const { app, ann } = await withTracker(t)
    const { id } = (await app.post(ann, projects, { title: 'Plan' })).body
    const set = (state: string) => app.patch(ann, `${projects}/${id}`, { state })

    for (let round = 0; round < 10; round++) {
      const [closed, open] = await Promise.all([set('closed'), set('open')])

      assert.deepEqual([closed.body.state, open.body.state], ['closed', 'open'])
      await set('open')
    }
  })

  test('are made with the columns of a template, shown and listed by state', async (t) => {
    const { app, ann, cat } = await withTracker(t)
    const made = await app.post(cat, projects, {
      title: 'Plan',
      description: 'what comes next',
      template_type: 'basic_kanban',
      card_type: 'images_and_text',
    })
    assertStatus(made, 201)
    const { id, created_at, creator, ...rest } = made.body
    assert.equal(creator.login, 'cat')
    assert.deepEqual(rest, {
      title: 'Plan',
      description: 'what comes next',
      owner_id: 0,
      repo_id: (await app.get(ann, repo)).body.id,
      creator_id: cat.id,
      is_closed: false,
      state: 'open',
      template_type: 'basic_kanban',
      card_type: 'images_and_text',
      type: 'repository',
      html_url: `http://codestead.test/ann/r/projects/${id}`,
      num_open_issues: 0,
      num_closed_issues: 0,
      num_issues: 0,
      updated_at: created_at,
      closed_at: null,
    })
    assert.deepEqual((await app.get(cat, `${projects}/${id}`)).body, made.body)

    const templates = { none: 1, basic_kanban: 4, bug_triage: 5, '': 1 }
    for (const [template_type, count] of Object.entries(templates)) {
      const { body } = await app.post(ann, projects, { title: 'T', template_type })
      const columns = await app.get(undefined, `${projects}/${body.id}/columns`)
      assert.equal(columns.headers['x-total-count'], String(count), template_type)
      assert.deepEqual(
        column(columns, 'default'),
        Array.from({ length: count }, (_, at) => at === 0),
      )
    }
    app.passTime(60)
    const closed = await app.patch(ann, `${projects}/${id}`, { state: 'closed' })
    assert.equal(closed.body.state, 'closed')
    assert.equal(closed.body.closed_at, closed.body.updated_at)
    assert.deepEqual(column(await app.get(ann, projects), 'title'), ['T', 'T', 'T', 'T'])
    assert.deepEqual(column(await app.get(ann, `${projects}?state=closed`), 'id'), [id])
    const page = await app.get(ann, `${projects}?state=all&limit=2&page=3`)
    assert.deepEqual(column(page, 'id'), [id])
    assert.equal(page.headers['x-total-count'], '5')
  })

  test('are edited as far as something is said, and deleted without their issues', async (t) => {
    const { app, ann, board, open, columnAt } = await withBoard(t)
    const issue = await open(ann, { title: 'one' })
    assertStatus(await app.post(ann, `${await columnAt('To Do')}/issues/${issue.id}`), 201)

    const edited = await app.patch(ann, board, { title: '', description: 'd', state: '' })
    assert.partialDeepStrictEqual(edited.body, {
      title: 'Plan',
      description: 'd',
      state: 'open',
      num_issues: 1,
    })
    assert.equal((await app.patch(ann, board, { state: 'closed' })).body.is_closed, true)
    const opened = await app.patch(ann, board, { state: 'open', title: 'New' })
    assert.partialDeepStrictEqual(opened.body, { title: 'New', closed_at: null, state: 'open' })
    await app.patch(ann, `${repo}/issues/1`, { state: 'closed' })
    assert.partialDeepStrictEqual((await app.get(ann, board)).body, {
      num_open_issues: 0,
      num_closed_issues: 1,
      num_issues: 1,
    })

    assertStatus(await app.delete(ann, board), 204)
    assertError(await app.get(ann, board), 404)
    assert.equal((await app.get(ann, `${repo}/issues/1`)).body.projects, null)
  })

  test('are refused when they make no sense', async (t) => {
    const { app, ann, board, columnAt } = await withBoard(t)
    const bad: object[] = [
      {},
      { title: '' },
      { title: 'x'.repeat(256) },
      { title: 'x', template_type: 'other' },
      { title: 'x', card_type: 'other' },
      { title: 1 },
    ]
    for (const body of bad) assertError(await app.post(ann, projects, body), 422)
    for (const body of [{ state: 'other' }, { card_type: 'x' }, { title: 'x'.repeat(256) }]) {
      assertError(await app.patch(ann, board, body), 422)
    }
    for (const body of [{}, { title: '' }, { title: 'x', color: 'red' }]) {
      assertError(await app.post(ann, `${board}/columns`, body), 422)
    }
    const todo = await columnAt('To Do')
    for (const body of [{ color: '#12345' }, { sorting: 128 }, { sorting: -129 }]) {
      assertError(await app.patch(ann, todo, body), 422)
    }
    assert.deepEqual(column(await app.get(ann, `${projects}?state=all`), 'title'), ['Plan'])
  })

  test('are shown to readers of the unit, changed by writers, and not while archived', async (t) => {
    const { app, ann, bob, cat, board, open, columnAt } = await withBoard(t)
    const { id } = await open(ann, { title: 'one' })
    const todo = await columnAt('To Do')
    assertStatus(await app.post(ann, `${todo}/issues/${id}`), 201)
    const writes: [method: 'post' | 'patch' | 'delete', path: string, body?: object][] = [
      ['post', projects, { title: 'x' }],
      ['patch', board, { title: 'x' }],
      ['post', `${board}/columns`, { title: 'x' }],
      ['post', `${board}/columns/move`, { column_ids: [] }],
      ['patch', todo, { title: 'x' }],
      ['post', `${todo}/default`],
      ['post', `${todo}/issues/${id}`],
      ['post', `${board}/issues/${id}/move`, { column_id: 1 }],
      ['delete', `${todo}/issues/${id}`],
      ['delete', todo],
      ['delete', board],
    ]
    const reads = [projects, board, `${board}/columns`, todo, `${todo}/issues`]
    const outcome = async (who: typeof bob | undefined, status: number) => {
      for (const [method, path, body] of writes) {
        assert.equal((await app[method](who, path, body)).status, status, `${method} ${path}`)
      }
    }
    const seen = async (who: typeof bob | undefined, status: number) => {
      for (const path of reads) assert.equal((await app.get(who, path)).status, status, path)
    }

    await seen(undefined, 200)
    await outcome(undefined, 401)
    await outcome(bob, 403)
    await app.patch(ann, repo, { archived: true })
    await outcome(cat, 423)
    await app.patch(ann, repo, { archived: false, private: true })
    await seen(bob, 404)
    await outcome(bob, 404)
    await seen(cat, 200)
    for (const unit of [{ has_projects: false }, { has_projects: true, projects_mode: 'owner' }]) {
      await app.patch(ann, repo, unit)
      await seen(ann, 404)
      await outcome(ann, 404)
    }
    await app.patch(ann, repo, { has_projects: true, projects_mode: 'repo' })
    await seen(cat, 200)
    const scopes = { 'read:issue': [200, 403], 'write:issue': [200, 200], 'write:user': [403, 403] }
    for (const [scope, statuses] of Object.entries(scopes)) {
      const narrow = await app.withToken(cat.account, [scope])
      const edited = await app.patch(narrow, board, { description: 'd' })
      assert.deepEqual([(await app.get(narrow, board)).status, edited.status], statuses, scope)
    }
    assertStatus(await app.delete(cat, board), 204)
  })

  test('are not found in another repository, nor gone with the account that made them', async (t) => {
    const { app, ann, cat, open } = await withBoard(t)
    const root = await app.addAdmin()
    const { body } = await app.post(cat, projects, { title: 'of cat' })
    const at = `${projects}/${body.id}`
    assertStatus(await app.post(ann, '/user/repos', { name: 'other' }), 201)
    const foreign = await open(ann, { title: 'x' }, '/repos/ann/other/issues')
    const columns = (await app.get(ann, `${at}/columns`)).body as { id: number }[]
    const there = at.replace('/r/', '/other/')

    assertError(await app.get(ann, there), 404)
    assertError(await app.get(ann, `${there}/columns`), 404)
    assertError(await app.delete(ann, there), 404)
    assertError(await app.post(ann, `${at}/columns/${columns[0]?.id}/issues/${foreign.id}`), 404)
    for (const projects_ of [[body.id], [999]]) {
      const refused = await app.post(ann, '/repos/ann/other/issues', {
        title: 'y',
        projects: projects_,
      })
      assertError(refused, 400, /^project does not exist/)
    }
    assertStatus(await app.delete(root, '/admin/users/cat?purge=true'), 204)
    const left = await app.get(ann, at)
    assert.equal(left.body.creator.login, 'Ghost')
    assertStatus(await app.delete(ann, repo), 204)
    const { db } = app.ctx
    assert.deepEqual(await db.selectFrom('project_column').selectAll().execute(), [])
  })
})
