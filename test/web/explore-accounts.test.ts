import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { startApp, type TestAnswer } from '../support/app.ts'
import { testDialect } from '../support/databases.ts'
import { assertStatus } from '../support/expect.ts'
import { countStatements } from '../support/statements.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { signIn, Visitor } from './support.ts'

/** The people or organizations of a list, in its order. */
function listedIn(answer: TestAnswer): string[] {
  assertStatus(answer, 200)
  const list = /<ul class="rows[^]*?<\/ul>/.exec(answer.text)?.[0] ?? ''
  return [...list.matchAll(/<a class="person" href="\/([^"]+)"/g)].map(([, name = '']) => name)
}

const people = '/explore/users'
const organizations = '/explore/organizations'

suite('GET /explore/users', () => {
  test('lists those whom the viewer may see', async (t) => {
    const app = await startApp(t)
    await app.addPerson('ann', { fullName: evil })
    await app.addPerson('bob', { visibility: 'limited' })
    const cat = await app.addCaller('cat', { visibility: 'private' })
    await app.addPerson('dan', { isRestricted: true })
    const root = await app.addAdmin('root')
    await app.patch(root, '/admin/users/ann', { description: evil })
    await app.addPerson('eve')
    await app.patch(root, '/admin/users/eve', { active: false })
    await app.post(cat, '/orgs', { username: 'acme' })
    const seenBy = async (visitor: Visitor) => listedIn(await visitor.get(`${people}?sort=name`))

    assert.deepEqual(await seenBy(new Visitor(app)), ['ann', 'dan', 'root'])
    assert.deepEqual(await seenBy(await signIn(app, 'ann')), ['ann', 'bob', 'dan', 'root'])
    assert.deepEqual(await seenBy(await signIn(app, 'cat')), ['ann', 'bob', 'cat', 'dan', 'root'])
    assert.deepEqual(await seenBy(await signIn(app, 'dan')), ['dan'])
    assert.deepEqual(await seenBy(await signIn(app, 'root')), ['ann', 'bob', 'cat', 'dan', 'root'])
    const page = await new Visitor(app).get(people)
    assert.equal(hasScript(page), false)
    assert.match(wordsOf(page), /3 people/)
  })

  test('searches, orders and has pages, with tabs that keep the words', async (t) => {
    const app = await startApp(t)
    for (const name of ['zoe', 'amy', 'max']) {
      await app.addPerson(name, { fullName: `${name} Lamp` })
      app.passTime(60)
    }
    const visitor = new Visitor(app)
    const find = async (query: string) => listedIn(await visitor.get(`${people}?${query}`))

    assert.deepEqual(await find(''), ['max', 'amy', 'zoe'])
    assert.deepEqual(await find('sort=name'), ['amy', 'max', 'zoe'])
    assert.deepEqual(await find('sort=nonsense&q=LAMP'), ['max', 'amy', 'zoe'])
    assert.deepEqual(await find('q=zo'), ['zoe'])
    const first = await visitor.get(`${people}?q=lamp&limit=2&sort=name`)
    assert.deepEqual(listedIn(first), ['amy', 'max'])
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? []
    assert.deepEqual(listedIn(await visitor.get(next.replaceAll('&amp;', '&'))), ['zoe'])
    assert.match(
      first.text,
      /<nav class="tabs" aria-label="Explore">[^]*href="\/explore\/repos\?q=lamp"[^]*href="\/explore\/organizations\?q=lamp"/,
    )
    assert.match((await visitor.get('/explore/repos')).text, /href="\/explore\/users"/)
    const none = await visitor.get(`${people}?q=${encodeURIComponent(evil)}`)
    assert.match(none.text, /Nothing fits/)
    assert.equal(hasScript(none), false)
    for (const page of ['-1', '0', 'x', '99', '99999999999999999999']) {
      assertStatus(await visitor.get(`${people}?page=${page}`), 200)
    }
  })

  test('takes as many statements for many as for few', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['b', 'c', 'd', 'e', 'f']) {
      await app.addPerson(name)
      await app.post(ann, '/orgs', { username: `org-${name}` })
    }
    const byAnn = await signIn(app, 'ann')
    const countFor = countStatements(t, app)
    const countOf = (path: string, limit: number) =>
      countFor(async () =>
        assert.equal(listedIn(await byAnn.get(`${path}?limit=${limit}`)).length, limit),
      )

    for (const path of [people, organizations]) {
      assert.equal(await countOf(path, 5), await countOf(path, 2))
    }
  })
})

