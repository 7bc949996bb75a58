import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { atOnce } from '../../support/at-once.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { withRepository } from './support.ts'

suite('private in PATCH /repos/{owner}/{repo}', () => {
  test('made private, loses stars and watches, and its past is hidden for good', async (t) => {
    const { app, ann, edit } = await withRepository(t)
    const bob = await app.addCaller('bob')
    await app.put(bob, '/user/starred/ann/r')
    await app.put(bob, '/repos/ann/r/subscription')
    const hidden = async () =>
      (await app.ctx.db.selectFrom('activity').select('is_private').execute()).map(
        (row) => row.is_private,
      )

    assert.partialDeepStrictEqual((await edit({ private: true })).body, {
      private: true,
      stars_count: 0,
      watchers_count: 0,
    })

    assert.equal((await app.get(bob, '/user')).body.starred_repos_count, 0)
    assert.deepEqual((await app.get(bob, '/user/starred')).body, [])
    await app.put(ann, '/repos/ann/r/subscription')
    for (const isPrivate of [true, false])
      assert.equal((await edit({ private: isPrivate })).body.watchers_count, 1)
    assert.deepEqual(await hidden(), [1])
    assertStatus(await app.get(undefined, '/repos/ann/r'), 200)
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
  })

  test('forks follow their base, at every distance, and cannot do otherwise', async (t) => {
    const { app, edit } = await withRepository(t, { auto_init: true })
    const bob = await app.addCaller('bob')
    const cat = await app.addCaller('cat')
    await app.post(bob, '/repos/ann/r/forks', {})
    await app.post(cat, '/repos/bob/r/forks', {})

    const kept = await app.patch(bob, '/repos/bob/r', { private: true, description: 'mine' })
    assert.partialDeepStrictEqual(kept.body, { private: false, description: 'mine' })
    for (const owner of ['bob', 'cat']) {
      await app.put(bob, `/user/starred/${owner}/r`)
      await app.put(bob, `/repos/${owner}/r/subscription`)
    }
    await edit({ private: true })

    assert.partialDeepStrictEqual((await app.get(bob, '/repos/bob/r')).body, {
      private: true,
      fork: true,
      stars_count: 0,
      watchers_count: 0,
    })
    assert.partialDeepStrictEqual((await app.get(cat, '/repos/cat/r')).body, {
      stars_count: 0,
      watchers_count: 0,
    })
    assert.deepEqual((await app.get(bob, '/user/starred')).body, [])
    const hidden = await app.ctx.db.selectFrom('activity').select('is_private').execute()
    assert.ok(hidden.every((row) => row.is_private === 1))
    assert.equal((await app.get(cat, '/repos/cat/r')).body.private, true)
    assert.equal((await app.get(cat, '/repos/cat/r')).body.parent, undefined)
    await edit({ private: false })
    assert.equal((await app.get(cat, '/repos/cat/r')).body.private, false)
  })

  test('forks of what a private owner publishes stay private', async (t) => {
    const { app, ann } = await withRepository(t)
    const bob = await app.addCaller('bob')
    const cat = await app.addCaller('cat')
    await app.post(ann, '/orgs', { username: 'hush', visibility: 'private' })
    const team = { name: 'all', includes_all_repositories: true, permission: 'read' }
    const made = await app.post(ann, '/orgs/hush/teams', { ...team, units: ['repo.code'] })
    await app.put(ann, `/teams/${made.body.id}/members/bob`)
    await app.post(ann, '/orgs/hush/repos', { name: 'r', private: true, auto_init: true })
    assertStatus(await app.post(bob, '/repos/hush/r/forks', {}), 202)
    await app.put(bob, '/repos/bob/r/collaborators/cat', { permission: 'read' })
    assertStatus(await app.post(cat, '/repos/bob/r/forks', {}), 202)

    const published = await app.patch(ann, '/repos/hush/r', { private: false })

    assert.partialDeepStrictEqual(published.body, { private: false, internal: true })
    assert.equal((await app.get(bob, '/repos/bob/r')).body.private, true)
    assert.equal((await app.get(cat, '/repos/cat/r')).body.private, true)
    for (const wish of [true, false]) {
      const answer = await app.patch(bob, '/repos/bob/r', { private: wish })
      assert.deepEqual([answer.status, answer.body.private], [200, true])
    }
  })

  test('a fork is not published while its base is concealed', async (t) => {
    const { app, ann } = await withRepository(t)
    const bob = await app.addCaller('bob')
    assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
    const teams = (await app.get(ann, '/orgs/acme/teams')).body as { id: number }[]
    await app.put(ann, `/teams/${teams[0]?.id}/members/bob`)
    const names = Array.from({ length: 6 }, (_, index) => `base${index}`)
    // What a private owner has is forked privately, and may be published when that is public.
    assertStatus(await app.patch(ann, '/orgs/acme', { visibility: 'private' }), 200)
    for (const name of names) {
      assertStatus(await app.post(ann, '/orgs/acme/repos', { name }), 201)
      assertStatus(await app.post(bob, `/repos/acme/${name}/forks`, {}), 202)
    }
    assertStatus(await app.patch(ann, '/orgs/acme', { visibility: 'public' }), 200)
    const prepare = (round: number) => Promise.resolve(names[round] ?? '')
    const publish = (name: string) => app.patch(bob, `/repos/bob/${name}`, { private: false })
    const conceal = (name: string) => app.patch(ann, `/repos/acme/${name}`, { private: true })

    await atOnce(prepare, [publish, conceal], async (name, answers) => {
      for (const answer of answers) assertStatus(answer, 200)
      assert.equal((await app.get(bob, `/repos/bob/${name}`)).body.private, true)
    })
  })

  test('publishing can be left to administrators', async (t) => {
    const { app, edit, read } = await withRepository(
      t,
      {},
      { repositories: { force_private: true } },
    )
    const root = await app.addAdmin()

    assertError(
      await edit({ private: false, description: 'x', has_wiki: false, name: 's' }),
      422,
      'cannot change private repository to public',
    )
    assertStatus(await edit({ private: true }), 200)
    assert.partialDeepStrictEqual(await read(), { name: 'r', description: '', has_wiki: true })
    assert.equal((await app.patch(root, '/repos/ann/r', { private: false })).body.private, false)
    assert.equal((await edit({ private: true })).body.private, true)
  })
})
