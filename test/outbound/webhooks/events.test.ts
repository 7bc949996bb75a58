import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64 } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertKeys, start, startPushing, summary } from './setup.ts'

const zero = '0'.repeat(40)

suite('events of git', () => {
  test('a push is told with its commits, their files and their authors', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await listen(['push'])
    const contents = '/repos/ann/one/contents'
    await app.post(ann, contents, {
      files: [
        { operation: 'create', path: 'a.txt', content: base64('a') },
        { operation: 'create', path: 'b.txt', content: base64('b') },
      ],
      message: 'first',
    })
    const [first] = await heard()
    const { body: listing } = await app.get(ann, contents)
    const shaOf = (name: string) =>
      (listing as { name: string; sha: string }[]).find((entry) => entry.name === name)?.sha

    await app.post(ann, contents, {
      files: [
        { operation: 'update', path: 'a.txt', content: base64('A'), sha: shaOf('a.txt') },
        { operation: 'delete', path: 'b.txt', sha: shaOf('b.txt') },
        { operation: 'create', path: 'é c', content: base64('c') },
      ],
      message: 'second',
    })

    const [call] = await heard()
    const head = (await app.get(ann, '/repos/ann/one/branches/main')).body.commit
    assert.partialDeepStrictEqual(first?.body, { before: zero, total_commits: 1 })
    const { repository, pusher, sender, commits, ...rest } = call?.body ?? {}
    assertKeys(call?.body as object, [
      'ref',
      'before',
      'after',
      'compare_url',
      'commits',
      'total_commits',
      'head_commit',
      'repository',
      'pusher',
      'sender',
    ])
    const before = first?.body.after as string
    assert.deepEqual(rest, {
      ref: 'refs/heads/main',
      before,
      after: head.id,
      compare_url: `http://codestead.test/ann/one/compare/${before}...${head.id}`,
      total_commits: 1,
      head_commit: commits[0],
    })
    assert.match(commits[0].timestamp, /^\d{4}-\d\d-\d\dT/)
    assert.deepEqual(commits, [
      {
        id: head.id,
        message: 'second\n',
        url: `http://codestead.test/ann/one/commit/${head.id}`,
        author: { name: 'ann', email: 'ann@example.org', username: 'ann' },
        committer: { name: 'ann', email: 'ann@example.org', username: 'ann' },
        verification: null,
        timestamp: commits[0].timestamp,
        added: ['é c'],
        removed: ['b.txt'],
        modified: ['a.txt'],
      },
    ])
    assert.partialDeepStrictEqual(repository, {
      full_name: 'ann/one',
      owner: { login: 'ann' },
      empty: false,
      permissions: { admin: true, push: true, pull: true },
    })
    assert.equal(pusher.login, 'ann')
    assert.deepEqual(sender, pusher)
  })

  test('branches and tags are told when they come and go', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const path = '/repos/ann/one'
    await app.post(ann, `${path}/contents/a`, { content: base64('a') })
    await listen(['push', 'create', 'delete'])

    await app.post(ann, `${path}/branches`, { new_branch_name: 'x/y' })
    const branch = await heard()
    await app.delete(ann, `${path}/branches/x%2Fy`)
    const branchGone = await heard()
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const tag = await heard()
    await app.delete(ann, `${path}/tags/v1`)
    const tagGone = await heard()

    const head = (await app.get(ann, `${path}/branches/main`)).body.commit.id as string
    assert.deepEqual(summary(branch), ['create x/y', 'push refs/heads/x/y'])
    assertKeys(branch[0]?.body as object, ['sha', 'ref', 'ref_type', 'repository', 'sender'])
    assert.partialDeepStrictEqual(branch[0]?.body, { sha: head, ref_type: 'branch' })
    assert.partialDeepStrictEqual(branch[1]?.body, { before: zero, after: head, commits: [] })
    assert.equal(branch[1]?.body.head_commit.id, head)
    assert.deepEqual(summary(branchGone), ['delete x/y'])
    assertKeys(branchGone[0]?.body as object, [
      'ref',
      'ref_type',
      'pusher_type',
      'repository',
      'sender',
    ])
    assert.deepEqual(summary(tag), ['create v1', 'push refs/tags/v1'])
    assert.partialDeepStrictEqual(tag[0]?.body, { sha: head, ref_type: 'tag' })
    assert.deepEqual(summary(tagGone), ['push refs/tags/v1', 'delete v1'])
    assert.partialDeepStrictEqual(tagGone[0]?.body, { after: zero, head_commit: null })
  })

  test('of a push of several refs each is told with what it brings', async (t) => {
    const { client, work, write, push, listen, heard } = await startPushing(t)
    await listen(['push'])
    await push('main')
    await heard()
    const heads = new Map<string, string>()
    for (const name of ['x', 'y']) {
      await client.git(['checkout', '--quiet', '-b', name, 'main'], work)
      write(`${name}.txt`, name)
      heads.set(name, await client.commit(work, `on ${name}`))
    }
    await client.git(['tag', '-m', 'heavy', 'heavy', 'y'], work)
    const blob = await client.git(['hash-object', '-w', 'y.txt'], work)
    await client.git(['tag', 'blob', blob], work)

    await push('x', 'y', 'main:again', 'heavy', 'blob')

    const calls = (await heard()).map(({ body }) => [
      body.ref.replace(/^refs\/\w+\//, ''),
      body.commits.map((commit: { added: string[] }) => commit.added).flat(),
      body.head_commit?.message ?? null,
      body.head_commit?.id === body.after,
    ])
    assert.deepEqual(calls, [
      ['x', ['x.txt'], 'on x\n', true],
      ['y', ['y.txt'], 'on y\n', true],
      ['again', [], 'first\n', true],
      ['heavy', [], 'on y\n', false],
      ['blob', [], null, false],
    ])
  })

  test('a status that a commit gets is told', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await app.post(ann, '/repos/ann/one/contents/a', { content: base64('a') })
    const head = (await app.get(ann, '/repos/ann/one/branches/main')).body.commit.id as string
    await listen(['status'])

    const status = { state: 'success', context: 'ci', description: 'good' }
    await app.post(ann, `/repos/ann/one/statuses/${head}`, status)

    const [call] = await heard()
    assert.equal(call?.headers['x-gitea-event'], 'status')
    assert.partialDeepStrictEqual(call?.body, {
      ...status,
      sha: head,
      commit: {
        id: head,
        url: `http://codestead.test/ann/one/commit/${head}`,
        author: { username: 'ann' },
        added: ['a'],
      },
      repository: { full_name: 'ann/one' },
      sender: { login: 'ann' },
    })
  })

  test('a filter lets only some branches through, and every tag', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const path = '/repos/ann/one'
    await app.post(ann, `${path}/contents/a`, { content: base64('a') })
    await listen(['create'], { branch_filter: '{main,release*}' })

    for (const name of ['release/1/x', 'other', 'releases']) {
      await app.post(ann, `${path}/branches`, { new_branch_name: name })
    }
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })

    assert.deepEqual(summary(await heard()), ['create release/1/x', 'create releases', 'create v1'])
  })
})