suite('GET /explore/organizations', () => {
  test('lists those that the viewer may see, as they are asked for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    await app.addPerson('dan', { isRestricted: true })
    await app.addAdmin('root')
    for (const [username, visibility] of [
      ['zinc', 'public'],
      ['iron', 'limited'],
      ['gold', 'private'],
    ]) {
      await app.post(ann, '/orgs', { username, visibility, full_name: evil })
      app.passTime(60)
    }
    const find = async (visitor: Visitor, query = 'sort=name') =>
      listedIn(await visitor.get(`${organizations}?${query}`))
    const byAnn = await signIn(app, 'ann')

    assert.deepEqual(await find(new Visitor(app)), ['zinc'])
    assert.deepEqual(await find(await signIn(app, 'bob')), ['iron', 'zinc'])
    assert.deepEqual(await find(byAnn), ['gold', 'iron', 'zinc'])
    assert.deepEqual(await find(await signIn(app, 'root')), ['gold', 'iron', 'zinc'])
    assert.deepEqual(await find(await signIn(app, 'dan')), [])
    const { body } = await app.post(ann, '/orgs/gold/teams', { name: 'crew', permission: 'read' })
    await app.put(ann, `/teams/${body.id}/members/dan`)
    assert.deepEqual(await find(await signIn(app, 'dan')), ['gold'])

    assert.deepEqual(await find(byAnn, ''), ['gold', 'iron', 'zinc'])
    assert.deepEqual(await find(byAnn, 'q=ZIN'), ['zinc'])
    const page = await byAnn.get(organizations)
    assert.equal(hasScript(page), false)
    assert.match(wordsOf(page), /3 organizations gold Private/)
  })
})

const skip =
  testDialect === 'postgres' && 'it chooses by what it knows of the rows, and there are none here'

suite('the newest people', { skip }, () => {
  test('are read off an index, not sorted out of all', async (t) => {
    const app = await startApp(t)
    const executor = app.ctx.db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const asked: CompiledQuery[] = []
    t.mock.method(executor, 'executeQuery', (...given: Parameters<typeof execute>) => {
      asked.push(given[0])
      return execute(...given)
    })

    assertStatus(await new Visitor(app).get(people), 200)

    const page = asked.find(({ sql }) => sql.includes('"account"."created_at" desc'))
    assert.ok(page)
    const explained = { ...page, sql: `EXPLAIN QUERY PLAN ${page.sql}` }
    const { rows } = await app.ctx.db.executeQuery<{ detail: string }>(explained)
    assert.equal(rows[0]?.detail, 'SEARCH account USING INDEX account_by_age (kind=?)')
    assert.ok(rows.every(({ detail }) => !detail.includes('FOR ORDER BY')))
  })
})

suite('GET /explore', () => {
  test('is for those who are signed in where the server says so', async (t) => {
    const settings = [
      { users: { explore_requires_sign_in: true } },
      { security: { require_sign_in: 'true' } },
    ] as const
    for (const changes of settings) {
      const app = await startApp(t, changes)
      await app.addPerson('ann')
      for (const path of [people, organizations]) {
        const answer = await new Visitor(app).get(`${path}?q=a`)
        assertStatus(answer, 303)
        const back = encodeURIComponent(`${path}?q=a`)
        assert.equal(answer.headers['location'], `/user/login?redirect_to=${back}`)
        assertStatus(await (await signIn(app, 'ann')).get(path), 200)
      }
    }
  })
})
