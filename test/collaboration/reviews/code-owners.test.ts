import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  compilePathPattern,
  readOwnerRules,
} from '../../../src/collaboration/reviews/owner-rules.ts'
import { commit, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { addCollaborator, getPull, openPull } from '../pulls/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { countStatements } from '../../support/statements.ts'

const logins = (people: readonly { login: string }[]) => people.map(({ login }) => login).sort()

/** Who is asked to review a pull request: people, then teams. */
async function asked(setup: Setup, number: number): Promise<string[]> {
  const pull: TestAnswer['body'] = await getPull(setup, number)
  const teams = pull.requested_reviewers_teams.map(({ name }: { name: string }) => `team ${name}`)
  return [...logins(pull.requested_reviewers), ...teams]
}

suite('a CODEOWNERS file', () => {
  test('has a pattern and its owners on each line', () => {
    const text = [
      '# whose is what',
      '',
      '.*\\\\.go   @bob\t@acme/Readers # a comment @nobody',
      'docs/.*\\.md dan@example.org',
      '!src/.* cid',
      'a\\ b\\#c @bob',
      'nobodys/.*',
      '  @bob',
    ].join('\r\n')

    assert.deepEqual(
      readOwnerRules(text).map(({ pattern, isNegated, owners }) => [pattern, isNegated, owners]),
      [
        ['.*\\.go', false, ['bob', 'acme/Readers']],
        ['docs/.*\\.md', false, ['dan@example.org']],
        ['src/.*', true, ['cid']],
        ['a b#c', false, ['bob']],
      ],
    )
  })

  test('has patterns that match whole paths, and none that hold up the server', () => {
    const matches = (pattern: string, path: string) => compilePathPattern(pattern)?.(path)

    assert.equal(matches('.*\\.go', 'a/b.go'), true)
    assert.equal(matches('a|b', 'ab'), false)
    assert.equal(matches('docs/', 'docs/x'), false)
    const refused = ['(', '(?=a)', '(a)\\1', 'a{1000}', 'a{150}b{,100}c{60,}', 'x'.repeat(256)]
    for (const pattern of refused) assert.equal(compilePathPattern(pattern), undefined, pattern)
    const path = `${'a'.repeat(4_000)}!`
    for (const pattern of ['(a+)+$', '(a|a)*b', '(.*)*x', '.*.*.*.*.*.*.*.*=.*']) {
      assert.equal(matches(pattern, path), false, pattern)
    }
  })
})

suite('code owners', () => {
  test('are asked for a review when a pull request is opened, as far as they can read it', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    for (const name of ['cid', 'dan', 'eve']) await app.addPerson(name)
    await app.addPerson('off')
    const root = await app.addAdmin()
    assertStatus(await app.patch(root, '/admin/users/off', { active: false }), 200)
    await app.patch(ann, path, { private: true })
    for (const name of ['bob', 'dan', 'eve', 'off']) {
      assertStatus(await app.put(ann, `${path}/collaborators/${name}`, { permission: 'read' }), 204)
    }
    const owners = [
      'src/.*\\.go @BOB @ann @cid @off @nobody @acme/none @ann/x',
      'docs/.* Dan@example.org',
      '!docs/.* @eve',
      '([ @bob',
    ].join('\n')
    await commit(setup, { 'docs/CODEOWNERS': owners, 'src/old.go': 'o\n' }, { branch: 'main' })
    await commit(setup, { 'src/new.go': 'n' }, { new_branch: 'code' })
    await commit(setup, { 'docs/x.md': 'x' }, { new_branch: 'docs' })
    await commit(setup, { 'other/x': 'x' }, { new_branch: 'other' })

    const opened = await openPull(setup, { head: 'code', reviewers: ['bob'] })
    await openPull(setup, { head: 'docs' })
    await openPull(setup, { head: 'other' }, bob)
    const timeline = await app.get(ann, `${path}/issues/1/timeline`)

    assert.deepEqual(logins(opened.requested_reviewers), ['bob', 'eve'])
    assert.deepEqual(await asked(setup, 1), ['bob', 'eve'])
    assert.deepEqual(await asked(setup, 2), ['dan'])
    assert.deepEqual(await asked(setup, 3), ['eve'])
    const kinds = timeline.body.map(({ type }: { type: string }) => type)
    assert.deepEqual(kinds, ['review_request', 'review_request'])
    const move = { from_path: 'src/old.go', content: 'bw==', branch: 'other', message: 'move' }
    const { sha } = (await app.get(ann, `${path}/contents/src/old.go?ref=other`)).body
    assertStatus(await app.put(ann, `${path}/contents/other/old`, { ...move, sha }), 200)
    assert.deepEqual(await asked(setup, 3), ['ann', 'eve'])
  })

  test('are asked when what is pushed concerns them, once, and not about drafts', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const cid = await app.addCaller('cid')
    await commit(setup, { CODEOWNERS: 'a.* @bob\nb.* @cid\n' }, { branch: 'main' })
    await commit(setup, { 'a.txt': 'a\n' }, { new_branch: 'topic' })
    await commit(setup, { 'a.txt': 'b\n' }, { new_branch: 'draft' })
    await openPull(setup, { head: 'topic' })
    await openPull(setup, { head: 'draft', title: 'WIP: later' })

    assert.deepEqual(await asked(setup, 1), ['bob'])
    const review = { event: 'APPROVED', body: 'good' }
    assertStatus(await app.post(bob, `${path}/pulls/1/reviews`, review), 200)
    await commit(setup, { 'a.txt': 'aa\n' }, { branch: 'topic' })
    assert.deepEqual(await asked(setup, 1), [])
    await commit(setup, { 'b.txt': 'b\n' }, { branch: 'topic' })
    assert.deepEqual(await asked(setup, 1), ['cid'])
    await commit(setup, { 'b.txt': 'b\n' }, { branch: 'draft' })
    assert.deepEqual(await asked(setup, 2), [])
    assertStatus(await app.patch(ann, `${path}/issues/2`, { title: 'WIP: still' }), 201)
    assert.deepEqual(await asked(setup, 2), [])
    assertStatus(await app.patch(ann, `${path}/pulls/2`, { title: 'now' }), 201)
    assert.deepEqual(await asked(setup, 2), ['bob', 'cid'])
    const own = { reviewers: ['cid'] }
    assertStatus(await app.delete(cid, `${path}/pulls/2/requested_reviewers`, own), 204)
    assertStatus(await app.patch(ann, `${path}/pulls/2`, { title: 'again' }), 201)
    assert.deepEqual(await asked(setup, 2), ['bob'])
  })

  test('are looked up all at once, as is everybody who is asked', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const names = ['cid', 'dan', 'eve', 'fay']
    for (const name of names) await app.addPerson(name)
    await commit(setup, { CODEOWNERS: 'a.* @cid\nb.* @dan @eve @fay\n' }, { branch: 'main' })
    const statements = countStatements(t, app)
    const ofOpening = async (head: string, reviewers: readonly string[]) => {
      await commit(setup, { [`${head}.txt`]: 'x' }, { new_branch: head })
      return statements(async () => void (await openPull(setup, { head, reviewers })))
    }

    const one = await ofOpening('a1', ['bob'])

    assert.equal(await ofOpening('b1', ['bob']), one)
    assert.equal(await ofOpening('a2', ['bob', ...names]), one)
    assert.deepEqual(await asked(setup, 3), ['bob', ...names])
    const rule = { rule_name: 'main', enable_approvals_whitelist: true }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const listed = await ofOpening('a3', ['bob'])
    assert.equal(await ofOpening('b3', ['bob', ...names]), listed)
  })

  test('must approve before the merge where the branch is protected so', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const cid = await app.addCaller('cid')
    const dan = await app.addCaller('dan')
    const owners = 'a.* @bob @cid\nb.* @dan\n.* @ann\nc.* @nobody\n'
    await commit(setup, { CODEOWNERS: owners }, { branch: 'main' })
    await commit(setup, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' }, { new_branch: 'topic' })
    await openPull(setup)
    const rule = { rule_name: 'main', block_on_codeowner_reviews: true }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const merge = () => app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })
    const say = async (who: typeof ann, event: string) =>
      assertStatus(await app.post(who, `${path}/pulls/1/reviews`, { event, body: 'x' }), 200)
    const missing = [405, 'Does not have the approvals of its code owners'] as const

    assertError(await merge(), ...missing)
    await say(bob, 'APPROVED')
    assertError(await merge(), ...missing)
    await say(dan, 'APPROVED')
    await say(bob, 'REQUEST_CHANGES')
    assertError(await merge(), ...missing)
    await say(cid, 'APPROVED')
    assertStatus(await merge(), 200)
  })

  test('are asked by an address only where it leads everybody to them; their word counts', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const cid = await app.addCaller('cid')
    const dan = await app.addCaller('dan')
    assertStatus(await app.patch(dan, '/user/settings', { hide_email: true }), 200)
    await app.addCaller('eve', { visibility: 'private' })
    await app.addCaller('gil', { visibility: 'limited' })
    for (const name of ['cid', 'dan', 'eve', 'gil'])
      await app.put(ann, `${path}/collaborators/${name}`, { permission: 'write' })
    const address = (name: string) => `${name}@example.org`
    const owners = `.* ${['cid', 'eve', 'gil'].map(address).join(' ')}\na.* ${address('dan')}\n`
    await commit(setup, { CODEOWNERS: owners }, { branch: 'main' })
    await commit(setup, { 'a.txt': 'a' }, { new_branch: 'one' })
    await commit(setup, { 'a.txt': 'a' }, { new_branch: 'two' })
    const rule = { rule_name: 'main', block_on_codeowner_reviews: true }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const approve = async (who: typeof ann) =>
      assertStatus(await app.post(who, `${path}/pulls/1/reviews`, { event: 'APPROVED' }), 200)
    const merge = () => app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })

    await openPull(setup, { head: 'one' })
    await app.patch(ann, path, { private: true })
    await openPull(setup, { head: 'two' })

    assert.deepEqual(await asked(setup, 1), ['cid'])
    assert.deepEqual(await asked(setup, 2), ['cid', 'gil'])
    await approve(cid)
    assertError(await merge(), 405, /code owners/)
    await approve(dan)
    assertStatus(await merge(), 200)
  })

  test('may be teams; a fork asks nobody, and neither does a file that is too large', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob } = setup
    assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'tool', auto_init: true }), 201)
    const units = ['repo.code', 'repo.pulls']
    const team = { name: 'Readers', permission: 'read', units, includes_all_repositories: true }
    assertStatus(await app.post(ann, '/orgs/acme/teams', team), 201)
    const none = { ...team, name: 'others', includes_all_repositories: false }
    assertStatus(await app.post(ann, '/orgs/acme/teams', none), 201)
    const org = { ...setup, path: '/repos/acme/tool' }
    const owners = '.* @acme/readers @Acme/others @acme/gone @acme @bob\n'
    await commit(org, { '.gitea/CODEOWNERS': owners }, { branch: 'main' })
    await commit(org, { 'a.txt': 'a' }, { new_branch: 'topic' })
    await openPull(org)
    assertStatus(await app.post(bob, `${org.path}/forks`, { name: 'mine' }), 202)
    const fork = { ...setup, ann: bob, path: '/repos/bob/mine' }
    await addCollaborator(fork, ann, 'write')
    await openPull(fork, {}, ann)
    const large = { CODEOWNERS: `${owners}#${'x'.repeat(256 * 1024)}` }
    await commit(org, large, { branch: 'main' })
    await commit(org, { 'b.txt': 'b' }, { new_branch: 'second' })
    await openPull(org, { head: 'second' })

    assert.deepEqual(await asked(org, 1), ['bob', 'team Readers'])
    assert.deepEqual(await asked(fork, 1), [])
    assert.deepEqual(await asked(org, 2), [])
    const eve = await app.addCaller('eve')
    const protection = { rule_name: 'main', block_on_codeowner_reviews: true }
    assertStatus(await app.post(ann, `${org.path}/branch_protections`, protection), 201)
    const unread = await app.post(ann, `${org.path}/pulls/2/merge`, { do: 'merge' })
    assertError(unread, 405, /code owners/)
    const gone = await app.delete(ann, `${org.path}/branch_protections/main`)
    assertStatus(gone, 204)
    await commit(org, { CODEOWNERS: '.* @acme/readers' }, { branch: 'main' })
    await commit(org, { 'c.txt': 'c' }, { new_branch: 'third' })
    await openPull(org, { head: 'third' })
    assertStatus(await app.post(ann, `${org.path}/branch_protections`, protection), 201)
    const review = { event: 'APPROVED' }
    assertStatus(await app.post(eve, `${org.path}/pulls/3/reviews`, review), 200)
    const merge = () => app.post(ann, `${org.path}/pulls/3/merge`, { do: 'merge' })
    assertError(await merge(), 405, /code owners/)
    const teams = await app.get(ann, '/orgs/acme/teams/search?q=readers')
    assertStatus(await app.put(ann, `/teams/${teams.body.data[0].id}/members/eve`), 204)
    assertStatus(await merge(), 200)
  })
})
