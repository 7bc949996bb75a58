import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { SignedInCaller } from '../../../src/platform/context.ts'
import { guardPush } from '../../../src/code/pushes/guard.ts'
import { loadVisible } from '../../../src/repositories/repository/load.ts'
import { makeSshKey, signWith, skipWithoutSshKeygen } from '../commits/signing.ts'
import { startGitHost, type GitHost, type Ran } from '../../platform/git/support.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const repo = '/repos/ann/one'

interface Pushing {
  readonly host: GitHost
  readonly ann: TestCaller
  /** A copy whose main is two commits ahead of nothing: the first is pushed. */
  readonly work: string
  readonly push: (who: string, ...parameters: string[]) => Promise<Ran>
  readonly protect: (kind: 'branch' | 'tag', rule: object) => Promise<void>
  /** Where a ref of the server is; empty when it is not there. */
  readonly tip: (ref: string) => Promise<string>
}

/** ann's repository with one commit on main, to which bob may write. */
async function startPushing(t: TestContext): Promise<Pushing> {
  const host = await startGitHost(t)
  const { app, client } = host
  const ann = await app.addCaller('ann')
  await app.addCaller('bob')
  await app.post(ann, '/user/repos', { name: 'one' })
  await app.put(ann, `${repo}/collaborators/bob`, { permission: 'write' })
  const work = await client.makeRepository()
  const push = (who: string, ...parameters: string[]) =>
    client.run(['push', host.urlFor(who, 'ann/one.git'), ...parameters], work)
  assert.equal((await push('ann', 'main')).code, 0)
  const protect = async (kind: 'branch' | 'tag', rule: object) =>
    assertStatus(await app.post(ann, `${repo}/${kind}_protections`, rule), 201)
  const tip = async (ref: string) => {
    const folder = await host.folderOf('ann/one')
    return client.git(['--git-dir', folder, 'for-each-ref', '--format=%(objectname)', ref])
  }
  return { host, ann, work, push, protect, tip }
}

function callerOf({ account }: TestCaller): SignedInCaller {
  return { account, credential: { kind: 'password' }, publicOnly: false }
}

function assertRefused({ code, notes }: Ran, reason: RegExp): void {
  assert.notEqual(code, 0)
  assert.match(notes, reason)
}

const forBob = {
  enable_push: true,
  enable_push_whitelist: true,
  push_whitelist_usernames: ['bob'],
}

suite('a push that takes long', () => {
  test('is refused as a whole when a rule comes meanwhile, and held to rules as they are then', async (t) => {
    const { host, ann, protect, tip } = await startPushing(t)
    const { ctx } = host.app
    const { repo: record } = await loadVisible(ctx, callerOf(ann), { owner: 'ann', repo: 'one' })
    const update = {
      ref: 'refs/heads/main',
      before: await tip('refs/heads/main'),
      after: undefined,
    }
    const early = await guardPush(ctx, callerOf(ann), record, [update])
    assert.deepEqual([early.isNeeded, await early.refusalOfAll(false)], [false, undefined])

    await protect('branch', { rule_name: 'main' })
    const late = await guardPush(ctx, callerOf(ann), record, [update])

    const reason = 'refs/heads/main has been protected meanwhile: push again'
    assert.equal(await early.refusalOfAll(false), reason)
    assert.equal(await early.refusalOfAll(true), undefined)
    assert.equal(
      await early.refusalOf('refs/heads/main'),
      'refs/heads/main: branch main is protected from deletion',
    )
    assert.deepEqual([late.isNeeded, await late.refusalOfAll(false)], [true, undefined])
    assert.equal(await late.refusalOf('refs/heads/x'), 'refs/heads/x: not announced')
  })

  test('is refused when its refs cannot be checked', async (t) => {
    const { host, ann, protect } = await startPushing(t)
    const { ctx } = host.app
    const { repo: record } = await loadVisible(ctx, callerOf(ann), { owner: 'ann', repo: 'one' })
    await protect('branch', { rule_name: 'main', enable_push: true })
    const unknown = { ref: 'refs/heads/main', before: '1'.repeat(40), after: '2'.repeat(40) }

    const guard = await guardPush(ctx, callerOf(ann), record, [unknown])

    const reason = 'the protection of branches and tags could not be checked'
    assert.equal(await guard.refusalOf('refs/heads/main'), reason)
  })
})

