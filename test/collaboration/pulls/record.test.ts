import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { openPull, startWithTopic } from './setup.ts'

const pullKeys =
  'id url number user title body labels milestone assignee assignees requested_reviewers requested_reviewers_teams state draft is_locked comments review_comments additions deletions changed_files html_url diff_url patch_url mergeable merged merged_at merge_commit_sha merged_by allow_maintainer_edit base head merge_base due_date created_at updated_at closed_at pin_order content_version'
const reviewKeys =
  'id user team state body commit_id stale official dismissed comments_count submitted_at updated_at html_url pull_request_url'
const lineKeys =
  'id body user resolver pull_request_review_id created_at updated_at path commit_id original_commit_id diff_hunk position original_position html_url pull_request_url'

const keysOf = (record: object) => Object.keys(record).join(' ')

suite('records of pull requests', () => {
  test('have the keys of the contract in its order, and no others', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const pull = await openPull(setup)
    const comments = [{ path: 'a.txt', body: 'why?', new_position: 1 }]
    const review = await app.post(bob, `${path}/pulls/1/reviews`, { event: 'COMMENT', comments })
    const reviews = `${path}/pulls/1/reviews`
    const lines = await app.get(ann, `${reviews}/${review.body.id}/comments`)
    const listed = await app.get(ann, `${path}/pulls`)

    assert.equal(keysOf(pull), pullKeys)
    assert.equal(keysOf(listed.body[0]), pullKeys)
    assert.equal(keysOf(pull.head), 'label ref sha repo_id repo')
    assert.deepEqual([pull.head.repo_id, pull.base.repo_id], [pull.head.repo.id, pull.base.repo.id])
    assert.deepEqual([pull.comments, pull.pin_order, pull.is_locked], [0, 0, false])
    assert.equal(keysOf(review.body), reviewKeys)
    assert.equal(keysOf(lines.body[0]), lineKeys)
    assert.equal(lines.body[0].pull_request_url, pull.html_url)
  })

  test('tell of each file what became of it, with or without white space', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const first = { 'indented.txt': 'one\ntwo\n', 'gone.txt': 'gone\n', 'edited.txt': 'e\n' }
    await commit(setup, first, { branch: 'main' })
    const second = { 'indented.txt': 'one\n  two\n', 'edited.txt': 'edited\n' }
    await commit(setup, second, { new_branch: 'work', message: 'second' })
    const { sha } = (await app.get(ann, `${path}/contents/gone.txt`)).body
    const removal = { sha, branch: 'work', message: 'third' }
    assertStatus(await app.delete(ann, `${path}/contents/gone.txt`, removal), 200)
    await openPull(setup, { head: 'work' })
    const filesWith = async (query: string) => {
      const { body } = await app.get(undefined, `${path}/pulls/1/files${query}`)
      return body.map((file: { filename: string; status: string; changes: number }) => [
        file.filename,
        file.status,
        file.changes,
      ])
    }

    const all = [
      ['edited.txt', 'changed', 2],
      ['gone.txt', 'deleted', 1],
      ['indented.txt', 'changed', 2],
    ]
    assert.deepEqual(await filesWith(''), all)
    assert.deepEqual(await filesWith('?whitespace=show-all&page=0&limit=-1'), all)
    assert.deepEqual(await filesWith('?whitespace=else'), all)
    for (const way of ['ignore-all', 'ignore-change']) {
      const [, , indented] = await filesWith(`?whitespace=${way}`)
      assert.equal(indented[2], way === 'ignore-all' ? 0 : 2, way)
    }
    assert.deepEqual(await filesWith('?skip-to=gone.txt&limit=1'), [all[1]])
    assert.deepEqual(await filesWith('?page=9'), [])
    const bare = await app.get(ann, `${path}/pulls/1/commits?verification=false&files=false`)
    assert.deepEqual(
      bare.body.map((one: { files: unknown; commit: { verification: unknown } }) => [
        one.files,
        one.commit.verification,
      ]),
      [
        [null, null],
        [null, null],
      ],
    )
  })
})
