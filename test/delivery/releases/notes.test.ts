import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, importInto, startWithRepository } from '../../code/commits/setup.ts'
import { addBranch, addCollaborator, openPull } from '../../collaboration/pulls/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('POST /repos/{owner}/{repo}/releases/generate-notes', () => {
  test('tells what was merged and committed since the nearest tag, and by whom', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const generate = (body: object) => app.post(ann, `${path}/releases/generate-notes`, body)
    const page = 'http://codestead.test/ann/one'
    await addCollaborator(setup, bob, 'write')

    const first = await generate({ tag_name: 'v1/a+b' })
    assertStatus(await app.post(ann, `${path}/releases`, { tag_name: 'v1' }), 201)
    const none = await generate({ tag_name: 'v2' })
    await addBranch(setup, 'topic', { 'a.txt': 'a\n', 'b.txt': 'b\n' })
    await openPull(setup, { title: 'Do the work' }, bob)
    const merge = await app.post(bob, `${path}/pulls/1/merge`, { Do: 'merge' })
    const direct = await commit(setup, { 'c.txt': 'c\n' }, { message: 'Add c\n\nand say why' })
    const second = await generate({ tag_name: 'v2' })
    assertStatus(await app.post(ann, `${path}/releases`, { tag_name: 'v2' }), 201)
    const tagged = await generate({ tag_name: 'v2' })
    const later = await generate({ tag_name: 'v3', previous_tag_name: 'v1' })

    assert.match(
      first.body.body,
      /^## Changes\n\n- Initial commit \(\w{10}, @ann\)\n\n## Contributors/,
    )
    assert.ok(first.body.body.endsWith(`**All changes**: ${page}/commits/tag/v1/a+b`))
    assert.equal(none.body.body, `**All changes**: ${page}/compare/v1...v2`)
    assertStatus(merge, 200)
    assert.deepEqual(second.body, {
      name: 'v2',
      body: [
        '## Changes',
        `- Add c (${direct.slice(0, 10)}, @ann)\n- Do the work (#1, @bob)`,
        '## Contributors',
        '@ann, @bob',
        `**All changes**: ${page}/compare/v1...v2`,
      ].join('\n\n'),
    })
    assert.deepEqual(tagged.body, second.body)
    assert.equal(later.body.body, second.body.body.replace('...v2', '...v3'))
    assertStatus(await app.patch(ann, path, { has_pull_requests: false }), 200)
    const withoutPulls = await generate({ tag_name: 'v2' })
    assert.match(withoutPulls.body.body, /^- Merge .*Do the work.* \(\w{10}, @bob\)$/m)
  })

  for (const Do of ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only']) {
    test(`names each pull request once, the last one merged by ${Do}`, async (t) => {
      const setup = await startWithRepository(t)
      const { app, ann, path } = setup
      assertStatus(await app.patch(ann, path, { allow_fast_forward_only_merge: true }), 200)
      assertStatus(await app.post(ann, `${path}/releases`, { tag_name: 'v1' }), 201)
      await addBranch(setup, 'last', { 'last.txt': '1\n' })
      await openPull(setup, { title: 'The last', head: 'last' })
      for (const name of ['one', 'two']) {
        await addBranch(setup, name, { [name]: `${name}\n` })
        const { number } = await openPull(setup, { title: `Add ${name}`, head: name })
        assertStatus(await app.post(ann, `${path}/pulls/${number}/merge`, { Do: 'merge' }), 200)
      }
      const direct = await commit(setup, { 'c.txt': 'c\n' }, { message: 'Add c' })
      assertStatus(await app.post(ann, `${path}/pulls/1/update`), 200)
      await commit(setup, { 'last.txt': '2\n' }, { branch: 'last', message: 'More' })
      assertStatus(await app.post(ann, `${path}/pulls/1/merge`, { Do }), 200)

      const { body } = await app.post(ann, `${path}/releases/generate-notes`, { tag_name: 'v2' })

      assert.deepEqual(body.body.match(/^- .*$/gm), [
        '- The last (#1, @ann)',
        `- Add c (${direct.slice(0, 10)}, @ann)`,
        '- Add two (#3, @ann)',
        '- Add one (#2, @ann)',
      ])
    })
  }

  test('shows so many changes and counts the rest; strangers are named as they sign', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const commits = Array.from(
      { length: 260 },
      (_, index) =>
        `commit refs/heads/long\ncommitter Zoe <zoe@far.example> ${1_700_000_000 + index} +0000\ndata 3\nx${index % 10}\n\n`,
    )
    await importInto(setup, commits.join(''))

    const body = { tag_name: 'v1', target_commitish: 'long' }
    const answer = await app.post(ann, `${path}/releases/generate-notes`, body)

    const text = answer.body.body as string
    assert.equal(text.match(/^- /gm)?.length, 250)
    assert.match(text, /\n\nAnd 10 more\.\n\n## Contributors\n\nZoe\n\n/)
    assert.match(text, /commits\/tag\/v1$/)
  })

  test('is for those who write releases, of a repository that has something', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    const notes = `${path}/releases/generate-notes`
    await app.post(ann, '/user/repos', { name: 'empty' })
    const wanted = { tag_name: 'v1' }

    assertError(await app.post(undefined, notes, wanted), 401, 'token is required')
    assertError(await app.post(bob, notes, wanted), 403)
    assertError(await app.post(ann, notes, {}), 422, '[TagName]: Required')
    assertError(await app.post(ann, notes, { tag_name: '-x' }), 422, '[TagName]: GitRefName')
    const unknown = { ...wanted, target_commitish: 'nothing' }
    assertError(await app.post(ann, notes, unknown), 404, 'target not found')
    const since = { ...wanted, previous_tag_name: 'v0' }
    assertError(await app.post(ann, notes, since), 404, "tag doesn't exist: v0")
    const empty = await app.post(ann, '/repos/ann/empty/releases/generate-notes', wanted)
    assertError(empty, 422, 'repo is empty')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'r', private: true, auto_init: true })
    const rights = { permission: 'read', units_map: { 'repo.releases': 'write' } }
    const team = { name: 'publishers', includes_all_repositories: true, ...rights }
    const { body } = await app.post(ann, '/orgs/acme/teams', team)
    assertStatus(await app.put(ann, `/teams/${body.id}/members/bob`), 204)
    const blind = await app.post(bob, '/repos/acme/r/releases/generate-notes', wanted)
    assertError(blind, 403, /specific read permission/)
  })
})
