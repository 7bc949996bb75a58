import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestCaller } from '../../support/app.ts'
import { atOnce } from '../../support/at-once.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { machineOf } from '../../support/terminal.ts'

const logins = (people: readonly { login: string }[]) => people.map(({ login }) => login)

suite('PUT /user/blocks/{username}', () => {
  test('blocks a person', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')

    assertStatus(await app.put(ann, '/user/blocks/BOB'), 204)

    assertStatus(await app.get(ann, '/user/blocks/bob'), 204)
    assertError(await app.get(bob, '/user/blocks/ann'), 404, 'not found')
  })

  test('ends following both ways, and counts it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(ann, '/user/following/bob')
    await app.put(bob, '/user/following/ann')

    await app.put(ann, '/user/blocks/bob')

    for (const who of [ann, bob]) {
      const { body } = await app.get(who, '/user')
      assert.partialDeepStrictEqual(body, { followers_count: 0, following_count: 0 })
    }
    assertError(await app.get(ann, '/user/following/bob'), 404)
    assertError(await app.get(bob, '/user/following/ann'), 404)
  })

  test('refuses oneself, an organization, and a second time', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    await app.ctx.db
      .insertInto('account')
      .values({
        kind: 'organization',
        name: 'acme',
        lower_name: 'acme',
        created_at: 1,
        updated_at: 1,
      })
      .execute()
    assertStatus(await app.put(ann, '/user/blocks/bob'), 204)

    assertError(await app.put(ann, '/user/blocks/bob'), 400, 'the user is blocked already')
    assertError(await app.put(ann, '/user/blocks/ann'), 400, 'cannot block oneself')
    assertError(await app.put(ann, '/user/blocks/acme'), 400, 'cannot block an organization')

    const { body } = await app.get(ann, '/user/blocks')
    assert.deepEqual(
      (body as { login: string }[]).map(({ login }) => login),
      ['bob'],
    )
  })

  test('keeps a person from starring, watching, forking and handing over', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/repos', { name: 'hers' })
    await app.post(bob, '/user/repos', { name: 'his' })
    assertStatus(await app.put(bob, '/user/starred/ann/hers'), 204)
    await app.put(ann, '/user/blocks/bob')

    const refused = [
      await app.put(bob, '/user/starred/ann/hers'),
      await app.put(bob, '/repos/ann/hers/subscription'),
      await app.post(bob, '/repos/ann/hers/forks', {}),
      await app.post(bob, '/repos/bob/his/transfer', { new_owner: 'ann' }),
    ]

    for (const answer of refused) assertError(answer, 403, 'user is blocked')
    assertStatus(await app.delete(bob, '/user/starred/ann/hers'), 204)
    assertStatus(await app.put(ann, '/user/starred/bob/his'), 204)
  })

  test('ends working together, both ways, and what the other has to do with repositories', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const cat = await app.addCaller('cat')
    for (const [who, name, isPrivate] of [
      [ann, 'hers', false],
      [ann, 'hers-hidden', true],
      [bob, 'his', false],
      [bob, 'his-hidden', true],
    ] as const) {
      assertStatus(await app.post(who, '/user/repos', { name, private: isPrivate }), 201)
      const path = `/repos/${who.account.name}/${name}`
      for (const other of [ann, bob, cat].filter((one) => one !== who)) {
        const { name: login } = other.account
        assertStatus(await app.put(who, `${path}/collaborators/${login}`, {}), 204)
        assertStatus(await app.put(other, path.replace('/repos', '/user/starred')), 204)
        assertStatus(await app.put(other, `${path}/subscription`), 200)
      }
    }
    const issue = { title: 'x', assignees: ['bob', 'cat'] }
    assertStatus(await app.post(ann, '/repos/ann/hers/issues', issue), 201)
    for (const [who, path, to] of [
      [ann, '/repos/ann/hers-hidden', 'bob'],
      [bob, '/repos/bob/his', 'ann'],
    ] as const) {
      assertStatus(await app.post(who, `${path}/transfer`, { new_owner: to }), 201)
    }

    assertStatus(await app.put(ann, '/user/blocks/bob'), 204)

    const [hers, his] = ['/repos/ann/hers', '/repos/bob/his']
    assertError(await app.get(bob, `${hers}-hidden`), 404)
    assertError(await app.get(ann, `${his}-hidden`), 404)
    for (const [who, path] of [
      [ann, hers],
      [bob, his],
    ] as const) {
      for (const name of [path, `${path}-hidden`]) {
        const { body } = await app.get(who, `${name}/collaborators`)
        assert.deepEqual(logins(body), ['cat'])
      }
    }
    const countsOf = async (who: TestCaller, path: string) => {
      const { body } = await app.get(who, path)
      return [body.stars_count, body.watchers_count]
    }
    // Owners watch their own.
    assert.deepEqual(await countsOf(ann, hers), [1, 2])
    assert.deepEqual(await countsOf(ann, `${hers}-hidden`), [1, 2])
    assert.deepEqual(await countsOf(bob, his), [2, 3])
    assert.deepEqual(await countsOf(bob, `${his}-hidden`), [1, 2])
    const starred = await Promise.all([ann, bob, cat].map((who) => app.get(who, '/user')))
    assert.deepEqual(
      starred.map(({ body }) => body.starred_repos_count),
      [1, 0, 4],
    )
    assertError(await app.post(bob, `${hers}-hidden/transfer/accept`), 404)
    assertError(await app.post(ann, `${his}/transfer/accept`), 404)
    const { body: found } = await app.get(ann, `${hers}/issues/1`)
    assert.deepEqual(logins(found.assignees), ['cat'])
    const { body: timeline } = await app.get(ann, `${hers}/issues/1/timeline`)
    const last = timeline.at(-1)
    assert.partialDeepStrictEqual(last, { type: 'assignees', removed_assignee: true })
    assert.deepEqual([last.user.login, last.assignee.login], ['ann', 'bob'])
    const doctor = await machineOf(app).admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
  })

  test('takes one of ten calls at once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.put(ann, '/user/blocks/bob')),
    )

    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [204, ...Array.from({ length: 9 }, () => 400)])
  })

  test('leaves nobody in a team or among the collaborators who comes there at the same time', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    await app.post(ann, '/orgs', { username: 'acme' })
    const crew = { name: 'crew', units: ['repo.code'] }
    const { body: team } = await app.post(ann, '/orgs/acme/teams', crew)

    for (const name of Array.from({ length: 8 }, (_, index) => `person${index}`)) {
      await app.addPerson(name)
      await Promise.all([
        app.put(ann, `/repos/ann/one/collaborators/${name}`, {}),
        app.put(ann, `/teams/${team.id}/members/${name}`),
        app.put(ann, `/user/blocks/${name}`),
        app.put(ann, `/orgs/acme/blocks/${name}`),
      ])

      assertStatus(await app.get(ann, `/user/blocks/${name}`), 204)
      assertError(await app.get(ann, `/repos/ann/one/collaborators/${name}`), 404)
      const isMember = (await app.get(ann, `/orgs/acme/members/${name}`)).status === 204
      const isBlocked = (await app.get(ann, `/orgs/acme/blocks/${name}`)).status === 204
      assert.notEqual(isMember, isBlocked)
    }
  })

  test('leaves no star, watch or offer of who is blocked that comes at the same time', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const prepare = async (round: number) => {
      const them = await app.addCaller(`person${round}`)
      assertStatus(await app.post(them, '/user/repos', { name: 'own', private: true }), 201)
      return them
    }
    const approach = async (them: TestCaller) => {
      const [answer] = await Promise.all([
        app.post(them, `/repos/${them.name}/own/transfer`, { new_owner: 'ann' }),
        app.put(them, '/user/starred/ann/one'),
        app.put(them, '/repos/ann/one/subscription'),
      ])
      return answer
    }
    const block = ({ name }: TestCaller) => app.put(ann, `/user/blocks/${name}`)

    await atOnce(prepare, [approach, block], async (them, [, blocked]) => {
      assertStatus(blocked, 204)
      assertError(await app.get(them, '/user/starred/ann/one'), 404)
      assertError(await app.get(them, '/repos/ann/one/subscription'), 404)
      const { body: own } = await app.get(them, `/repos/${them.name}/own`)
      assert.equal(own.repo_transfer, undefined)
      assertError(await app.get(ann, `/repos/${them.name}/own`), 404)
    })
  })

  test('knows nobody who is not there or not to be seen', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('hidden', { visibility: 'private' })

    const nobody = await app.put(ann, '/user/blocks/nobody')

    assertError(nobody, 404, 'user redirect does not exist [name: nobody]')
    assertError(await app.put(ann, '/user/blocks/hidden'), 404, 'not found')
  })
})

