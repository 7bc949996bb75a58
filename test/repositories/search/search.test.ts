import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { countStatements } from '../../support/statements.ts'
import { find, withWorld } from './support.ts'

suite('GET /repos/search: filters', () => {
  test('of kind', async (t) => {
    const { app, ann, bob, make } = await withWorld(t)
    await make(ann, 'plain', { auto_init: true })
    await make(ann, 'pattern', { template: true })
    await make(ann, 'shut', { private: true })
    await make(ann, 'old')
    await app.patch(ann, '/repos/ann/old', { archived: true })
    await app.post(bob, '/repos/ann/plain/forks', {})

    assert.deepEqual(await find(app, ann, 'is_private=true'), ['ann/shut'])
    assert.deepEqual(await find(app, ann, 'template=true'), ['ann/pattern'])
    assert.deepEqual(await find(app, ann, 'archived=true'), ['ann/old'])
    assert.deepEqual(await find(app, ann, 'mode=fork'), ['bob/plain'])
    assert.deepEqual(
      await find(app, ann, 'mode=source&archived=nonsense&template=0&is_private=0'),
      ['ann/plain'],
    )
    assert.deepEqual(await find(app, ann, 'mode=mirror'), [])
    assert.deepEqual(await find(app, ann, 'is_private=true&private=false'), [])
  })

  test('read booleans, numbers and repeated keys as the contract does', async (t) => {
    const { app, ann, make } = await withWorld(t)
    for (const name of ['new', 'old']) await make(ann, name)
    await app.patch(ann, '/repos/ann/old', { archived: true })
    const all = await find(app, ann, '')
    const rest = all.filter((name) => name !== 'ann/old')
    const spellings: [string, readonly string[]][] = [
      ['1 t T true TRUE True on ON oN', ['ann/old']],
      ['0 f false off yes tRuE 2 null', rest],
    ]
    for (const [texts, found] of spellings)
      for (const text of texts.split(' '))
        assert.deepEqual(await find(app, ann, `archived=${text}`), found, text)
    const given = [
      'archived=',
      'archived=&archived=true',
      'Archived=true',
      'private=',
      'exclusive=1',
    ]
    for (const query of given) assert.deepEqual(await find(app, ann, query), all, query)
    assert.deepEqual(await find(app, ann, 'archived=true&archived=false'), ['ann/old'])
    await make(ann, 'secret', { private: true })
    for (const text of ['0', 'no', 'nonsense'])
      assert.deepEqual(await find(app, ann, `private=${text}`), all, text)
    await app.delete(ann, '/repos/ann/secret')
    for (const id of ['0', '-1', 'abc', '1.5', '1e3', '', '-18446744073709551616'])
      for (const key of ['uid', 'team_id', 'starredBy', 'priority_owner_id'])
        assert.deepEqual(await find(app, ann, `${key}=${id}`), all, `${key}=${id}`)
    for (const id of ['2147483648', '9007199254740993', '9223372036854775807', '9'.repeat(30)])
      for (const key of ['uid', 'team_id', 'starredBy'])
        assert.deepEqual(await find(app, ann, `${key}=${id}`), [], `${key}=${id}`)
  })

  test('of people: owned, shared, starred, of a team', async (t) => {
    const { app, ann, bob, cat, make } = await withWorld(t)
    await make(ann, 'own')
    await make(bob, 'shared', { private: true })
    await make(ann, 'team', {}, 'acme')
    await app.put(bob, '/repos/bob/shared/collaborators/ann', { permission: 'read' })
    await app.put(cat, '/user/starred/ann/own')
    const [owners] = (await app.get(ann, '/orgs/acme/teams')).body

    assert.deepEqual(await find(app, ann, `uid=${ann.id}`), ['ann/own', 'bob/shared', 'acme/team'])
    assert.deepEqual(await find(app, ann, `uid=${ann.id}&exclusive=true`), ['ann/own'])
    assert.deepEqual(await find(app, ann, `uid=${ann.id}&mode=collaborative`), [
      'bob/shared',
      'acme/team',
    ])
    assert.deepEqual(await find(app, ann, 'mode=collaborative'), ['bob/shared', 'acme/team'])
    assert.deepEqual(await find(app, ann, `uid=${ann.id}&mode=collaborative&exclusive=true`), [])
    assert.deepEqual(await find(app, undefined, 'mode=collaborative'), [])
    assert.deepEqual(await find(app, undefined, `uid=${ann.id}`), ['ann/own'])
    assert.deepEqual(await find(app, undefined, `uid=${ann.id}&mode=collaborative`), [])
    const rita = await app.addCaller('rita', { isRestricted: true })
    for (const [caller, total] of [
      [rita, '2'],
      [undefined, '1'],
    ] as const) {
      const { headers } = await app.get(caller, `/repos/search?uid=${ann.id}&limit=1`)
      assert.equal(headers['x-total-count'], total, caller?.name)
    }
    assert.deepEqual(await find(app, ann, 'uid=999999'), [])
    assert.deepEqual(await find(app, ann, `starredBy=${cat.id}`), ['ann/own'])
    await make(ann, 'closed', { private: true }, 'acme')
    assert.deepEqual(await find(app, ann, `team_id=${owners.id}`), ['acme/closed', 'acme/team'])
    for (const stranger of [cat, undefined])
      assert.deepEqual(await find(app, stranger, `team_id=${owners.id}`), ['acme/team'])
    assert.deepEqual(await find(app, ann, `team_id=${owners.id}&q=acme/`), [])
    await app.delete(ann, '/repos/acme/closed')
    await app.put(ann, '/repos/acme/team/collaborators/ann', { permission: 'read' })
    assert.deepEqual(await find(app, undefined, `uid=${ann.id}`), ['ann/own'])
    await app.put(ann, '/orgs/acme/public_members/ann')
    assert.deepEqual(await find(app, undefined, `uid=${ann.id}`), ['ann/own', 'acme/team'])
    for (const name of ['one', 'two']) {
      await make(bob, name)
      await app.put(bob, `/repos/bob/${name}/collaborators/cat`, { permission: 'read' })
    }
    for (const [caller, total] of [
      [cat, '2'],
      [ann, '1'],
      [bob, '0'],
    ] as const) {
      const found = await app.get(caller, '/repos/search?mode=collaborative&private=false&limit=1')
      assert.equal(found.headers['x-total-count'], total, caller.name)
    }
  })

  test('of unknown kinds are refused, mode before order before sort', async (t) => {
    const app = await startApp(t)

    assertError(
      await app.get(undefined, '/repos/search?mode=x&sort=x&order=x'),
      422,
      'invalid search mode',
    )
    assertError(
      await app.get(undefined, '/repos/search?sort=x&order=up'),
      422,
      'Invalid sort order: "up"',
    )
    assertError(
      await app.get(undefined, '/repos/search?sort=id;--'),
      422,
      'Invalid sort mode: "id;--"',
    )
    assertStatus(await app.get(undefined, '/repos/search?order=up'), 200)
    const dora = await app.addCaller('dora', {}, ['read:issue'])
    assertError(await app.get(dora, '/repos/search?mode=x'), 403, /required=\[read:repository\]/)
    const wrong = { authorization: 'token nonsense' }
    assertError(await app.get(undefined, '/repos/search?mode=x', wrong), 401, /^invalid username/)
  })
})

