import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { column, issues, repo } from '../issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { projects, withBoard } from './setup.ts'

suite('columns of a project', () => {
  test('are added at the right, changed, ordered, and one of them is the first for all', async (t) => {
    const { app, ann, board, columnAt, open } = await withBoard(t)
    const titles = async () => column(await app.get(ann, `${board}/columns`), 'title')
    const made = await app.post(ann, `${board}/columns`, { title: 'Later', color: '#00ff00' })
    assertStatus(made, 201)
    assert.partialDeepStrictEqual(made.body, {
      title: 'Later',
      color: '#00ff00',
      default: false,
      sorting: 4,
      creator: { login: 'ann' },
    })
    assert.deepEqual(await titles(), ['Backlog', 'To Do', 'In Progress', 'Done', 'Later'])
    const later = await columnAt('Later')
    assert.deepEqual((await app.get(undefined, later)).body.id, made.body.id)
    const edit = { title: '', color: '', sorting: -1 }
    assert.partialDeepStrictEqual((await app.patch(ann, later, edit)).body, {
      title: 'Later',
      color: '',
      sorting: -1,
    })
    assert.deepEqual(await titles(), ['Later', 'Backlog', 'To Do', 'In Progress', 'Done'])

    const ids = column(await app.get(ann, `${board}/columns`), 'id') as number[]
    const move = (column_ids: unknown) => app.post(ann, `${board}/columns/move`, { column_ids })
    const [first = 0, ...others] = ids
    for (const wrong of [[], ids.slice(1), [...ids, first], [first, first, ...others.slice(1)]]) {
      assertError(await move(wrong), 422)
    }
    assertStatus(await move(ids.toReversed()), 204)
    assert.deepEqual(await titles(), ['Done', 'In Progress', 'To Do', 'Backlog', 'Later'])
    const second = await app.get(ann, `${board}/columns?limit=2&page=2`)
    assert.deepEqual(column(second, 'title'), ['To Do', 'Backlog'])

    assertStatus(await app.post(ann, `${await columnAt('Done')}/default`), 204)
    assert.deepEqual(column(await app.get(ann, `${board}/columns`), 'default'), [
      true,
      false,
      false,
      false,
      false,
    ])
    await open(ann, { title: 'one', projects: [made.body.project_id] })
    const done = await app.get(ann, `${await columnAt('Done')}/issues`)
    assert.deepEqual(column(done, 'title'), ['one'])
  })

  test('give what is in them to the first when they are deleted, which cannot be', async (t) => {
    const { app, ann, id, board, columnAt, open, shown } = await withBoard(t)
    for (const title of ['a', 'b']) await open(ann, { title, projects: [id] })
    const done = await columnAt('Done')
    for (const title of ['c', 'd']) {
      const issue = await open(ann, { title })
      assertStatus(await app.post(ann, `${done}/issues/${issue.id}`), 201)
    }

    assertError(await app.delete(ann, await columnAt('Backlog')), 422, /default/)
    assertStatus(await app.delete(ann, done), 204)
    assertStatus(await app.delete(ann, await columnAt('To Do')), 204)

    assertError(await app.get(ann, done), 404)
    assert.deepEqual(await shown(), { Backlog: ['a', 'b', 'c', 'd'], 'In Progress': [] })
    assert.equal((await app.get(ann, board)).body.num_issues, 4)
  })

  test('are no more than twenty, also when many are added at once', async (t) => {
    const { app, ann, board } = await withBoard(t)
    const adds = Array.from({ length: 20 }, (_, at) =>
      app.post(ann, `${board}/columns`, { title: `c${at}` }),
    )
    const statuses = (await Promise.all(adds)).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [...Array<number>(16).fill(201), ...Array<number>(4).fill(422)],
    )
    const sortings = column(await app.get(ann, `${board}/columns`), 'sorting')
    assert.equal(new Set(sortings).size, 20)
  })
})

