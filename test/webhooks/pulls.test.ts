import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64 } from '../commits/setup.ts'
import { assertStatus } from '../support/expect.ts'
import { assertKeys, start, summary } from './setup.ts'

suite('events of pull requests', () => {
  test('everything that happens to one is told, by its exact kind', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const bob = await app.addCaller('bob')
    const path = '/repos/ann/one'
    const write = async (name: string, options: object) =>
      assertStatus(
        await app.post(ann, `${path}/contents/${name}`, { content: base64(name), ...options }),
        201,
      )
    await write('README', {})
    await write('a', { new_branch: 'topic' })
    const label = await app.post(ann, `${path}/labels`, { name: 'bug', color: '#f00' })
    await listen(['pull_request'])
    const wanted = { title: 'x', head: 'topic', base: 'main', reviewers: ['bob'] }

    assertStatus(await app.post(ann, `${path}/pulls`, wanted), 201)
    const [opened, ...asked] = await heard()
    await write('b', { branch: 'topic' })
    const [pushed] = await heard()
    await app.patch(ann, `${path}/pulls/1`, {
      title: 'y',
      labels: [label.body.id],
      assignees: ['bob'],
    })
    const edited = await heard()
    await app.post(bob, `${path}/pulls/1/reviews`, { event: 'APPROVED', body: 'good' })
    await app.post(ann, `${path}/issues/1/comments`, { body: 'thanks' })
    const reviewed = await heard()
    assertStatus(await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' }), 200)
    const merged = await heard()

    assertKeys(opened?.body as object, [
      'action',
      'number',
      'pull_request',
      'requested_reviewer',
      'repository',
      'sender',
      'commit_id',
      'review',
    ])
    assert.partialDeepStrictEqual(opened?.body, {
      action: 'opened',
      number: 1,
      pull_request: { title: 'x', head: { ref: 'topic' }, base: { ref: 'main' } },
      repository: { full_name: 'ann/one', open_pr_counter: 1 },
      sender: { login: 'ann' },
    })
    assert.equal(opened?.headers['x-gitea-event'], 'pull_request')
    const told = [opened, ...asked].filter((call) => call !== undefined)
    assert.deepEqual(summary(told).toSorted(), [
      'pull_request opened',
      'pull_request_review_request review_requested',
    ])
    assert.partialDeepStrictEqual(pushed?.body, {
      action: 'synchronized',
      commit_id: pushed?.body.pull_request.head.sha,
    })
    assert.deepEqual(summary(edited).toSorted(), [
      'pull_request edited',
      'pull_request_assign assigned',
      'pull_request_label label_updated',
    ])
    assert.deepEqual(summary(reviewed).toSorted(), [
      'pull_request_comment created',
      'pull_request_review_approved reviewed',
    ])
    const approval = reviewed.find(({ body }) => body.action === 'reviewed')
    assert.equal(approval?.headers['x-gitea-event'], 'pull_request_approved')
    assert.deepEqual(approval?.body.review, {
      type: 'pull_request_review_approved',
      content: 'good',
    })
    assert.deepEqual(summary(merged), ['pull_request closed'])
    assert.partialDeepStrictEqual(merged[0]?.body.pull_request, { merged: true, state: 'closed' })
  })
})
