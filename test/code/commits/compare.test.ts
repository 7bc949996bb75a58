// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { commit, makePrivate, startWithRepository } from './setup.ts'

suite('GET /repos/{owner}/{repo}/compare/{basehead}', () => {
  test('lists what the head has and the base lacks', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const one = await commit(setup, { a: 'a' }, { message: 'one', new_branch: 'topic/side' })
    await commit(setup, { b: 'b' }, { message: 'two', branch: 'topic/side' })
    const compare = async (text: string) =>
      (await app.get(undefined, `${path}/compare/${text}`)).body

    const both = await compare('main...topic/side')

    assert.equal(both.total_commits, 2)
    assert.partialDeepStrictEqual(both.commits, [
      { commit: { message: 'two\n' }, author: { login: 'ann' }, files: [{ filename: 'b' }] },
      { sha: one },
    ])
    assert.equal((await compare('main..topic/side')).total_commits, 2)
    assert.equal((await compare(`main...${one}`)).total_commits, 1)
    assert.equal((await compare('topic%2Fside')).total_commits, 2)
    assert.equal((await compare('main...ann:topic/side')).total_commits, 2)
    assert.deepEqual(await compare('topic/side...main'), { total_commits: 0, commits: [] })
  })

  test('gives the difference as text, from where the two parted or to the base itself', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { a: 'a\n' }, { message: 'one', new_branch: 'side' })
    await commit(setup, { b: 'b\n' }, { message: 'other' })
    const text = async (query: string) =>
      (await app.get(undefined, `${path}/compare/${query}`)).text

    const parted = await text('main...side?output=diff')
    const direct = await text('main..side?output=diff')
    const patch = await text('main...side?output=patch')

    assert.match(parted, /^diff --git a\/a b\/a/)
    assert.doesNotMatch(parted, /b\/b/)
    assert.match(direct, /deleted file mode/)
    assert.match(patch, /^Subject: \[PATCH\] one$/m)
  })

  test('compares with a fork that the caller may read', async (t) => {
    const setup = await startWithRepository(t)
    const { app, bob, path } = setup
    assertStatus(await app.post(bob, `${path}/forks`, {}), 202)
    const made = await app.post(bob, '/repos/bob/one/contents/theirs', {
      content: 'YQ==',
      message: 'theirs',
    })
    assertStatus(made, 201)

    const { status, body } = await app.get(undefined, `${path}/compare/main...bob:main`)
    const diff = await app.get(undefined, `${path}/compare/main...bob:main?output=diff`)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      total_commits: 1,
      commits: [{ files: [{ filename: 'theirs' }] }],
    })
    assert.match(diff.text, /^diff --git a\/theirs b\/theirs/)
  })

  test('does not find unknown refs, nor repositories of no relation', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    await app.post(bob, '/user/repos', { name: 'one', auto_init: true })
    await app.post(ann, '/user/repos', { name: 'empty' })

    for (const bad of [
      'main...missing',
      'missing...main',
      'main...bob:main',
      'main...nobody:main',
      'main...--output=x',
      'main...',
      'main....main',
    ]) {
      assertError(await app.get(undefined, `${path}/compare/${bad}`), 404)
    }
    assertError(await app.get(ann, '/repos/ann/empty/compare/main...side'), 404)
  })

  test('does not show a private repository through another', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    assertStatus(await app.post(bob, `${path}/forks`, {}), 202)
    await makePrivate(setup)

    assertError(await app.get(undefined, '/repos/bob/one/compare/main...ann:main'), 404)
    assertStatus(await app.get(ann, `${path}/compare/main...main`), 200)
  })
})