suite('issues on a project', () => {
  test('are put into columns, moved, ordered and taken off', async (t) => {
    const { app, ann, board, columnAt, open, shown } = await withBoard(t)
    const [todo, done] = [await columnAt('To Do'), await columnAt('Done')]
    const ids: Record<string, number> = {}
    for (const title of ['a', 'b', 'c']) {
      ids[title] = (await open(ann, { title })).id
      assertStatus(await app.post(ann, `${todo}/issues/${ids[title]}`), 201)
    }
    assert.deepEqual((await shown())['To Do'], ['a', 'b', 'c'])
    const columnId = (at: string) => Number(at.split('/').at(-1))
    const move = (title: string, place: object) =>
      app.post(ann, `${board}/issues/${ids[title]}/move`, place)

    assertStatus(await move('c', { column_id: columnId(todo), sorting: -1 }), 204)
    assert.deepEqual((await shown())['To Do'], ['c', 'a', 'b'])
    assertStatus(await move('a', { column_id: columnId(done) }), 204)
    for (const title of ['a', 'b']) {
      assertStatus(await app.post(ann, `${done}/issues/${ids[title]}`), 201)
    }
    assert.partialDeepStrictEqual(await shown(), { 'To Do': ['c'], Done: ['a', 'b'] })
    assertStatus(await move('b', { column_id: columnId(done), sorting: 0 }), 204)
    assert.deepEqual((await shown())['Done'], ['b', 'a'])

    assertError(await move('a', {}), 422)
    for (const sorting of [2 ** 31 + 1, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER]) {
      assertError(await move('a', { column_id: columnId(done), sorting }), 422)
    }
    assertError(await move('a', { column_id: 999 }), 404)
    assertError(await app.delete(ann, `${todo}/issues/${ids['a']}`), 404)
    assertStatus(await app.delete(ann, `${done}/issues/${ids['a']}`), 204)
    assertError(await move('a', { column_id: columnId(done) }), 404)
    assertStatus(await app.delete(ann, `${issues}/2`), 204)
    assert.deepEqual(await shown(), { Backlog: [], 'To Do': ['c'], 'In Progress': [], Done: [] })

    const timeline = await app.get(ann, `${issues}/1/timeline`)
    const id = Number(board.split('/').at(-1))
    assert.deepEqual(
      (timeline.body as { type: string; project_id: number; old_project_id: number }[]).map(
        ({ type, project_id, old_project_id }) => [type, project_id, old_project_id],
      ),
      [
        ['project', id, 0],
        ['project_board', id, 0],
        ['project', 0, id],
      ],
    )
  })

  test('say on which they are, to those who see them', async (t) => {
    const { app, ann, bob, id, board, open } = await withBoard(t)
    const other = (await app.post(ann, projects, { title: 'Other' })).body
    const issue = await open(ann, { title: 'one', projects: [other.id, id, id] })
    assert.deepEqual(column({ ...(await app.get(ann, board)), body: issue.projects }, 'title'), [
      'Plan',
      'Other',
    ])
    assert.partialDeepStrictEqual(issue.projects[0], { id, num_issues: 1, type: 'repository' })
    const everywhere = [`${issues}/1`, issues, '/repos/issues/search']
    const shownAt = async (who: typeof bob | undefined) =>
      Promise.all(
        everywhere.map(async (path) => {
          const { body } = await app.get(who, path)
          const { projects: list } = Array.isArray(body) ? body[0] : body
          return (list as { title: string }[] | null)?.map(({ title }) => title) ?? null
        }),
      )
    const both = ['Plan', 'Other']
    assert.deepEqual(await shownAt(bob), [both, both, both])

    const writes = (list: number[]) => app.patch(ann, `${issues}/1`, { projects: list })
    assert.deepEqual(
      (await writes([other.id])).body.projects.map(({ title }: { title: string }) => title),
      ['Other'],
    )
    const many = Array.from({ length: 70_000 }, (_, at) => at + 1)
    assertError(await writes(many), 400, /^project does not exist/)
    assert.equal((await writes([])).body.projects, null)
    await writes([id])
    await app.patch(ann, repo, { has_projects: false })
    assert.deepEqual(await shownAt(ann), [null, null, null])
    assertError(await writes([id]), 400)
  })

  test('are put there by writers of issues; of others it is passed over', async (t) => {
    const { app, bob, ann, id, open } = await withBoard(t)
    assert.equal((await open(bob, { title: 'one', projects: [id] })).projects, null)
    const edited = await app.patch(bob, `${issues}/1`, { title: 'two', projects: [id] })
    assert.partialDeepStrictEqual(edited.body, { title: 'two', projects: null })
    await app.patch(ann, `${issues}/1`, { projects: [id] })
    await app.patch(bob, `${issues}/1`, { projects: [] })
    assert.equal((await app.get(bob, `${issues}/1`)).body.projects.length, 1)
  })

  test('are shown of the kinds that one reads, and all put there at once are there', async (t) => {
    const { app, ann, id, board, columnAt, shown } = await withBoard(t, { auto_init: true })
    const opens = Array.from({ length: 20 }, (_, at) =>
      app.post(ann, issues, { title: `i${at}`, projects: [id] }),
    )
    for (const answer of await Promise.all(opens)) assertStatus(answer, 201)
    assert.equal((await app.get(ann, board)).body.num_issues, 20)
    const backlog = await columnAt('Backlog')
    const list = await app.get(ann, `${backlog}/issues?limit=5&page=2`)
    assert.equal(list.headers['x-total-count'], '20')
    assert.equal(list.body.length, 5)
    assert.match(String(list.headers['link']), /rel="next"/)
    const places = await app.ctx.db.selectFrom('project_card').select('sorting').execute()
    assert.equal(new Set(places.map(({ sorting }) => sorting)).size, 20)
    await app.patch(ann, repo, { has_issues: false })
    assert.deepEqual((await shown())['Backlog'], [])
  })
})