suite('git push to protected branches and tags', () => {
  test('is refused to those whom the rule does not list, the owner too', async (t) => {
    const { host, work, push, protect, tip } = await startPushing(t)
    await protect('branch', { rule_name: 'main', ...forBob })
    const second = await host.client.commit(work, 'second')

    const refused = await push('ann', 'main')
    assertRefused(
      refused,
      /remote: refs\/heads\/main: not allowed to push to protected branch main/,
    )
    assert.match(refused.notes, /! \[remote rejected\] main -> main/)
    assert.notEqual(await tip('refs/heads/main'), second)
    assert.equal((await push('bob', 'main')).code, 0)
    assert.equal(await tip('refs/heads/main'), second)
  })

  test('moves the other refs of the same push, in either order', async (t) => {
    const { host, work, push, protect, tip } = await startPushing(t)
    await protect('branch', { rule_name: 'main' })
    const second = await host.client.commit(work, 'second')

    for (const refs of [
      ['main', 'main:free'],
      ['main:zfree', 'main'],
    ]) {
      assertRefused(await push('ann', ...refs), /protected branch main/)
    }

    assert.equal(await tip('refs/heads/free'), second)
    assert.equal(await tip('refs/heads/zfree'), second)
    assert.notEqual(await tip('refs/heads/main'), second)
  })

  test('is not made or deleted where a rule forbids it', async (t) => {
    const { push, protect, tip } = await startPushing(t)
    assert.equal((await push('bob', 'main:release/1')).code, 0)
    await protect('branch', { rule_name: 'release/*', ...forBob })

    assertRefused(await push('ann', 'main:release/2'), /protected branch release\/2/)
    assertRefused(await push('bob', ':release/1'), /release\/1 is protected from deletion/)
    assert.notEqual(await tip('refs/heads/release/1'), '')
    assert.equal((await push('bob', 'main:release/2')).code, 0)
  })

  test('goes back only where the rule allows force', async (t) => {
    const { host, ann, work, push, protect, tip } = await startPushing(t)
    await host.client.commit(work, 'second')
    assert.equal((await push('ann', 'main')).code, 0)
    await protect('branch', { rule_name: 'main', enable_push: true })
    await host.client.git(['reset', '--quiet', '--hard', 'HEAD~1'], work)
    const other = await host.client.commit(work, 'other')

    assertRefused(await push('ann', '--force', 'main'), /main is protected from force push/)
    await host.app.patch(ann, `${repo}/branch_protections/main`, { enable_force_push: true })
    assert.equal((await push('ann', '--force', 'main')).code, 0)
    assert.equal(await tip('refs/heads/main'), other)
  })

  test('changes no protected file, in a new branch either', async (t) => {
    const { host, work, push, protect } = await startPushing(t)
    await protect('branch', {
      rule_name: '*',
      enable_push: true,
      protected_file_patterns: 'locked/**',
    })
    mkdirSync(join(work, 'locked'))
    writeFileSync(join(work, 'locked', 'ä b.txt'), 'x')
    await host.client.commit(work, 'locked')

    assertRefused(await push('ann', 'main'), /main is protected from changing locked\/ä b\.txt/)
    assertRefused(await push('ann', 'main:new'), /new is protected from changing/)
    assert.equal((await push('ann', 'main:un/protected')).code, 0)
    assertRefused(await push('ann', 'main:new'), /new is protected from changing/)
    await host.client.git(['reset', '--quiet', '--hard', 'HEAD~1'], work)
    await host.client.commit(work, 'harmless')
    assert.equal((await push('ann', 'main', 'main:new')).code, 0)
  })

  test('changes no protected file in the first push to a repository either', async (t) => {
    const { host, ann, work } = await startPushing(t)
    await host.app.post(ann, '/user/repos', { name: 'two' })
    const rules = '/repos/ann/two/branch_protections'
    const rule = { rule_name: 'main', enable_push: true, protected_file_patterns: 'file.*' }
    assertStatus(await host.app.post(ann, rules, rule), 201)
    const push = () => host.client.run(['push', host.urlFor('ann', 'ann/two.git'), 'main'], work)

    assertRefused(await push(), /main is protected from changing file\.txt/)
    await host.app.patch(ann, `${rules}/main`, { protected_file_patterns: 'other.*' })
    assert.equal((await push()).code, 0)
  })

  test('may change unprotected files alone without the right to push', async (t) => {
    const { host, work, push, protect } = await startPushing(t)
    await protect('branch', { rule_name: 'm*', unprotected_file_patterns: '*.md' })
    assertRefused(await push('ann', 'main:more'), /not allowed to push to protected branch more/)
    writeFileSync(join(work, 'notes.md'), 'x')
    await host.client.git(['add', '.'], work)
    await host.client.git(['commit', '--quiet', '-m', 'notes'], work)

    assert.equal((await push('ann', 'main')).code, 0)
    await host.client.commit(work, 'changes file.txt')
    assertRefused(await push('ann', 'main'), /not allowed to push to protected branch main/)
  })

  test('makes, moves and deletes tags for those whom a rule lists', async (t) => {
    const { host, work, push, protect, tip } = await startPushing(t)
    await protect('tag', { name_pattern: 'v*', whitelist_usernames: ['bob'] })
    await host.client.git(['tag', 'v1'], work)

    assertRefused(await push('ann', 'v1'), /not allowed to create protected tag/)
    assert.equal((await push('bob', 'v1')).code, 0)
    const second = await host.client.commit(work, 'second')
    await host.client.git(['tag', '--force', 'v1'], work)
    assertRefused(await push('ann', '--force', 'v1'), /not allowed to move protected tag/)
    assertRefused(await push('ann', ':v1'), /not allowed to delete protected tag/)
    assert.equal((await push('bob', '--force', 'v1')).code, 0)
    assert.equal(await tip('refs/tags/v1'), second)
    assert.equal((await push('bob', ':v1')).code, 0)
  })

  test('takes commits that their committers have signed alone, in a new branch too', async (t) => {
    if (skipWithoutSshKeygen) return t.skip(skipWithoutSshKeygen)
    const { host, ann, work, push, protect, tip } = await startPushing(t)
    const { app, client } = host
    const key = { title: 'signing', key: makeSshKey(client, 'ann') }
    assertStatus(await app.post(ann, '/user/keys', key), 201)
    makeSshKey(client, 'stranger')
    const rule = { enable_push: true, enable_force_push: true, require_signed_commits: true }
    for (const rule_name of ['main', 'release/*']) await protect('branch', { rule_name, ...rule })
    const sign = async (name: string, ...options: string[]) => {
      await signWith(client, name)
      await client.git(['commit', '--quiet', '--allow-empty', '-S', '-m', name, ...options], work)
      return client.git(['rev-parse', 'HEAD'], work)
    }
    const refused = (id: string) =>
      new RegExp(`is protected from unverified commits: ${id}`.replaceAll('/', '\\/'))

    await sign('ann')
    const signed = await sign('ann')
    assert.equal((await push('ann', 'main', 'main:release/1')).code, 0)
    assert.equal(await tip('refs/heads/main'), signed)
    const foreign = await sign('stranger')
    await sign('ann')
    assertRefused(await push('ann', 'main'), refused(foreign))
    await client.git(['reset', '--quiet', '--hard', signed], work)
    const unsigned = await client.commit(work, 'unsigned')
    assertRefused(await push('ann', 'main'), refused(unsigned))
    assertRefused(await push('ann', 'main:release/2'), refused(unsigned))
    assert.equal((await push('ann', 'main:free')).code, 0)
    assertRefused(await push('ann', 'main:release/2'), refused(unsigned))
    const wanted = { new_branch_name: 'release/2', old_ref_name: 'free' }
    assertError(await app.post(ann, `${repo}/branches`, wanted), 403, refused(unsigned))
    const move = { new_commit_id: unsigned }
    assertError(await app.put(ann, `${repo}/branches/main`, move), 403, refused(unsigned))
    await client.git(['reset', '--quiet', '--hard', 'HEAD~1'], work)
    const amended = await sign('ann', '--amend')
    assert.equal((await push('ann', '--force', 'main')).code, 0)
    assert.equal(await tip('refs/heads/main'), amended)
  })

  test('is asked for a signature that the server itself does not have', async (t) => {
    const { host, ann, work, push, protect } = await startPushing(t)
    const { app, client } = host
    await client.commit(work, 'second')
    assert.equal((await push('ann', 'main:free')).code, 0)
    await protect('branch', { rule_name: 'main', enable_push: true, require_signed_commits: true })
    const pull = { title: 'x', head: 'free', base: 'main' }
    const { body } = await app.post(ann, `${repo}/pulls`, pull)

    for (const wish of [{}, { force_merge: true }, { merge_when_checks_succeed: true }]) {
      const merge = { Do: 'merge', ...wish }
      const answer = await app.post(ann, `${repo}/pulls/${body.number}/merge`, merge)
      assertError(answer, 405, 'Only verified commits can be merged')
    }
    const change = { branch: 'main', content: '', message: 'by the server' }
    const refused = await app.post(ann, `${repo}/contents/new.txt`, change)
    assertError(refused, 403, 'user cannot commit to repo [user: ann]')
    assertStatus(
      await app.post(ann, `${repo}/contents/new.txt`, { ...change, branch: 'free' }),
      201,
    )
  })
})
