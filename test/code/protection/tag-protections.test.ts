import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addOrganization } from '../../identity/organizations/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { administratorsOnly, protectTag, repo, start, type Setup } from './setup.ts'

const rules = `${repo}/tag_protections`

async function patterns({ app, ann }: Setup): Promise<string[]> {
  const answer = await app.get(ann, rules)
  assertStatus(answer, 200)
  return (answer.body as { name_pattern: string }[]).map(({ name_pattern }) => name_pattern)
}

suite('POST /repos/{owner}/{repo}/tag_protections', () => {
  test('leaves tags to those on the list', async (t) => {
    const setup = await start(t)

    const made = await protectTag(setup, {
      name_pattern: 'v*',
      whitelist_usernames: ['cleo', 'bob'],
    })

    assert.deepEqual(Object.keys(made as object), [
      'id',
      'name_pattern',
      'whitelist_usernames',
      'whitelist_teams',
      'created_at',
      'updated_at',
    ])
    assert.partialDeepStrictEqual(made, {
      name_pattern: 'v*',
      whitelist_usernames: ['bob'],
      whitelist_teams: [],
    })
    assert.deepEqual((await setup.app.get(setup.ann, `${rules}/${made.id}`)).body, made)
  })

  test('takes teams of the organization', async (t) => {
    const { app, ann } = await start(t)
    await addOrganization(app, ann, 'acme')
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'two' }), 201)

    const { status, body } = await app.post(ann, '/repos/acme/two/tag_protections', {
      name_pattern: 'v*',
      whitelist_teams: ['owners'],
    })

    assert.equal(status, 201)
    assert.deepEqual([body.whitelist_usernames, body.whitelist_teams], [[], ['Owners']])
  })

  test('may empty both lists, so that nobody makes such tags', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    const { id } = await protectTag(setup, { name_pattern: 'v*', whitelist_usernames: ['ann'] })

    const emptied = await app.patch(ann, `${rules}/${id}`, { whitelist_usernames: [] })
    const again = await app.patch(ann, `${rules}/${id}`, { name_pattern: 'w*' })

    assertStatus(emptied, 200)
    assert.partialDeepStrictEqual(emptied.body, { whitelist_usernames: [], whitelist_teams: [] })
    assertStatus(again, 200)
    assertError(await app.post(ann, `${repo}/tags`, { tag_name: 'w1' }), 422)
    assertStatus(await app.post(ann, `${repo}/tags`, { tag_name: 'x1' }), 201)
  })

  test('refuses what is empty, unknown, bad or there already', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    const whitelist_usernames = ['bob']
    await protectTag(setup, { name_pattern: 'v*', whitelist_usernames })

    const cases: [number, object, string | RegExp][] = [
      [400, { whitelist_usernames }, 'name_pattern are empty'],
      [400, { name_pattern: 'x' }, 'both whitelist_usernames and whitelist_teams are empty'],
      [400, { name_pattern: ' ', whitelist_usernames: ['nobody'] }, 'name_pattern are empty'],
      [403, { name_pattern: 'v*', whitelist_usernames }, 'Tag protection already exist'],
      [403, { name_pattern: ' v* ', whitelist_usernames }, 'Tag protection already exist'],
      [
        403,
        { name_pattern: 'v*', whitelist_usernames: ['nobody'] },
        'Tag protection already exist',
      ],
      [422, { name_pattern: 'x', whitelist_usernames: ['nobody'] }, /^user does not exist/],
      [422, { name_pattern: 'x', whitelist_teams: ['nobody'] }, /^team does not exist/],
      [422, { name_pattern: '[', whitelist_usernames }, '[ is not a valid pattern'],
      [422, { name_pattern: '/(/', whitelist_usernames }, '/(/ is not a valid pattern'],
      [422, { name_pattern: 'x'.repeat(256), whitelist_usernames }, '[NamePattern]: MaxSize'],
      [422, { name_pattern: 1, whitelist_usernames }, /^\[\]: /],
    ]
    for (const [status, body, message] of cases) {
      assertError(await app.post(ann, rules, body), status, message)
    }
    assert.deepEqual(await patterns(setup), ['v*'])
  })

  test('takes one of several of a pattern that come at once', async (t) => {
    const { app, ann } = await start(t)
    const body = { name_pattern: 'v*', whitelist_usernames: ['bob'] }

    const answers = await Promise.all([1, 2, 3, 4].map(() => app.post(ann, rules, body)))

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 403, 403, 403],
    )
  })
})

