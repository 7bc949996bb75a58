import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { linkHeader } from '../../../src/platform/http/paging.ts'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { countStatements } from '../../support/statements.ts'

type Body = TestAnswer['body']

const page = (number: number, limit: number) => ({ number, limit, offset: (number - 1) * limit })

suite('the Link header', () => {
  const url = 'http://x/api/v1/list?state=all&limit=2&q=a+b'
  const rels = (header: string) => [...header.matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel)

  test('keeps the query, sorted and form-encoded, with the page replaced', () => {
    assert.equal(
      linkHeader(`${url}&page=1`, page(1, 2), 3),
      '<http://x/api/v1/list?limit=2&page=2&q=a+b&state=all>; rel="next",' +
        '<http://x/api/v1/list?limit=2&page=2&q=a+b&state=all>; rel="last"',
    )
  })

  for (const [name, number, total, expected] of [
    ['is absent when everything fits on one page', 1, 2, []],
    ['is absent for an empty list', 1, 0, []],
    ['of the first page names next and last', 1, 5, ['next', 'last']],
    ['of a middle page names all four', 2, 5, ['next', 'last', 'first', 'prev']],
    ['of the last page names first and prev', 3, 5, ['first', 'prev']],
    ['of a page beyond the end is that of the last page', 9, 5, ['first', 'prev']],
  ] as const) {
    test(name, () => {
      assert.deepEqual(rels(linkHeader(url, page(number, 2), total)), expected)
    })
  }

  test('is absent where it would be longer than clients read, and the answer is there all the same', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['one', 'two']) await app.post(ann, '/user/repos', { name })
    const search = (commas: number) =>
      app.get(ann, `/repos/search?limit=1&q=${'%2C'.repeat(commas)}`)

    const short = await search(1000)
    const long = await search(3000)

    assert.deepEqual(rels(short.headers['link'] as string), ['next', 'last'])
    assert.equal(long.status, 200)
    assert.equal(long.headers['link'], undefined)
    assert.equal(long.headers['x-total-count'], '2')
    assert.equal(long.headers['access-control-expose-headers'], 'X-Total-Count')
  })
})

suite('paged lists', () => {
  test('page and limit fall back to what makes sense', async (t) => {
    const app = await startApp(t, { api: { default_paging_num: 3, max_response_items: 5 } })
    const root = await app.addAdmin()
    for (let count = 0; count < 7; count++) await app.addPerson(`p${count}`)
    const sizes = async (query: string) => {
      const { body, headers } = await app.get(root, `/admin/users?${query}`)
      assert.equal(headers['x-total-count'], '8')
      return [body.length, Number(headers['x-page-limit'])]
    }

    for (const query of [
      '',
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=',
      'page=0',
      'page=-3',
      'page=x',
      'page=2.5',
    ]) {
      assert.deepEqual(await sizes(query), [3, 3], query)
    }
    assert.deepEqual(await sizes('limit=100'), [5, 5])
    assert.deepEqual(await sizes('limit=4&page=2'), [4, 4])
    assert.deepEqual(await sizes('limit=4&limit=1'), [4, 4])
    for (const query of ['page=4', 'page=9223372036854775807', 'page=99999999999999999999999']) {
      assert.deepEqual(await sizes(query), [0, 3], query)
    }
  })

  test('are counted by a statement of its own only where the page does not tell', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    for (let count = 0; count < 4; count++) await app.addPerson(`p${count}`)
    const countFor = countStatements(t, app, 'count(*)')
    const counts = (query: string) =>
      countFor(async () => {
        const { headers } = await app.get(root, `/admin/users?${query}`)
        assert.equal(headers['x-total-count'], '5', query)
      })

    for (const [query, expected] of [
      ['limit=6', 0],
      ['limit=5', 1],
      ['limit=3&page=1', 1],
      ['limit=3&page=2', 0],
      ['limit=3&page=3', 1],
    ] as const) {
      assert.equal(await counts(query), expected, query)
    }
  })

  test('links are absolute and begin with the configured address', async (t) => {
    const app = await startApp(t, { server: { url: 'https://forge.example/sub' } })
    const root = await app.addAdmin()
    await app.addPerson('ann')

    const { headers } = await app.get(root, '/admin/users?limit=1', { host: 'evil.example' })

    assert.match(
      headers['link'] ?? '',
      /^<https:\/\/forge\.example\/sub\/api\/v1\/admin\/users\?limit=1&page=2>; rel="next",</,
    )
    assert.equal(headers['access-control-expose-headers'], 'Link, X-Total-Count')
  })
})

suite('a cursor', () => {
  test('leads through lists of people, organizations and topics', async (t) => {
    const app = await startApp(t)
    const boss = await app.addAdmin('boss')
    for (const name of ['ann', 'bob', 'cat']) await app.addPerson(name)
    for (const username of ['acme', 'bcme', 'ccme']) await app.post(boss, '/orgs', { username })
    await app.post(boss, '/user/repos', { name: 'one' })
    await app.put(boss, '/repos/boss/one/topics', { topics: ['a', 'b', 'c'] })
    const lists = {
      '/users/search?': (body: Body) => body.data.map((item: Body) => item.login),
      '/admin/users?sort=created&order=desc&': (body: Body) => body.map((item: Body) => item.login),
      '/orgs?': (body: Body) => body.map((item: Body) => item.username),
      '/admin/orgs?': (body: Body) => body.map((item: Body) => item.username),
      '/topics/search?': (body: Body) => body.topics.map((item: Body) => item.topic_name),
    }

    for (const [path, namesOf] of Object.entries(lists)) {
      const whole = await app.get(boss, path)
      const names: string[] = []
      let next: string | undefined = `${path}limit=2&cursor=`
      while (next !== undefined) {
        const part = await app.get(boss, next)
        names.push(...namesOf(part.body))
        assert.equal(part.headers['x-total-count'], whole.headers['x-total-count'])
        next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(part.headers['link'] ?? '')?.[1]
      }
      assert.deepEqual(names, namesOf(whole.body), path)
    }
  })
})
