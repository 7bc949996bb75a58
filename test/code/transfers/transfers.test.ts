import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const transfer = '/repos/ann/r/transfer'

async function withRepository(t: TestContext, options: object = {}) {
  const app = await startApp(t)
  const [ann, bob, cat] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cat'),
  ]
  await app.post(ann, '/user/repos', { name: 'r', ...options })
  return { app, ann, bob, cat }
}

suite('a transfer', () => {
  test('waits until the new owner accepts', async (t) => {
    const { app, ann, bob, cat } = await withRepository(t)

    const offered = await app.post(ann, transfer, { new_owner: 'BOB' })
    assert.equal(offered.status, 201)
    assert.equal(offered.body.full_name, 'ann/r')
    assert.partialDeepStrictEqual((await app.get(ann, '/repos/ann/r')).body.repo_transfer, {
      doer: { login: 'ann' },
      recipient: { login: 'bob' },
      teams: [],
    })
    assertError(await app.post(ann, transfer, { new_owner: 'cat' }), 409)
    for (const who of [ann, cat])
      assertError(await app.post(who, `${transfer}/accept`), 403, 'permission denied')
    const accepted = await app.post(bob, `${transfer}/accept`)

    assert.equal(accepted.status, 202)
    assert.equal(accepted.body.full_name, 'bob/r')
    assert.equal(accepted.body.repo_transfer, undefined)
    assert.equal((await app.get(ann, '/repos/ann/r')).headers['location'], '/api/v1/repos/bob/r')
    const last = await app.ctx.db
      .selectFrom('activity')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.partialDeepStrictEqual(last, {
      kind: 'transfer_repo',
      content: 'ann/r',
      account_id: bob.id,
    })
    // The old name leads on until whoever it belongs to uses it again.
    assertStatus(await app.post(ann, '/user/repos', { name: 'r' }), 201)
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
  })

  test('between two organizations does not wait for its opposite, however many go both ways', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const places = ['acme', 'bcme'] as const
    for (const username of places) await app.post(root, '/orgs', { username })
    const names = Array.from({ length: 10 }, (_, number) => `r${number}`)
    for (const [at, name] of names.entries())
      await app.post(root, `/orgs/${places[at % 2]}/repos`, { name })

    for (const turn of [0, 1]) {
      const moved = await Promise.all(
        names.map((name, at) => {
          const [from, to] = (at + turn) % 2 === 0 ? places : places.toReversed()
          return app.post(root, `/repos/${from}/${name}/transfer`, { new_owner: to })
        }),
      )
      assert.deepEqual([...new Set(moved.map(({ status }) => status))], [202])
    }

    for (const place of places) {
      const { body } = await app.get(root, `/orgs/${place}/repos`)
      assert.equal(body.length, 5)
    }
  })

  test('of a private repository shows it to whom it is offered, until rejected', async (t) => {
    const { app, ann, bob, cat } = await withRepository(t, { private: true })
    await app.post(ann, transfer, { new_owner: 'bob' })

    assertStatus(await app.get(bob, '/repos/ann/r'), 200)
    assertError(await app.post(cat, `${transfer}/reject`), 404)
    const rejected = await app.post(bob, `${transfer}/reject`)

    assert.equal(rejected.status, 200)
    assertError(await app.get(bob, '/repos/ann/r'), 404)
    assertError(
      await app.post(ann, `${transfer}/accept`),
      404,
      /^repository doesn't have a pending transfer/,
    )
  })

  test('that waits is not overtaken by one that would be done at once', async (t) => {
    const { app, ann, bob } = await withRepository(t, { private: true })
    const root = await app.addAdmin()
    await app.post(ann, '/orgs', { username: 'apex' })
    await app.post(ann, transfer, { new_owner: 'bob' })

    for (const who of [ann, root]) {
      const answer = await app.post(who, transfer, { new_owner: 'apex' })
      assertError(answer, 409, 'repository is already being transferred')
    }
    assertStatus(await app.post(bob, `${transfer}/reject`), 200)
    assertStatus(await app.post(ann, transfer, { new_owner: 'apex' }), 202)
    assertError(await app.get(bob, '/repos/apex/r'), 404)
  })

  test('does not take a collaboration away that was there before, or came meanwhile', async (t) => {
    const { app, ann, bob, cat } = await withRepository(t, { private: true })
    await app.put(ann, '/repos/ann/r/collaborators/bob', { permission: 'write' })
    await app.post(ann, transfer, { new_owner: 'bob' })

    await app.post(bob, `${transfer}/reject`)

    assert.equal((await app.get(bob, '/repos/ann/r')).body.permissions.push, true)
    await app.post(ann, transfer, { new_owner: 'cat' })
    await app.put(ann, '/repos/ann/r/collaborators/cat', { permission: 'write' })
    await app.post(cat, `${transfer}/reject`)
    assert.equal((await app.get(cat, '/repos/ann/r')).body.permissions.push, true)
  })

  test('into an own organization is done at once, with its teams', async (t) => {
    const { app, ann } = await withRepository(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const team = await app.post(ann, '/orgs/acme/teams', {
      name: 'devs',
      permission: 'read',
      units: ['repo.code'],
    })

    const moved = await app.post(ann, transfer, { new_owner: 'acme', team_ids: [team.body.id] })

    assert.equal(moved.status, 202)
    assert.equal(moved.body.full_name, 'acme/r')
    const teams = (await app.get(ann, '/repos/acme/r/teams')).body
    assert.deepEqual(
      teams.map(({ name }: { name: string }) => name),
      ['Owners', 'devs'],
    )
    const back = await app.post(await app.addAdmin(), '/repos/acme/r/transfer', {
      new_owner: 'ann',
    })
    assert.equal(back.body.full_name, 'ann/r')
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
  })

  test('is decided by the owners of an organization that it is offered to', async (t) => {
    const { app, ann, bob, cat } = await withRepository(t)
    await app.post(bob, '/orgs', { username: 'acme' })
    const devs = { name: 'devs', permission: 'read', units: ['repo.code'] }
    const { body: team } = await app.post(bob, '/orgs/acme/teams', devs)
    const offer = { new_owner: 'acme', team_ids: [team.id] }
    assert.equal((await app.post(ann, transfer, offer)).status, 201)

    const { repo_transfer: pending } = (await app.get(undefined, '/repos/ann/r')).body
    assert.deepEqual(pending.teams, [{ ...team, organization: null }])
    assert.match(pending.recipient.email, /@noreply\./)
    assertError(await app.post(cat, `${transfer}/accept`), 403)
    assert.equal((await app.post(bob, `${transfer}/accept`)).body.full_name, 'acme/r')
  })

  test('gives the repository to the teams that are there still, each once', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.post(bob, '/orgs', { username: 'acme' })
    const addTeam = async (name: string) => {
      const team = { name, permission: 'read', units: ['repo.code'] }
      return (await app.post(bob, '/orgs/acme/teams', team)).body.id as number
    }
    const [gone, kept] = [await addTeam('gone'), await addTeam('kept')]
    const offer = { new_owner: 'acme', team_ids: [gone, kept, kept] }
    assertStatus(await app.post(ann, transfer, offer), 201)
    assertStatus(await app.delete(bob, `/teams/${gone}`), 204)

    assertStatus(await app.post(bob, `${transfer}/accept`), 202)

    const teams = (await app.get(bob, '/repos/acme/r/teams')).body as { name: string }[]
    assert.deepEqual(
      teams.map(({ name }) => name),
      ['Owners', 'kept'],
    )
    assertStatus(await app.post(bob, '/user/repos', { name: 'own' }), 201)
    const twice = { new_owner: 'acme', team_ids: [kept, kept] }
    assertStatus(await app.post(bob, '/repos/bob/own/transfer', twice), 202)
  })

  test('is decided once, however many decide at once', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    assertStatus(await app.post(ann, transfer, { new_owner: 'bob' }), 201)

    const answers = await Promise.all(
      ['accept', 'reject', 'accept', 'reject'].map((word) => app.post(bob, `${transfer}/${word}`)),
    )

    const done = answers.filter(({ status }) => status < 300)
    assert.equal(done.length, 1)
    const isMoved = done[0]?.status === 202
    assertStatus(await app.get(ann, `/repos/${isMoved ? 'bob' : 'ann'}/r`), 200)
  })

  test('is decided by whom it is offered to, even if they do not see the repository', async (t) => {
    const { app, ann, bob, cat } = await withRepository(t, { private: true })
    await app.post(bob, '/orgs', { username: 'acme' })

    assertStatus(await app.post(ann, transfer, { new_owner: 'acme' }), 201)
    assertError(await app.get(bob, '/repos/ann/r'), 404)
    const publicOnly = await app.withToken(bob.account, ['public-only', 'write:repository'])
    for (const who of [undefined, cat, publicOnly])
      assertError(await app.post(who, `${transfer}/accept`), 404, 'not found')
    assertStatus(await app.post(bob, `${transfer}/reject`), 200)
    assertError(await app.post(bob, `${transfer}/accept`), 404, 'not found')

    assertStatus(await app.post(ann, transfer, { new_owner: 'cat' }), 201)
    assertStatus(await app.delete(ann, '/repos/ann/r/collaborators/cat'), 204)
    assert.equal((await app.post(cat, `${transfer}/accept`)).body.full_name, 'cat/r')
  })

  test('is refused as the contract says', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.post(bob, '/user/repos', { name: 'R' })
    await app.post(bob, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs', { username: 'apex' })
    const [foreign] = (await app.get(bob, '/orgs/acme/teams')).body

    assertError(await app.post(ann, transfer, {}), 422, '[NewOwner]: Required')
    assertError(
      await app.post(ann, transfer, { new_owner: 'nobody' }),
      404,
      'The new owner does not exist or cannot be found',
    )
    await app.post(bob, '/orgs', { username: 'hidden', visibility: 'private' })
    assertError(
      await app.post(ann, transfer, { new_owner: 'hidden' }),
      404,
      'The new owner does not exist or cannot be found',
    )
    assertError(
      await app.post(ann, transfer, { new_owner: 'bob' }),
      422,
      'repository already exists [uname: bob, name: r]',
    )
    assertError(
      await app.post(ann, transfer, { new_owner: 'bob', team_ids: [1] }),
      422,
      /^Teams can only be added/,
    )
    assertError(
      await app.post(ann, transfer, { new_owner: 'apex', team_ids: [99999] }),
      422,
      /team 99999/,
    )
    assertError(await app.post(ann, transfer, { new_owner: 'apex', team_ids: [foreign.id] }), 403)
    await app.put(ann, '/repos/ann/r/collaborators/bob', { permission: 'admin' })
    assertError(
      await app.post(bob, transfer, { new_owner: 'bob' }),
      403,
      'user should be the owner of the repo',
    )
    assertError(await app.post(undefined, transfer, { new_owner: 'bob' }), 401)
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
  })

  test('leads to no organization that is beyond a public-only token', async (t) => {
    const { app, ann } = await withRepository(t)
    await app.post(ann, '/orgs', { username: 'inside', visibility: 'limited' })
    await app.post(ann, '/orgs', { username: 'open' })
    const outside = await app.withToken(ann.account, ['all', 'public-only'])

    assertError(
      await app.post(outside, transfer, { new_owner: 'inside' }),
      403,
      'token scope is limited to public orgs',
    )
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
    assertStatus(await app.post(outside, transfer, { new_owner: 'open' }), 202)
  })

  test('waits until what is handed over fits into the quota of the new owner', async (t) => {
    const app = await startApp(t, { quota: { per_owner: '1MiB' } })
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const fill = async (caller: typeof ann, repository: string) => {
      await app.post(caller, '/user/repos', { name: repository, auto_init: true })
      const path = `/repos/${caller.name}/${repository}`
      const { body } = await app.post(caller, `${path}/releases`, { tag_name: 'v1' })
      const file = Buffer.alloc(600_000)
      const octets = { 'content-type': 'application/octet-stream' }
      await app.post(caller, `${path}/releases/${body.id}/assets?name=x`, file, octets)
      return `${path}/releases/${body.id}`
    }
    await fill(ann, 'r')
    const other = await fill(bob, 'other')
    assertStatus(await app.post(ann, transfer, { new_owner: 'bob' }), 201)

    assertError(await app.post(bob, `${transfer}/accept`), 413, 'quota exceeded')
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
    assertStatus(await app.delete(bob, other), 204)
    assertStatus(await app.post(bob, `${transfer}/accept`), 202)
    assertStatus(await app.get(bob, '/repos/bob/r'), 200)
  })

  test('takes no old name of what the taker does not administer, as creating there does not', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const makers = {
      name: 'makers',
      permission: 'read',
      can_create_org_repo: true,
      units: ['repo.code'],
    }
    const team = await app.post(ann, '/orgs/acme/teams', makers)
    await app.put(ann, `/teams/${team.body.id}/members/bob`)
    await app.post(ann, '/orgs/acme/repos', { name: 'old', private: true })
    assertStatus(await app.patch(ann, '/repos/acme/old', { name: 'new' }), 200)
    await app.post(bob, '/user/repos', { name: 'old' })

    const answer = await app.post(bob, '/repos/bob/old/transfer', { new_owner: 'acme' })

    assertError(answer, 422, 'repository already exists [uname: acme, name: old]')
    assert.equal(
      (await app.get(ann, '/repos/acme/old')).headers['location'],
      '/api/v1/repos/acme/new',
    )
    assertStatus(await app.get(bob, '/repos/bob/old'), 200)
  })

  test('stays within what the new owner may have', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const root = await app.addAdmin()
    const limit = { max_repo_creation: 1, login_name: '', source_id: 0 }
    assertStatus(await app.patch(root, '/admin/users/bob', limit), 200)
    await app.post(bob, '/user/repos', { name: 'own' })
    assertStatus(await app.post(ann, transfer, { new_owner: 'bob' }), 201)

    assertError(await app.post(bob, `${transfer}/accept`), 403, /maximum limit of repositories/)

    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
    assertStatus(await app.delete(bob, '/repos/bob/own'), 204)
    assertStatus(await app.post(bob, `${transfer}/accept`), 202)
  })

  test('is no offer any more when who made it may hand nothing over', async (t) => {
    const { app, ann, bob, cat } = await withRepository(t)
    const root = await app.addAdmin()
    await app.post(ann, '/orgs', { username: 'acme' })
    const teams = (await app.get(ann, '/orgs/acme/teams')).body
    const owners = `/teams/${teams[0].id}/members/bob`
    const path = '/repos/acme/one'
    await app.post(ann, '/orgs/acme/repos', { name: 'one' })
    const offer = async () => {
      assertStatus(await app.put(ann, owners), 204)
      assertStatus(await app.post(bob, `${path}/transfer`, { new_owner: 'cat' }), 201)
    }
    await offer()
    assertStatus(await app.delete(ann, owners), 204)

    assertError(await app.post(cat, `${path}/transfer/accept`), 404, /pending transfer/)

    assert.equal((await app.get(ann, path)).body.repo_transfer, undefined)
    await offer()
    await app.patch(root, '/admin/users/bob', { prohibit_login: true })
    assertError(await app.post(cat, `${path}/transfer/accept`), 404, /pending transfer/)
    assert.equal((await app.get(ann, path)).body.full_name, 'acme/one')
  })
})