suite('DELETE /user/blocks/{username}', () => {
  test('ends a block, so that following is possible again', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(ann, '/user/blocks/bob')

    assertStatus(await app.delete(ann, '/user/blocks/bob'), 204)

    assertError(await app.get(ann, '/user/blocks/bob'), 404, 'not found')
    assertStatus(await app.put(bob, '/user/following/ann'), 204)
  })

  test('refuses one who is not blocked, and knows nobody else', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.put(bob, '/user/blocks/ann')

    assertError(await app.delete(ann, '/user/blocks/bob'), 400, 'the user is not blocked')
    assertError(await app.delete(ann, '/user/blocks/nobody'), 404)

    assertStatus(await app.get(bob, '/user/blocks/ann'), 204)
  })
})

suite('GET /user/blocks', () => {
  test('lists the own blocks, page by page', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.addPerson('cid')
    for (const name of ['bob', 'cid']) await app.put(ann, `/user/blocks/${name}`)

    const { status, headers, body } = await app.get(ann, '/user/blocks?limit=1&page=2')

    assert.equal(status, 200)
    assert.equal(headers['x-total-count'], '2')
    assert.partialDeepStrictEqual(body, [{ login: 'cid', email: 'cid@example.org' }])
    assert.deepEqual((await app.get(bob, '/user/blocks')).body, [])
  })

  test('leaves out who has hidden since', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    await app.addPerson('bob')
    await app.put(ann, '/user/blocks/bob')
    await app.patch(root, '/admin/users/bob', { visibility: 'private' })

    const { headers, body } = await app.get(ann, '/user/blocks')

    assert.deepEqual(body, [])
    assert.equal(headers['x-total-count'], '0')
  })
})