suite('GET /repos/search: order and pages', () => {
  test('by name, or as asked for, ties by id', async (t) => {
    const { app, ann, bob, make } = await withWorld(t)
    await make(bob, 'alpha')
    await make(ann, 'beta')
    await make(ann, 'gamma')
    await app.put(ann, '/user/starred/ann/gamma')
    const order = (query: string) => find(app, ann, query)

    assert.deepEqual(await order('order=desc'), ['bob/alpha', 'ann/beta', 'ann/gamma'])
    assert.deepEqual(await order('sort=alpha'), ['ann/beta', 'ann/gamma', 'bob/alpha'])
    assert.deepEqual(await order('sort=alpha&order=desc'), ['bob/alpha', 'ann/gamma', 'ann/beta'])
    assert.deepEqual(await order('sort=id&order=desc'), ['ann/gamma', 'ann/beta', 'bob/alpha'])
    assert.deepEqual(await order('sort=stars&order=desc'), ['ann/gamma', 'bob/alpha', 'ann/beta'])
    assert.deepEqual(await order(`priority_owner_id=${bob.id}`), [
      'bob/alpha',
      'ann/beta',
      'ann/gamma',
    ])
    assert.deepEqual(await order(`priority_owner_id=${ann.id}`), [
      'ann/beta',
      'ann/gamma',
      'bob/alpha',
    ])
    const aaron = await app.addCaller('Aaron')
    await make(aaron, 'delta')
    assert.deepEqual(await order(`priority_owner_id=${bob.id}&sort=alpha&order=desc&q=ann/,a`), [
      'bob/alpha',
      'ann/gamma',
      'ann/beta',
      'Aaron/delta',
    ])
    assert.deepEqual(await order(`priority_owner_id=${bob.id}&sort=alpha&q=a`), [
      'bob/alpha',
      'ann/beta',
      'ann/gamma',
      'Aaron/delta',
    ])
    await app.delete(aaron, '/repos/aaron/delta')
    for (const sort of ['created', 'updated', 'size', 'git_size', 'lfs_size', 'forks']) {
      assert.deepEqual(await order(`sort=${sort}`), ['bob/alpha', 'ann/beta', 'ann/gamma'], sort)
    }
  })

  test('with exact totals and links', async (t) => {
    const { app, ann, make } = await withWorld(t)
    for (const name of ['a', 'b', 'c', 'd', 'e']) await make(ann, name)

    const second = await app.get(undefined, '/repos/search?limit=2&page=2&q=+')
    const beyond = await app.get(undefined, '/repos/search?limit=2&page=9')

    assert.equal(second.headers['x-total-count'], '5')
    assert.equal(second.headers['access-control-expose-headers'], 'Link, X-Total-Count')
    const link = (page: number, relation: string) =>
      `<http://codestead.test/api/v1/repos/search?limit=2&page=${page}&q=+>; rel="${relation}"`
    assert.equal(
      second.headers['link'],
      [link(3, 'next'), link(3, 'last'), link(1, 'first'), link(1, 'prev')].join(','),
    )
    const far = await app.get(undefined, `/repos/search?limit=2&page=${'9'.repeat(25)}`)
    assert.deepEqual([far.body.data, far.headers['x-total-count']], [[], '5'])
    assert.deepEqual(beyond.body.data, [])
    assert.equal(beyond.headers['x-total-count'], '5')
    assert.match(beyond.headers['link'] ?? '', /page=1>; rel="first",.*page=2>; rel="prev"$/)
  })

  test('by as many statements for a long page as for a short one', async (t) => {
    const { app, ann, bob, make } = await withWorld(t)
    for (let count = 0; count < 20; count++)
      await make(ann, `app${count}`, {}, count % 2 ? 'acme' : '')
    const countFor = countStatements(t, app)
    const countOf = (query: string, limit: number) =>
      countFor(async () =>
        assert.equal((await find(app, bob, `${query}&limit=${limit}`)).length, limit),
      )

    for (const query of [
      'sort=created',
      'q=app',
      'q=app&includeDesc=true',
      'q=app&sort=relevance',
    ]) {
      // Of a single repository what surrounds it is kept.
      await countOf(query, 2)
      const short = await countOf(query, 2)
      assert.ok(short > 0)
      assert.equal(await countOf(query, 20), short, query)
    }
  })

  test('by a way that is chosen for a while: nothing is counted for it again', async (t) => {
    const { app, ann, make } = await withWorld(t)
    const countFor = countStatements(t, app, 'AS some_ids')
    const countOf = (...found: readonly string[]) =>
      countFor(async () => assert.deepEqual(await find(app, ann, 'q=app'), found))

    await make(ann, 'app')
    const first = await countOf('ann/app')
    await make(ann, 'app2')
    const second = await countOf('ann/app', 'ann/app2')

    // What is their own, and what has the word.
    assert.deepEqual([first, second], [2, 0])
  })

  test('that fail say so in their own form, and why to administrators', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await sql`alter table repository rename to elsewhere`.execute(app.ctx.db)

    const stranger = await app.get(undefined, '/repos/search')
    const administrator = await app.get(root, '/repos/search')
    await sql`alter table account rename to nowhere`.execute(app.ctx.db)
    const people = await app.get(undefined, '/users/search')
    // The next test may get the same database.
    await sql`alter table nowhere rename to account`.execute(app.ctx.db)
    await sql`alter table elsewhere rename to repository`.execute(app.ctx.db)

    for (const { status, headers, body } of [stranger, people]) {
      assert.deepEqual([status, body], [500, { ok: false, error: 'the search failed' }])
      assert.equal(headers['content-type'], 'application/json;charset=utf-8')
    }
    assert.equal(administrator.body.ok, false)
    assert.match(administrator.body.error, /repository/)
  })
})
