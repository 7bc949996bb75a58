import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, startWithRepository } from '../code/commits/setup.ts'
import type { TestAnswer } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'

/** Each of these has a value: clients look into them without asking. */
function assertThere({ body }: TestAnswer, paths: string): void {
  for (const path of paths.split(/\s+/)) {
    const found = path
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], body)
    assert.ok(found !== undefined && found !== null, path)
  }
}

const ofRepository = `id full_name name owner.id owner.login owner.username owner.visibility owner.avatar_url owner.email
  default_branch permissions.admin permissions.push permissions.pull clone_url ssh_url html_url created_at updated_at
  has_pull_requests archived mirror empty private fork template original_url allow_merge_commits allow_rebase
  allow_rebase_explicit allow_squash_merge allow_fast_forward_only_merge default_merge_style size stars_count forks_count
  watchers_count open_issues_count website description has_issues has_wiki has_projects ignore_whitespace_conflicts
  mirror_interval`

suite('what clients look into without asking', () => {
  test('is there in every record', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const sha = await commit(setup, { 'a.txt': 'a' }, { new_branch: 'topic' })
    const pull = { title: 'p', head: 'topic', base: 'main' }
    assertStatus(await app.post(bob, `${path}/forks`, { organization: null, name: null }), 202)
    assertStatus(await app.post(ann, `${path}/labels`, { name: 'bug', color: '#f00' }), 201)

    for (const who of [ann, bob, undefined]) assertThere(await app.get(who, path), ofRepository)
    const fork = await app.get(bob, '/repos/bob/one')
    assertThere(fork, 'parent.default_branch parent.clone_url parent.ssh_url')
    assert.equal(fork.body.fork, true)
    for (const who of ['ann', 'bob']) {
      assertThere(await app.get(bob, `/users/${who}`), 'id login username email full_name')
    }
    const release = await app.post(ann, `${path}/releases`, { tag_name: 'v1' })
    assertThere(release, 'id url tag_name name body prerelease')
    const named = `${path}/releases/${release.body.id}/assets?name=a.txt`
    const bytes = { 'content-type': 'application/octet-stream' }
    assertThere(await app.post(ann, named, Buffer.from('a'), bytes), 'browser_download_url')
    const made = await app.post(ann, `${path}/pulls`, pull)
    const sides = 'head.label head.sha head.repo.full_name base.ref base.repo.owner.login'
    assertThere(made, `number state title body mergeable created_at updated_at ${sides}`)
    const issue = await app.post(ann, `${path}/issues`, { title: 'i', labels: [1] })
    assertThere(issue, 'number title body state repository.owner repository.name user.login')
    assertThere(issue, 'labels.0.id')
    assert.deepEqual([issue.body.repository.owner, issue.body.repository.name], ['ann', 'one'])
    const comment = await app.post(ann, `${path}/issues/2/comments`, { body: 'c' })
    assertThere(comment, 'id body')
    const status = await app.post(ann, `${path}/statuses/${sha}`, { state: 'success' })
    assertThere(status, 'id status context created_at')
    assertThere(await app.get(ann, `${path}/contents/README.md`), 'type name path content')
    assertThere(await app.get(ann, `${path}/contents/`), '0.type 0.name 0.path')
    assertThere(await app.get(ann, `${path}/tags`), '0.name 0.commit.sha 0.commit.created')
    assertThere(await app.get(ann, `${path}/branches`), '0.name 0.commit.id 0.commit.url')
  })

  test('their bodies say nothing by null and by empty texts', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const nothing = { gitignores: null, license: null, issue_labels: null }
    const bodies = [
      { name: 'a', ...nothing },
      { name: 'b', trust_model: 'default' },
      { name: 'c', trust_model: '', object_format_name: '' },
    ]
    for (const body of bodies) assertStatus(await app.post(ann, '/user/repos', body), 201)
    const before = (await app.get(ann, path)).body
    const unset = { projects_mode: null, allow_fast_forward_only_merge: null }
    const same = await app.patch(ann, path, { ...unset, default_delete_branch_after_merge: null })
    const { updated_at: _before, language: _language, ...rest } = before
    const styled = await app.patch(ann, path, { default_merge_style: 'squash' })

    assert.partialDeepStrictEqual(same.body, rest)
    assert.equal(styled.body.default_merge_style, 'squash')
  })
})
