import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64 } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
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

  test('each kind has its actions, and receivers hear of it under the name of its group', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const bob = await app.addCaller('bob')
    const path = '/repos/ann/one'
    await app.post(ann, `${path}/contents/README`, { content: base64('r') })
    await app.post(ann, `${path}/contents/a`, { content: base64('a'), new_branch: 'topic' })
    const label = await app.post(ann, `${path}/labels`, { name: 'bug', color: '#f00' })
    const milestone = await app.post(ann, `${path}/milestones`, { title: 'one' })
    const wanted = { title: 'x', head: 'topic', base: 'main' }
    assertStatus(await app.post(ann, `${path}/pulls`, wanted), 201)
    await listen(['pull_request'])
    const pull = `${path}/pulls/1`
    const asked = { reviewers: ['bob'] }
    type Step = [typeof ann, string, string, object, string, string]
    const group = 'pull_request'
    const steps: Step[] = [
      [ann, 'PATCH', pull, { state: 'closed' }, 'pull_request closed', group],
      [ann, 'PATCH', pull, { state: 'open' }, 'pull_request reopened', group],
      [ann, 'PATCH', pull, { body: 'y' }, 'pull_request edited', group],
      [ann, 'PATCH', pull, { labels: [label.body.id] }, `${group}_label label_updated`, group],
      [ann, 'PATCH', pull, { labels: [] }, `${group}_label label_cleared`, group],
      [
        ann,
        'PATCH',
        pull,
        { milestone: milestone.body.id },
        `${group}_milestone milestoned`,
        group,
      ],
      [
        ann,
        'PATCH',
        `${path}/issues/1`,
        { milestone: 0 },
        `${group}_milestone demilestoned`,
        group,
      ],
      [ann, 'PATCH', pull, { assignees: ['ann'] }, `${group}_assign assigned`, group],
      [ann, 'PATCH', pull, { assignees: [] }, `${group}_assign unassigned`, group],
      [
        ann,
        'POST',
        `${pull}/requested_reviewers`,
        asked,
        `${group}_review_request review_requested`,
        group,
      ],
      [
        ann,
        'DELETE',
        `${pull}/requested_reviewers`,
        asked,
        `${group}_review_request review_request_removed`,
        group,
      ],
      [
        ann,
        'POST',
        `${path}/issues/1/comments`,
        { body: 'z' },
        `${group}_comment created`,
        'issue_comment',
      ],
      [
        bob,
        'POST',
        `${pull}/reviews`,
        { event: 'REQUEST_CHANGES', body: 'no' },
        `${group}_review_rejected reviewed`,
        'pull_request_rejected',
      ],
      [
        bob,
        'POST',
        `${pull}/reviews`,
        { event: 'COMMENT', body: 'hm' },
        `${group}_review_comment reviewed`,
        'pull_request_comment',
      ],
    ]

    for (const [who, method, address, body, expected, name] of steps) {
      const answer = await app.send(who, method, address, body)
      assert.ok(answer.status < 300, answer.text)
      const calls = await heard()
      assert.deepEqual(summary(calls), [expected])
      const headers = calls[0]?.headers ?? {}
      assert.deepEqual([headers['x-gitea-event'], headers['x-github-event']], [name, name])
      // Nothing was signed, since there is no secret.
      assert.deepEqual([headers['x-gitea-signature'], headers['x-hub-signature']], ['', 'sha1='])
      if (name === 'issue_comment') assert.equal(calls[0]?.body.is_pull, true)
      else assert.equal(calls[0]?.body.pull_request.number, 1)
    }
  })
})
