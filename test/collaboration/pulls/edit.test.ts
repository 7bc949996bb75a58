import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addBranch, addCollaborator, getPull, openPull, startWithTopic } from './setup.ts'

suite('PATCH /repos/{owner}/{repo}/pulls/{index}', () => {
  test('changes all that is given, and nothing else', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'release', { 'r.txt': 'r' })
    const label = await app.post(ann, `${path}/labels`, { name: 'bug', color: '#f00' })
    const milestone = await app.post(ann, `${path}/milestones`, { title: 'one' })
    const before = await openPull(setup)

    const changed = await app.patch(ann, `${path}/pulls/1`, {
      title: 'WIP: new',
      body: 'text',
      base: 'release',
      assignees: ['bob'],
      milestone: milestone.body.id,
      labels: [label.body.id],
      due_date: '2030-01-02T03:04:05Z',
      allow_maintainer_edit: false,
      content_version: 0,
    })
    // What a client sends of which nobody has set a field.
    const untouched = { title: '', base: '', assignee: '', assignees: null, milestone: 0 }
    const kept = await app.patch(ann, `${path}/pulls/1`, { ...untouched, labels: null })
    const cleared = await app.patch(ann, `${path}/pulls/1`, {
      labels: [],
      assignees: [],
      unset_due_date: true,
    })
    const timeline = await app.get(ann, `${path}/issues/1/timeline`)

    assertStatus(changed, 201)
    assert.partialDeepStrictEqual(changed.body, {
      title: 'WIP: new',
      draft: true,
      mergeable: false,
      body: 'text',
      base: { ref: 'release' },
      assignees: [{ login: 'bob' }],
      milestone: { title: 'one' },
      labels: [{ name: 'bug' }],
      due_date: '2030-01-02T23:59:59Z',
      allow_maintainer_edit: false,
      content_version: 1,
    })
    assert.notEqual(changed.body.base.sha, before.base.sha)
    for (const key of ['title', 'body', 'base', 'assignees', 'milestone', 'labels', 'due_date']) {
      assert.deepEqual(kept.body[key], changed.body[key], key)
    }
    assert.partialDeepStrictEqual(cleared.body, {
      title: 'WIP: new',
      milestone: { title: 'one' },
      due_date: null,
      base: { ref: 'release' },
    })
    assert.deepEqual([cleared.body.labels, cleared.body.assignees], [[], []])
    const kinds = timeline.body.map(({ type }: { type: string }) => type)
    assert.ok(kinds.includes('change_target_branch'))
  })

  test('refuses what does not fit, and changes nothing then', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await addBranch(setup, 'release', { 'r.txt': 'r' })
    await openPull(setup)
    await openPull(setup, { base: 'release' }, bob)
    const one = `${path}/pulls/1`

    assertError(await app.patch(ann, one, { title: 'x', base: 'none' }), 404, /new base 'none'/)
    assertError(await app.patch(ann, one, { title: 'x', base: 'release' }), 409)
    assertError(await app.patch(ann, one, { title: 'x', base: 'topic' }), 422)
    assertError(await app.patch(ann, one, { title: 'x', content_version: 9 }), 409)
    assertError(await app.patch(ann, one, { title: 'x', state: 'merged' }), 412)
    assertError(await app.patch(ann, one, { title: 'x', assignees: ['nobody'] }), 422)
    assertError(await app.patch(ann, one, { title: 'x', milestone: 99 }), 422)
    assertError(await app.patch(ann, one, { title: 'x', unset_due_date: false }), 400)
    assertError(await app.patch(ann, `${path}/pulls/9`, { title: 'x' }), 404)
    assertError(await app.patch(undefined, one, { title: 'x' }), 401)
    assert.equal((await app.patch(bob, one, { title: 'x' })).status, 403)
    const own = await app.patch(bob, `${path}/pulls/2`, { title: 'mine', labels: [1] })
    assert.partialDeepStrictEqual(own.body, { title: 'mine', labels: [] })
    assert.equal((await getPull(setup, 1)).title, 'the work')
  })

  test('closes and reopens, and sees then what happened to the branches meanwhile', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await openPull(setup)

    const closed = await app.patch(ann, `${path}/pulls/1`, { state: 'closed' })
    const base = await commit(setup, { 'm.txt': 'm' }, { branch: 'main' })
    const head = await commit(setup, { 'a.txt': 'aa' }, { branch: 'topic' })
    const second = await openPull(setup)
    const refused = await app.patch(ann, `${path}/pulls/1`, { state: 'open' })
    await app.patch(ann, `${path}/issues/${second.number}`, { state: 'closed' })
    const reopened = await app.patch(ann, `${path}/issues/1`, { state: 'open' })
    const pull = await getPull(setup, 1)

    assert.partialDeepStrictEqual(closed.body, { state: 'closed' })
    assert.notEqual(closed.body.closed_at, null)
    assertError(refused, 409)
    assertStatus(reopened, 201)
    assert.partialDeepStrictEqual(pull, { state: 'open', head: { sha: head }, base: { sha: base } })
    assert.equal((await app.get(ann, path)).body.open_pr_counter, 1)
    const feed = await app.get(ann, `${path}/activities/feeds`)
    const kinds = feed.body.map(({ op_type }: { op_type: string }) => op_type)
    assert.ok(kinds.includes('close_pull_request') && kinds.includes('reopen_pull_request'))
  })

  test('lets a writer of pull requests edit what others opened', async (t) => {
    const setup = await startWithTopic(t)
    const { app, bob, path } = setup
    await openPull(setup)
    await addCollaborator(setup, bob, 'write')

    const { body } = await app.patch(bob, `${path}/pulls/1`, { title: 'better' })

    assert.equal(body.title, 'better')
  })
})
