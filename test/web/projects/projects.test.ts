import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { column } from '../../collaboration/issues/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addIssue, startWithIssues, type Setup } from '../issues/setup.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, assertAsksFirst, fromElsewhere } from '../support.ts'

const projects = '/ann/one/projects'
const api = `/repos${projects}`

interface Board extends Setup {
  /** The page of a project with the columns Backlog, To Do, In Progress, Done. */
  readonly board: string
  readonly columnId: (title: string) => Promise<number>
  /** The numbers in the columns that hold any. */
  readonly shown: () => Promise<Record<string, unknown>>
}

async function startWithBoard(t: TestContext, title = 'Plan'): Promise<Board> {
  const setup = await startWithIssues(t)
  const { app, ann } = setup
  const wanted = { title, description: `*soon* ${evil}`, template_type: 'basic_kanban' }
  const { body } = await app.post(ann, api, wanted)
  const at = `${api}/${body.id}/columns`
  const columns = async () => (await app.get(ann, at)).body as TestAnswer['body'][]
  const columnId = async (wantedTitle: string) =>
    (await columns()).find((one) => one.title === wantedTitle)?.id as number
  const shown = async () => {
    const lists: Record<string, unknown> = {}
    for (const one of await columns()) {
      const numbers = column(await app.get(ann, `${at}/${one.id}/issues`), 'number')
      if (numbers.length > 0) lists[one.title] = numbers
    }
    return lists
  }
  return { ...setup, board: `${projects}/${body.id}`, columnId, shown }
}

suite('/{owner}/{repo}/projects', () => {
  test('makes, changes, closes, reopens and deletes projects', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    const all = async () => (await app.get(ann, `${api}?state=all`)).body
    assert.match(wordsOf(await visitor.get(projects)), /There is no open project/)
    assert.match((await visitor.get('/ann/one/issues')).text, /href="\/ann\/one\/projects"/)
    assertStatus(await byAnn.get(`${projects}/new`), 200)

    const fields = { title: ' Plan ', description: 'a\r\nb', template: 'bug_triage' }
    const made = await byAnn.post(`${projects}/new`, fields)

    const [{ id }] = await all()
    const board = `${projects}/${id}`
    assert.equal(made.headers['location'], board)
    assert.partialDeepStrictEqual((await all())[0], {
      title: 'Plan',
      description: 'a\nb',
      template_type: 'bug_triage',
    })
    assert.match(wordsOf(await byBob.get(board)), /Needs Triage 0.*High Priority 0/s)
    assert.match((await byAnn.get(`${board}/edit`)).text, /value="Plan"/)
    await byAnn.post(`${board}/edit`, { title: 'Other', description: '' })
    await byAnn.post(`${board}/state`, { action: 'close' })
    assert.partialDeepStrictEqual((await all())[0], { title: 'Other', state: 'closed' })
    assert.doesNotMatch(wordsOf(await byBob.get(projects)), /Other/)
    assert.match(wordsOf(await byBob.get(`${projects}?state=closed`)), /Other 0 of 0 closed/)
    await byAnn.post(`${board}/state`, { action: 'open' })
    assertStatus(await byAnn.post(`${board}/delete`, { confirm: 'x' }), 422)
    assert.equal((await all())[0].state, 'open')
    assertStatus(await byAnn.post(`${board}/delete`, { confirm: 'Other' }), 303)
    assert.deepEqual(await all(), [])
  })

  test('says in place what is wrong, and keeps what was typed', async (t) => {
    const { byAnn, board, app, ann } = await startWithBoard(t)
    for (const address of [`${projects}/new`, `${board}/edit`]) {
      for (const [title, problem] of [
        [' ', /Give it a title/],
        ['x'.repeat(256), /at most 255/],
      ] as const) {
        const answer = await byAnn.post(address, { title, description: evil, template: 'x' })
        assertStatus(answer, 422)
        assert.match(wordsOf(answer), problem)
        assert.match(answer.text, />\n&lt;script&gt;[^<]*<\/textarea>/)
        assert.equal(hasScript(answer), false)
      }
    }
    assert.deepEqual(column(await app.get(ann, api), 'title'), ['Plan'])
  })

  test('is changed by those who write projects, on this site', async (t) => {
    const setup = await startWithBoard(t)
    const { app, ann, byAnn, byBob, visitor, board, columnId, shown } = setup
    await addIssue(setup, ann)
    const todo = await columnId('To Do')
    await byAnn.post(`${board}/cards/new`, { column: String(todo), number: '1' })
    const sent = [
      [`${projects}/new`, { title: 'x' }],
      [`${board}/edit`, { title: 'x' }],
      [`${board}/state`, { action: 'close' }],
      [`${board}/delete`, { confirm: 'Plan' }],
      [`${board}/columns/new`, { title: 'x' }],
      [`${board}/columns/${todo}/edit`, { title: 'x' }],
      [`${board}/columns/${todo}/order`, { position: '1' }],
      [`${board}/columns/${todo}/default`, {}],
      [`${board}/columns/${todo}/delete`, {}],
      [`${board}/cards/new`, { column: String(todo), number: '1' }],
      [`${board}/cards/1/move`, { column: String(await columnId('Done')) }],
      [`${board}/cards/1/remove`, {}],
    ] as const
    const before = (await app.get(ann, `${api}/${board.split('/').at(-1)}/columns`)).body
    for (const [address, fields] of sent) {
      assertSessionEnded(await visitor.post(address, fields))
      assertStatus(await byBob.post(address, fields), 403)
      assertStatus(await byAnn.post(address, fields, fromElsewhere), 403)
    }
    for (const page of [`${projects}/new`, `${board}/edit`]) {
      assertStatus(await byBob.get(page), 404)
    }
    for (const missing of ['0', 'Plan', '99'])
      assertStatus(await byAnn.get(`${projects}/${missing}`), 404)
    assert.doesNotMatch((await byBob.get(projects)).text, /projects\/new/)
    assert.doesNotMatch((await byBob.get(board)).text, /<form[^>]*projects|movable/)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    for (const [address, fields] of sent) assertStatus(await byAnn.post(address, fields), 423)
    assert.doesNotMatch((await byAnn.get(board)).text, /movable/)
    await app.patch(ann, '/repos/ann/one', { archived: false, has_projects: false })
    for (const page of [projects, board]) assertStatus(await byAnn.get(page), 404)
    assert.doesNotMatch((await byAnn.get('/ann/one')).text, /one\/projects/)
    await app.patch(ann, '/repos/ann/one', { has_projects: true, private: true })
    for (const page of [projects, board]) assertStatus(await byBob.get(page), 404)
    assert.deepEqual((await app.get(ann, `${api}/${board.split('/').at(-1)}/columns`)).body, before)
    assert.deepEqual(await shown(), { 'To Do': [1] })
  })
})