suite('events of issues', () => {
  test('all that happens to an issue and its comments is told, each as its own kind', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await listen(['issues'])
    const issues = '/repos/ann/one/issues'
    const label = (await app.post(ann, '/repos/ann/one/labels', { name: 'bug', color: 'fff' })).body
    const milestone = (await app.post(ann, '/repos/ann/one/milestones', { title: 'one' })).body
    const told = async (what: Promise<unknown>) => {
      await what
      return heard()
    }

    const opened = await told(app.post(ann, issues, { title: 'a', body: 'text' }))
    assert.deepEqual(summary(opened), ['issues opened'])
    assertKeys(opened[0]?.body as object, [
      'action',
      'number',
      'issue',
      'repository',
      'sender',
      'commit_id',
      'is_pull',
    ])
    assert.partialDeepStrictEqual(opened[0]?.body, {
      number: 1,
      issue: { number: 1, title: 'a', user: { login: 'ann' } },
      repository: { full_name: 'ann/one', open_issues_count: 1 },
      sender: { login: 'ann' },
      is_pull: false,
    })
    assert.equal(opened[0]?.headers['x-gitea-event'], 'issues')

    const one = `${issues}/1`
    const edited = await told(app.patch(ann, one, { title: 'b', body: 'other', ref: 'main' }))
    assert.deepEqual(summary(edited), ['issues edited'])
    assert.deepEqual(edited[0]?.body.changes, {
      title: { from: 'a' },
      body: { from: 'text' },
      ref: { from: '' },
      added_labels: null,
      removed_labels: null,
    })
    const steps: readonly [string, object, readonly string[]][] = [
      ['PATCH', { title: 'b' }, []],
      ['PATCH', { milestone: milestone.id }, ['issue_milestone milestoned']],
      ['PATCH', { milestone: 0 }, ['issue_milestone demilestoned']],
      ['PATCH', { assignees: ['ann'] }, ['issue_assign assigned']],
      ['PATCH', { assignees: [] }, ['issue_assign unassigned']],
      ['PATCH', { state: 'closed' }, ['issues closed']],
      ['PATCH', { state: 'open' }, ['issues reopened']],
      ['PATCH', { due_date: '2030-01-01T00:00:00Z' }, []],
    ]
    for (const [method, body, expected] of steps) {
      const calls = await told(app.send(ann, method, one, body))
      assert.deepEqual(summary(calls), expected)
      for (const { headers } of calls) assert.equal(headers['x-github-event'], 'issues')
    }
    const assigned = await told(app.post(ann, `${one}/assignees`, { assignees: ['ann'] }))
    assert.deepEqual(summary(assigned), ['issue_assign assigned'])
    const freed = await told(app.delete(ann, `${one}/assignees`, { assignees: ['ann'] }))
    assert.deepEqual(summary(freed), ['issue_assign unassigned'])
    const labelled = await told(app.post(ann, `${one}/labels`, { labels: [label.id] }))
    assert.deepEqual(summary(labelled), ['issue_label label_updated'])
    assert.equal(labelled[0]?.body.issue.labels[0].name, 'bug')
    const cleared = await told(app.delete(ann, `${one}/labels`))
    assert.deepEqual(summary(cleared), ['issue_label label_cleared'])

    const said = await told(app.post(ann, `${one}/comments`, { body: 'hello' }))
    assert.deepEqual(summary(said), ['issue_comment created'])
    assertKeys(said[0]?.body as object, [
      'action',
      'number',
      'issue',
      'comment',
      'repository',
      'sender',
      'is_pull',
    ])
    const comment = `${issues}/comments/${said[0]?.body.comment.id}`
    const reworded = await told(app.patch(ann, comment, { body: 'bye' }))
    assert.deepEqual(summary(reworded), ['issue_comment edited'])
    assert.deepEqual(reworded[0]?.body.changes, {
      body: { from: 'hello' },
      added_labels: null,
      removed_labels: null,
    })
    assert.equal(reworded[0]?.body.comment.body, 'bye')
    assert.deepEqual(summary(await told(app.delete(ann, comment))), ['issue_comment deleted'])

    const many = { title: 'c', assignees: ['ann'], milestone: milestone.id, closed: true }
    assert.deepEqual(summary(await told(app.post(ann, issues, many))), [
      'issues opened',
      'issue_milestone milestoned',
      'issue_assign assigned',
      'issues closed',
    ])
  })
})