suite('GET /repos/{owner}/{repo}/tag_protections', () => {
  test('lists every rule of this repository, whatever the page', async (t) => {
    const setup = await start(t)
    for (const name_pattern of ['v*', 'a*']) {
      await protectTag(setup, { name_pattern, whitelist_usernames: ['ann'] })
    }

    const { body } = await setup.app.get(setup.ann, `${rules}?limit=1`)

    assert.equal(body.length, 2)
    assert.deepEqual(await patterns(setup), ['v*', 'a*'])
  })
})

suite('PATCH /repos/{owner}/{repo}/tag_protections/{id}', () => {
  test('changes what is given', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    const made = await protectTag(setup, { name_pattern: 'v*', whitelist_usernames: ['bob'] })
    app.passTime(60)

    const renamed = await app.patch(ann, `${rules}/${made.id}`, { name_pattern: ' w* ' })
    const handed = await app.patch(ann, `${rules}/${made.id}`, { whitelist_usernames: ['ann'] })

    assertStatus(renamed, 200)
    assert.partialDeepStrictEqual(renamed.body, {
      name_pattern: 'w*',
      whitelist_usernames: ['bob'],
      created_at: made.created_at,
    })
    assert.notEqual(renamed.body.updated_at, made.updated_at)
    assert.partialDeepStrictEqual(handed.body, {
      name_pattern: 'w*',
      whitelist_usernames: ['ann'],
    })
    assert.deepEqual((await app.get(ann, `${rules}/${made.id}`)).body, handed.body)
  })

  test('refuses what is empty, unknown, bad or there already', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    await protectTag(setup, { name_pattern: 'a*', whitelist_usernames: ['ann'] })
    const { id } = await protectTag(setup, { name_pattern: 'b*', whitelist_usernames: ['ann'] })
    const rule = `${rules}/${id}`

    assertError(await app.patch(ann, rule, { name_pattern: '' }), 400, 'name_pattern are empty')
    assertError(await app.patch(ann, rule, { name_pattern: '[' }), 422, '[ is not a valid pattern')
    assertError(await app.patch(ann, rule, { name_pattern: 'a*' }), 403)
    assertError(await app.patch(ann, rule, { whitelist_usernames: ['nobody'] }), 422)
    assertError(await app.patch(ann, `${rules}/999`, {}), 404, 'not found')
  })
})

suite('DELETE /repos/{owner}/{repo}/tag_protections/{id}', () => {
  test('ends a rule of this repository once', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    assertStatus(await app.post(ann, '/user/repos', { name: 'two' }), 201)
    const { id } = await protectTag(setup, { name_pattern: 'v*', whitelist_usernames: ['ann'] })

    assertError(await app.get(ann, `/repos/ann/two/tag_protections/${id}`), 404)
    assertError(await app.delete(ann, `/repos/ann/two/tag_protections/${id}`), 404)
    assertStatus(await app.delete(ann, `${rules}/${id}`), 204)
    assertError(await app.delete(ann, `${rules}/${id}`), 404, 'not found')
    assert.deepEqual(await patterns(setup), [])
  })
})

suite('tag protections', () => {
  test('are for administrators of the repository', async (t) => {
    const setup = await start(t)
    const { app, bob } = setup
    const { id } = await protectTag(setup, { name_pattern: 'v*', whitelist_usernames: ['ann'] })

    for (const [method, path] of [
      ['GET', rules],
      ['POST', rules],
      ['GET', `${rules}/${id}`],
      ['PATCH', `${rules}/${id}`],
      ['DELETE', `${rules}/${id}`],
    ] as const) {
      assertError(await app.send(undefined, method, path), 401, 'token is required')
      assertError(await app.send(bob, method, path), 403, administratorsOnly)
    }
  })

  test('of an archive are not changed, but deleted', async (t) => {
    const setup = await start(t)
    const { app, ann } = setup
    const { id } = await protectTag(setup, { name_pattern: 'v*', whitelist_usernames: ['ann'] })
    assertStatus(await app.patch(ann, repo, { archived: true }), 200)

    assertError(await app.post(ann, rules, {}), 423, 'repo is archived')
    assertError(await app.patch(ann, `${rules}/${id}`, {}), 423, 'repo is archived')
    assertStatus(await app.delete(ann, `${rules}/${id}`), 204)
  })
})
