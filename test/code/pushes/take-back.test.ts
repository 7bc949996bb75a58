import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { startGitHost, type GitHost } from '../../platform/git/support.ts'
import { startApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'

const one = '/repos/ann/one'

suite('a database that fails when git has moved refs', () => {
  test('has them go back', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
    const content = Buffer.from('hello').toString('base64')
    const wiki = { title: 'Home', content_base64: content }
    const changes: (() => Promise<{ readonly status: number }>)[] = [
      () => app.post(ann, `${one}/contents/file`, { content }),
      () => app.post(ann, `${one}/branches`, { new_branch_name: 'new' }),
      () => app.patch(ann, `${one}/branches/main`, { name: 'trunk' }),
      () => app.post(ann, `${one}/tags`, { tag_name: 'v1' }),
      () => app.delete(ann, `${one}/tags/v1`),
      () => app.delete(ann, `${one}/branches/new`),
      () => app.post(ann, `${one}/wiki/new`, wiki),
    ]
    const full = async () => {
      throw Object.assign(new Error('it is full'), { code: 'ENOSPC' })
    }

    for (const change of changes) {
      assert.equal((await doMeanwhile(t, app, change, full)).status, 507)
      assert.ok([200, 201, 204].includes((await change()).status))
    }

    const { body } = await app.get(ann, one)
    assert.partialDeepStrictEqual(body, { default_branch: 'trunk', branch_count: 1 })
  })
  test('has a job mend the record where they cannot go back', async (t) => {
    const host = await startGitHost(t)
    const { app } = host
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    const lock = join(await host.folderOf('ann/one'), 'refs', 'heads', 'main.lock')
    const full = async () => {
      writeFileSync(lock, '')
      throw Object.assign(new Error('it is full'), { code: 'ENOSPC' })
    }

    const change = () => app.post(ann, `${one}/contents/file`, { content: '' })
    assertStatus(await doMeanwhile(t, app, change, full), 507)
    assert.equal((await app.get(ann, one)).body.empty, true)
    app.passTime(301)
    await app.ctx.jobs.runDue()

    assert.partialDeepStrictEqual((await app.get(ann, one)).body, { empty: false, branch_count: 1 })
  })
})

suite('what nobody lived to record', () => {
  test('of a push is told later, once, in the feed and to webhooks', async (t) => {
    const { host, ann } = await startWithHook(t)
    const { app, client } = host
    const work = await client.makeRepository()
    const push = () => client.git(['push', host.urlFor('ann', 'ann/one.git'), 'main:new'], work)

    await doMeanwhile(t, app, push, die)
    const before = await tellings(host, ann)
    await later(host)
    const after = await tellings(host, ann)
    await later(host)

    assert.deepEqual(before, [])
    assert.deepEqual(after, ['ann commit_repo new', 'ann commit_repo new', 'create', 'push'])
    assert.deepEqual(await tellings(host, ann), after)
  })

  test('is not told of what was refused or told already', async (t) => {
    const { host, ann } = await startWithHook(t)
    const { app, client } = host
    assertStatus(await app.post(ann, `${one}/branch_protections`, { rule_name: 'kept' }), 201)
    const work = await client.makeRepository()
    const url = host.urlFor('ann', 'ann/one.git')

    await client.git(['push', url, 'main:new'], work)
    await assert.rejects(client.git(['push', url, 'main:kept'], work))
    assertStatus(await app.post(ann, `${one}/branches`, { new_branch_name: 'new' }), 409)
    const folder = await host.folderOf('ann/one')
    await client.git(['--git-dir', folder, 'branch', 'kept', 'new'], work)
    const before = await tellings(host, ann)
    await later(host)

    assert.deepEqual(await tellings(host, ann), before)
  })

  test('of a new name of a branch is finished', async (t) => {
    const { host, ann, id } = await renameAndDie(t)

    await later(host)

    const { body } = await host.app.get(ann, one)
    assert.partialDeepStrictEqual(body, { default_branch: 'trunk', branch_count: 1 })
    assert.deepEqual(await branchesOf(host), [`refs/heads/trunk ${id}`])
    const told = await tellings(host, ann)
    assert.ok(told.includes('ann delete_branch main') && told.includes('ann commit_repo trunk'))
  })

  test('of a new name that git has given by half is taken back', async (t) => {
    const { host, ann, id, git } = await renameAndDie(t)
    await git('update-ref', 'refs/heads/main', id)

    await later(host)

    const { body } = await host.app.get(ann, one)
    assert.partialDeepStrictEqual(body, { default_branch: 'main', branch_count: 1 })
    assert.deepEqual(await branchesOf(host), [`refs/heads/main ${id}`])
    assert.deepEqual(await tellings(host, ann), [])
  })
})

/** As if the process had ended there. */
async function die(): Promise<never> {
  throw new Error('killed')
}

/** When everything that was planned is due. */
async function later({ app }: GitHost): Promise<void> {
  app.passTime(301)
  await app.ctx.jobs.runDue()
}

async function startWithHook(t: TestContext): Promise<{ host: GitHost; ann: TestCaller }> {
  const host = await startGitHost(t, { network: { allow_private: true } })
  const { app } = host
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
  const config = { url: 'http://127.0.0.1:1/', content_type: 'json' }
  const hook = { type: 'gitea', config, events: ['push', 'create'], active: true }
  assertStatus(await app.post(ann, `${one}/hooks`, hook), 201)
  await app.ctx.jobs.runDue()
  app.passTime(600)
  return { host, ann }
}

/** The default branch has another name in git, and nobody has recorded it. */
async function renameAndDie(t: TestContext) {
  const { host, ann } = await startWithHook(t)
  const { app, client } = host
  const folder = await host.folderOf('ann/one')
  const git = (...words: string[]) => client.git(['--git-dir', folder, ...words], folder)
  const id = await git('rev-parse', 'main')
  // It is the lock of somebody who would take it back.
  const lock = join(folder, 'refs', 'heads', 'trunk.lock')
  const dieLocked = async () => {
    writeFileSync(lock, '')
    return die()
  }
  const rename = () => app.patch(ann, `${one}/branches/main`, { name: 'trunk' })
  assertStatus(await doMeanwhile(t, app, rename, dieLocked), 500)
  rmSync(lock)
  assert.deepEqual(await branchesOf(host), [`refs/heads/trunk ${id}`])
  return { host, ann, id, git }
}

async function branchesOf(host: GitHost): Promise<readonly string[]> {
  const folder = await host.folderOf('ann/one')
  const format = '--format=%(refname) %(objectname)'
  const words = ['--git-dir', folder, 'for-each-ref', format, 'refs/heads']
  return (await host.client.git(words, folder)).split('\n')
}

/** Who did what to which branch, as the feed has it, and what webhooks are told. */
async function tellings({ app }: GitHost, ann: TestCaller): Promise<readonly string[]> {
  const { body } = await app.get(ann, `${one}/activities/feeds`)
  const feed = (body as unknown as readonly Entry[])
    .filter(({ ref_name: ref }) => ref !== '')
    .map((entry) => `${entry.act_user.login} ${entry.op_type} ${shortOf(entry.ref_name)}`)
  const rows = await app.ctx.db.selectFrom('webhook_delivery').select('kind').execute()
  return [...feed.toSorted(), ...rows.map(({ kind }) => kind).toSorted()]
}

interface Entry {
  readonly op_type: string
  readonly ref_name: string
  readonly act_user: { readonly login: string }
}

function shortOf(ref: string): string {
  return ref.replace('refs/heads/', '')
}