suite('events of releases and attachments', () => {
  test('releases are told when they are published, edited and deleted; drafts never', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await app.post(ann, '/repos/ann/one/contents/a', { content: base64('a') })
    await listen(['release', 'attachment'])
    const releases = '/repos/ann/one/releases'
    const told = async (what: Promise<{ body: { id: number } }>) => {
      const { id } = (await what).body ?? {}
      return { id, calls: summary(await heard()) }
    }

    const draft = await told(app.post(ann, releases, { tag_name: 'v1', draft: true }))
    const renamed = await told(app.patch(ann, `${releases}/${draft.id}`, { name: 'one' }))
    const published = await told(app.patch(ann, `${releases}/${draft.id}`, { draft: false }))
    await app.patch(ann, `${releases}/${draft.id}`, { name: 'two' })
    const [updated] = await heard()
    const deleted = await told(app.delete(ann, `${releases}/${draft.id}`))

    assert.deepEqual(draft.calls, [])
    assert.deepEqual(renamed.calls, [])
    assert.deepEqual(published.calls, ['release published'])
    assertKeys(updated?.body as object, ['action', 'release', 'repository', 'sender'])
    assert.partialDeepStrictEqual(updated?.body, {
      action: 'updated',
      release: { id: draft.id, name: 'two', tag_name: 'v1' },
      repository: { release_counter: 1 },
    })
    assert.deepEqual(deleted.calls, ['release deleted'])
  })

  test('files that come to an issue, a comment or a release, and go', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await app.post(ann, '/repos/ann/one/contents/a', { content: base64('a') })
    const release = (await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1' })).body
    await app.post(ann, '/repos/ann/one/issues', { title: 'a' })
    await listen(['attachment', 'issues_only', 'issue_comment'])
    const bytes = { 'content-type': 'application/octet-stream' }
    const upload = (path: string) =>
      app.post(ann, `/repos/ann/one/${path}/assets?name=a.txt`, Buffer.from('a'), bytes)

    const file = (await upload(`releases/${release.id}`)).body
    const added = await heard()
    await app.delete(ann, `/repos/ann/one/releases/${release.id}/assets/${file.id}`)
    const removed = await heard()
    const form =
      '--x\r\nContent-Disposition: form-data; name="attachment"; filename="b.txt"\r\n\r\nb\r\n--x--\r\n'
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    assertStatus(await app.post(ann, '/repos/ann/one/issues/1/assets', form, type), 201)
    const toIssue = await heard()
    const said = await app.post(ann, '/repos/ann/one/issues/1/comments', { body: 'hm' })
    await heard()
    const assets = `/repos/ann/one/issues/comments/${said.body.id}/assets`
    assertStatus(await app.post(ann, assets, form, type), 201)
    const toComment = await heard()

    assert.deepEqual(summary(added), ['attachment added'])
    assert.partialDeepStrictEqual(added[0]?.body, {
      attachment: { id: file.id, name: 'a.txt' },
      release_id: release.id,
      issue_id: 0,
      repository: { full_name: 'ann/one' },
      sender: { login: 'ann' },
    })
    assert.deepEqual(summary(removed), ['attachment removed'])
    assert.deepEqual(summary(toIssue), ['issues edited', 'attachment added'])
    assert.deepEqual(summary(toComment), ['issue_comment edited', 'attachment added'])
    assert.partialDeepStrictEqual(toComment[0]?.body.comment, { id: said.body.id, body: 'hm' })
  })
})