suite('/user/blocks', () => {
  test('is refused without sign-in, without the scope, and to public-only tokens', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    await app.addPerson('bob')
    const reader = await app.withToken(ann, ['read:user'])
    const outside = await app.withToken(ann, ['public-only', 'all'])
    const message = 'this endpoint is not available for public-only tokens'

    for (const path of ['/user/blocks', '/user/blocks/bob']) {
      assertError(await app.get(undefined, path), 401, 'token is required')
      assertError(await app.get(outside, path), 403, message)
    }
    for (const method of ['PUT', 'DELETE']) {
      assertError(await app.send(undefined, method, '/user/blocks/bob'), 401, 'token is required')
      assertError(await app.send(outside, method, '/user/blocks/bob'), 403, message)
      const refused = await app.send(reader, method, '/user/blocks/bob')
      assertError(refused, 403, /required=\[write:user\]/)
    }
  })
})

suite('PUT /orgs/{org}/blocks/{username}', () => {
  test('keeps a person out of what the organization has, and back in', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'one' })
    const blocks = '/orgs/acme/blocks'
    const open = () => app.post(bob, '/repos/acme/one/issues', { title: 'x' })
    assertStatus(await open(), 201)
    assertStatus(await app.put(ann, '/repos/acme/one/collaborators/bob', {}), 204)
    assertStatus(await app.patch(ann, '/repos/acme/one/issues/1', { assignees: ['bob'] }), 201)
    assertError(await app.get(ann, `${blocks}/bob`), 404, 'not found')

    assertStatus(await app.put(ann, `${blocks}/BOB`), 204)

    assertStatus(await app.get(ann, `${blocks}/bob`), 204)
    const list = await app.get(ann, blocks)
    assert.deepEqual([list.body.length, list.body[0].login], [1, 'bob'])
    assertError(await open(), 403)
    assertError(await app.get(ann, '/repos/acme/one/collaborators/bob'), 404)
    const { body: timeline } = await app.get(ann, '/repos/acme/one/issues/1/timeline')
    assert.partialDeepStrictEqual(timeline.at(-1), {
      user: { login: 'ann' },
      removed_assignee: true,
    })
    assert.deepEqual((await app.get(ann, '/user/blocks')).body, [])
    assertError(await app.put(ann, `${blocks}/bob`), 400, 'the user is blocked already')
    const { body: team } = await app.post(ann, '/orgs/acme/teams', {
      name: 'crew',
      units: ['repo.code'],
    })
    const member = `/teams/${team.id}/members/bob`
    assertError(await app.put(ann, member), 403, 'user is blocked')
    assertError(await app.get(ann, '/orgs/acme/members/bob'), 404)
    assertStatus(await app.delete(ann, `${blocks}/bob`), 204)
    assertStatus(await app.put(ann, member), 204)
    assertStatus(await app.delete(ann, member), 204)
    assertError(await app.delete(ann, `${blocks}/bob`), 400, 'the user is not blocked')
    assertStatus(await open(), 201)
  })

  test('is for owners, and not about members', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'acme' })
    const team = await app.post(ann, '/orgs/acme/teams', { name: 't', units: ['repo.code'] })
    await app.put(ann, `/teams/${team.body.id}/members/bob`)
    const blocks = '/orgs/acme/blocks'

    assertError(await app.put(ann, `${blocks}/bob`), 400, /member/)
    assertError(await app.put(ann, `${blocks}/nobody`), 404)
    assertError(await app.put(ann, '/orgs/none/blocks/bob'), 404)
    for (const [who, status] of [
      [bob, 403],
      [undefined, 401],
    ] as const) {
      assertError(await app.get(who, blocks), status)
      assertError(await app.get(who, `${blocks}/ann`), status)
      assertError(await app.put(who, `${blocks}/ann`), status)
      assertError(await app.delete(who, `${blocks}/ann`), status)
    }
  })
})
