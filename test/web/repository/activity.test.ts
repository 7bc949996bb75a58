// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ActivityKind } from '../../../src/events/activity/record.ts'
import { recordActivities } from '../../../src/events/activity/record.ts'
import { commit, makePrivate, startWithRepository } from '../../code/commits/setup.ts'
import { signIn } from '../support.ts'
import { edit, evil, hasScript, visit, wordsOf } from './support.ts'

suite('GET /{owner}/{repo}/activity', () => {
  test('tells of pushes, issues, comments and releases', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob } = setup
    const id = await commit(setup, { 'a.txt': 'x' }, { message: `Add a ${evil}\n\nbody` })
    await app.post(bob, '/repos/ann/one/issues', { title: `Beam ${evil}` })
    await app.post(ann, '/repos/ann/one/issues/1/comments', { body: `Seen ${evil}` })
    await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1', name: `One ${evil}` })

    const page = await visit(app, '/ann/one/activity')

    assert.equal(page.status, 200)
    const words = wordsOf(page)
    assert.match(
      words,
      /ann released One &lt;script.*bob opened the issue #1 Beam &lt;script.*ann pushed to main/,
    )
    assert.match(words, /ann commented on #1 Seen &lt;script/)
    assert.match(page.text, new RegExp(`href="/ann/one/commit/${id}">`))
    assert.match(page.text, /href="\/ann\/one\/issues\/1">#1</)
    assert.ok(!hasScript(page))
  })

  test('has words for every kind of thing that is recorded', async (t) => {
    const setup = await startWithRepository(t)
    const { ctx } = setup.app
    const kinds: ActivityKind[] = [
      'rename_repo',
      'transfer_repo',
      'delete_tag',
      'delete_branch',
      'merge_pull_request',
      'mirror_sync_push',
    ]
    const common = { repositoryId: 1, accountId: setup.ann.id, isPrivate: false, at: ctx.now() }
    await recordActivities(
      ctx.db,
      kinds.map((kind) => ({ ...common, kind, refName: 'refs/heads/old', content: '7|x' })),
    )

    const page = await visit(setup.app, '/ann/one/activity')
    const words = wordsOf(page)

    assert.match(words, /deleted the branch old/)
    assert.match(words, /merged the pull request #7/)
    assert.match(page.text, /href="\/ann\/one\/pulls\/7">#7</)
    for (const kind of kinds) assert.ok(!words.includes(kind), kind)
  })

  test('leaves out what the viewer may not know', async (t) => {
    const setup = await startWithRepository(t)
    const { app, bob } = setup
    await app.post(bob, '/repos/ann/one/issues', { title: 'Hidden title' })
    await edit(setup, { has_issues: false })

    assert.doesNotMatch((await visit(app, '/ann/one/activity')).text, /Hidden title/)
    await makePrivate(setup)
    assert.equal((await visit(app, '/ann/one/activity')).status, 404)
    assert.equal((await (await signIn(app, 'bob')).get('/ann/one/activity')).status, 404)
    assert.equal((await (await signIn(app, 'ann')).get('/ann/one/activity')).status, 200)
  })

  test('goes page by page', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    for (let number = 1; number <= 31; number++)
      await app.post(ann, '/repos/ann/one/issues', { title: `Number ${number}.` })

    const first = await visit(app, '/ann/one/activity')
    const second = await visit(app, '/ann/one/activity?page=2')

    assert.match(first.text, /Number 31\./)
    assert.doesNotMatch(first.text, /Number 1\./)
    assert.match(second.text, /Number 1\.[^]*created the repository/)
  })
})