suite('/{owner}/{repo}/projects/{id}', () => {
  test('shows columns and what is in them, whatever people write', async (t) => {
    const setup = await startWithBoard(t, evil)
    const { app, ann, visitor, board, columnId } = setup
    const id = Number(board.split('/').at(-1))
    await addIssue(setup, ann, { title: evil, projects: [id], assignees: ['ann'] })
    await app.post(ann, '/repos/ann/one/labels', { name: `bug ${evil}`, color: '#ff0000' })
    await app.post(ann, '/repos/ann/one/issues/1/labels', { labels: [`bug ${evil}`] })
    const done = await addIssue(setup, ann, { title: 'Ready', projects: [id] })
    await app.patch(ann, `/repos/ann/one/issues/${done}`, { state: 'closed' })
    const todo = `${api}/${id}/columns/${await columnId('To Do')}`
    await app.patch(ann, todo, { title: evil, color: '#00ff00' })

    const page = await visitor.get(board)

    assertStatus(page, 200)
    assert.equal(hasScript(page), false)
    assert.match(wordsOf(page), /Backlog 2 Open .* #1 bug .* Closed Ready #2/s)
    assert.match(page.text, /<em>soon<\/em>/)
    assert.match(page.text, /fill="#00ff00"/)
    assert.match(page.text, /href="\/ann\/one\/issues\/2">Ready</)
    assert.match(wordsOf(await visitor.get(projects)), /1 of 2 closed/)
  })

  test('shows the first fifty of a column, and says how many more there are', async (t) => {
    const setup = await startWithBoard(t)
    const { ann, visitor, board } = setup
    const id = Number(board.split('/').at(-1))
    const adds = Array.from({ length: 52 }, () => addIssue(setup, ann, { projects: [id] }))
    await Promise.all(adds)

    const page = await visitor.get(board)

    assert.match(wordsOf(page), /Backlog 52 .* and 2 more/s)
    assert.equal([...page.text.matchAll(/class="card"/g)].length, 50)
  })

  test('takes issues by their number, moves them anywhere, and lets them go', async (t) => {
    const setup = await startWithBoard(t)
    const { app, ann, byAnn, board, columnId, shown } = setup
    for (const title of ['a', 'b', 'c']) await addIssue(setup, ann, { title })
    const [todo, done] = [String(await columnId('To Do')), String(await columnId('Done'))]
    for (const number of ['1', '#2', ' 3 ']) {
      const added = await byAnn.post(`${board}/cards/new`, { column: todo, number })
      assert.equal(added.headers['location'], board)
    }
    for (const number of ['4', 'x', '']) {
      const wrong = await byAnn.post(`${board}/cards/new`, { column: todo, number })
      assertStatus(wrong, 422)
      assert.match(wordsOf(wrong), /There is no issue or pull request with this number/)
    }
    assert.deepEqual(await shown(), { 'To Do': [1, 2, 3] })
    const move = (number: number, fields: Record<string, string>) =>
      byAnn.post(`${board}/cards/${number}/move`, fields, { accept: 'application/json' })

    assert.deepEqual((await move(3, { column: todo, above: '1' })).body, { leadsTo: board })
    assert.deepEqual(await shown(), { 'To Do': [3, 1, 2] })
    await move(2, { column: todo, above: '1' })
    assert.deepEqual(await shown(), { 'To Do': [3, 2, 1] })
    await move(3, { column: done, above: '' })
    await move(1, { column: done, above: '3' })
    assert.deepEqual(await shown(), { 'To Do': [2], Done: [1, 3] })
    await move(2, { column: done, above: '2' })
    assert.deepEqual(await shown(), { Done: [1, 3, 2] })
    assertStatus(await move(4, { column: done }), 404)
    assertStatus(await move(1, { column: '999' }), 404)

    assertStatus(await byAnn.post(`${board}/cards/3/remove`), 303)
    assertStatus(await byAnn.post(`${board}/cards/3/remove`), 404)
    assert.deepEqual(await shown(), { Done: [1, 2] })
    const conversation = wordsOf(await byAnn.get('/ann/one/issues/3'))
    assert.match(conversation, /put this on the project Plan .* took this off the project Plan/s)
    await app.delete(ann, `/repos${board}`)
    assert.match(
      wordsOf(await byAnn.get('/ann/one/issues/3')),
      /put this on a project that is gone/,
    )
  })

  test('has its columns added, named, ordered and deleted', async (t) => {
    const { app, ann, byAnn, board, columnId } = await startWithBoard(t)
    const titles = async () => column(await app.get(ann, `/repos${board}/columns`), 'title')
    assertStatus(await byAnn.post(`${board}/columns/new`, { title: ' Later ' }), 303)
    const later = `${board}/columns/${await columnId('Later')}`
    await byAnn.post(`${later}/edit`, { title: 'Soon', color: '#abcdef' })
    await byAnn.post(`${later}/order`, { position: '-1' })
    assert.deepEqual(await titles(), ['Soon', 'Backlog', 'To Do', 'In Progress', 'Done'])
    await byAnn.post(`${later}/order`, { position: '99' })
    assert.deepEqual(await titles(), ['Backlog', 'To Do', 'In Progress', 'Done', 'Soon'])
    for (const title of ['', 'x'.repeat(256)]) {
      assertStatus(await byAnn.post(`${board}/columns/new`, { title }), 422)
      assertStatus(await byAnn.post(`${later}/edit`, { title, color: '' }), 422)
    }
    assertStatus(await byAnn.post(`${later}/edit`, { title: 'x', color: 'red' }), 422)
    const backlog = `${board}/columns/${await columnId('Backlog')}`
    assertStatus(await byAnn.post(`${backlog}/delete`), 422)
    assertStatus(await byAnn.post(`${later}/default`), 303)
    assertAsksFirst(await byAnn.get(board), `${backlog}/delete`)
    assertStatus(await byAnn.post(`${backlog}/delete`), 303)
    assert.deepEqual(await titles(), ['To Do', 'In Progress', 'Done', 'Soon'])
    assert.match(wordsOf(await byAnn.get(board)), /Soon 0 .* comes here first/s)
  })
})

suite('the page of an issue', () => {
  test('says on which projects it is, and puts it on others', async (t) => {
    const setup = await startWithBoard(t)
    const { app, ann, byAnn, byBob, shown, board } = setup
    await addIssue(setup, ann)
    const other = (await app.post(ann, api, { title: 'Other' })).body.id as number
    const path = '/ann/one/issues/1'
    const id = board.split('/').at(-1) ?? ''

    const put = [
      ['project', id],
      ['project', String(other)],
    ] as const
    assert.equal(
      (await byAnn.post(`${path}/projects`, put)).headers['location'],
      `${path}#fact-projects`,
    )
    assert.deepEqual(await shown(), { Backlog: [1] })
    assert.match(wordsOf(await byBob.get(path)), /Projects Plan Other/)
    assert.doesNotMatch((await byBob.get(path)).text, /issues\/1\/projects/)
    await byAnn.post(`${path}/projects`, { project: String(other) })
    assert.deepEqual(await shown(), {})
    assertStatus(await byBob.post(`${path}/projects`, { project: id }), 403)
    assertStatus(await byAnn.post(`${path}/projects`, { project: '999' }), 400)
    await app.patch(ann, '/repos/ann/one', { has_projects: false })
    const hidden = wordsOf(await byBob.get(path))
    assert.doesNotMatch(hidden, /Projects|Other/)
    assert.match(hidden, /put this on a project/)
  })
})
