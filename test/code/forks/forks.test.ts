import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { suite, test, type TestContext } from 'node:test'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { startApp, type TestAnswer, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

async function git(app: TestApp, id: number, ...parameters: string[]): Promise<string> {
  const { folder } = await app.ctx.db
    .selectFrom('repository')
    .select('folder')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const path = repositoryFolder(app.ctx.config, folder)
  return execFileSync('git', ['--git-dir', path, ...parameters], { encoding: 'utf8' }).trim()
}

async function withRepository(t: TestContext, options: object = {}) {
  const app = await startApp(t)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  const { body } = await app.post(ann, '/user/repos', {
    name: 'r',
    auto_init: true,
    description: 'the base',
    ...options,
  })
  return { app, ann, bob, id: body.id as number }
}

suite('POST /repos/{owner}/{repo}/forks', () => {
  test('copies the content at once, with its branches and tags', async (t) => {
    const { app, bob, id } = await withRepository(t, { license: 'MIT' })
    await git(app, id, 'branch', 'dev', 'main')
    await git(app, id, 'pack-refs', '--all')
    await git(app, id, 'tag', 'v1', 'main')
    await git(app, id, 'update-ref', 'refs/pull/1/head', 'main')

    const { status, body } = await app.post(bob, '/repos/ann/r/forks', {})

    assert.equal(status, 202)
    assert.partialDeepStrictEqual(body, {
      full_name: 'bob/r',
      fork: true,
      empty: false,
      description: 'the base',
      licenses: ['MIT'],
      has_code: true,
      has_pull_requests: true,
      has_issues: false,
      has_wiki: false,
      has_projects: false,
      has_releases: false,
      has_packages: false,
      has_actions: false,
      permissions: { admin: true },
      parent: {
        full_name: 'ann/r',
        forks_count: 1,
        permissions: { admin: false, push: false, pull: true },
      },
    })
    assert.equal(body.parent.parent, undefined)
    assert.deepEqual(Object.keys(body).slice(7, 11), ['fork', 'template', 'parent', 'mirror'])
    const refs = ['for-each-ref', '--format=%(refname)']
    assert.equal(await git(app, body.id, ...refs), 'refs/heads/dev\nrefs/heads/main\nrefs/tags/v1')
    assert.equal(
      await git(app, body.id, 'rev-parse', 'main'),
      await git(app, id, 'rev-parse', 'main'),
    )
    assert.equal(await git(app, body.id, 'fsck', '--strict'), '')
  })

  test('has every branch and tag, whatever it is called', async (t) => {
    const { app, bob, id } = await withRepository(t)
    const names = ['tmp_x', 'tmp_y/z', 'incoming-a', 'incoming-b/c', 'some.keep']
    for (const name of names) await git(app, id, 'branch', name, 'main')
    await git(app, id, 'tag', 'tmp_1', 'main')

    const { body } = await app.post(bob, '/repos/ann/r/forks', {})

    const refs = await git(app, body.id, 'for-each-ref', '--format=%(refname:lstrip=2)')
    assert.deepEqual(refs.split('\n').toSorted(), [...names, 'main', 'tmp_1'].toSorted())
  })

  test('has what was pushed first while it was made', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const { body: base } = await app.post(ann, '/user/repos', { name: 'new' })
    const { body: full } = await app.get(ann, '/repos/ann/r')
    // As a push does it before it is recorded.
    const folder = await git(app, full.id, 'rev-parse', '--absolute-git-dir')
    await git(app, base.id, 'fetch', '--quiet', folder, 'main:main')

    const { status } = await app.post(bob, '/repos/ann/new/forks', {})
    assert.equal(status, 202)
    await app.ctx.jobs.runDue()

    const { body } = await app.get(bob, '/repos/bob/new')
    assert.deepEqual([body.empty, body.branch_count], [false, 1])
    assertStatus(await app.get(bob, '/repos/bob/new/contents/README.md'), 200)
  })

  test('keeps its content when the base is deleted', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const { body } = await app.post(bob, '/repos/ann/r/forks', {})

    await app.delete(ann, '/repos/ann/r')
    await app.ctx.jobs.runDue()

    assert.equal(await git(app, body.id, 'fsck', '--strict'), '')
  })

  test('goes into an organization and under another name', async (t) => {
    const { app, bob } = await withRepository(t)
    await app.post(bob, '/orgs', { username: 'acme' })

    const made = await app.post(bob, '/repos/ann/r/forks', {
      organization: 'acme',
      name: 'renamed',
    })
    const own = await app.post(bob, '/repos/ann/r/forks', { organization: null, name: null })

    assert.equal(made.body.full_name, 'acme/renamed')
    assert.equal(own.body.full_name, 'bob/r')
    const forks = await app.get(undefined, '/repos/ann/r/forks')
    assert.deepEqual(
      forks.body.map(({ full_name: name }: { full_name: string }) => name),
      ['acme/renamed', 'bob/r'],
    )
  })

  test('holds nothing that comes into its base later, by whatever id it is asked for', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    assertStatus(await app.post(bob, '/repos/ann/r/forks', {}), 202)
    assertStatus(await app.patch(ann, '/repos/ann/r', { private: true }), 200)
    const file = { content: 'c2VjcmV0', message: 'secret' }
    const { body } = await app.post(ann, '/repos/ann/r/contents/x.txt', file)
    const commit = body.commit.sha as string
    const tree = (await app.get(ann, `/repos/ann/r/git/commits/${commit}`)).body.commit.tree.sha
    const paths = [
      `git/commits/${commit}`,
      `git/trees/${tree}`,
      `git/blobs/${body.content.sha}`,
      `contents?ref=${commit}`,
      `raw/x.txt?ref=${commit}`,
      `archive/${commit}.zip`,
      `commits?sha=${commit}`,
      `compare/main...${commit}`,
      'compare/main...ann:main',
    ]

    for (const path of paths) {
      const answer = await app.get(bob, `/repos/bob/r/${path}`)
      assert.ok(answer.status === 404 || answer.status === 400, `${path} ${answer.status}`)
      assert.doesNotMatch(answer.text, /secret/)
    }
    const branch = { new_branch_name: 'x', old_ref_name: commit }
    assertStatus(await app.post(bob, '/repos/bob/r/branches', branch), 404)
    const pull = { title: 'x', head: 'ann:main', base: 'main' }
    assertStatus(await app.post(bob, '/repos/bob/r/pulls', pull), 404)
    for (const want of [commit, tree, body.content.sha as string]) {
      const question = `${pktLine('command=fetch')}0001${pktLine(`want ${want}\n`)}${pktLine('done\n')}0000`
      const fetched = await app.post(bob, '^/bob/r/git-upload-pack', question, {
        'content-type': 'application/x-git-upload-pack-request',
        'git-protocol': 'version=2',
      })
      assert.match(fetched.text, /not our ref/)
      assert.doesNotMatch(fetched.text, /PACK/)
    }
  })

  test('is as private as its base', async (t) => {
    const { app, ann, bob } = await withRepository(t, { private: true })
    await app.put(ann, '/repos/ann/r/collaborators/bob', { permission: 'read' })

    const { body } = await app.post(bob, '/repos/ann/r/forks', {})

    assert.equal(body.private, true)
    assert.deepEqual((await app.get(ann, '/repos/ann/r/forks')).body, [])
    await app.delete(ann, '/repos/ann/r/collaborators/bob')
    const seen = (await app.get(bob, '/repos/bob/r')).body
    assert.equal(seen.fork, true)
    assert.equal(seen.parent, undefined)
  })

  test('is never public when its base is made private meanwhile', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const cat = await app.addCaller('cat')

    const answers = await Promise.all([
      app.post(bob, '/repos/ann/r/forks', {}),
      app.post(cat, '/repos/ann/r/forks', {}),
      app.patch(ann, '/repos/ann/r', { private: true }),
    ])

    assert.equal(answers[2].body.private, true)
    for (const [index, who] of [bob, cat].entries()) {
      const { status, body } = await app.get(who, `/repos/${who.name}/r`)
      assert.equal(status, answers[index]?.status === 202 ? 200 : 404)
      if (status === 200) assert.equal(body.private, true)
      else assertError(answers[index] as TestAnswer, 404, 'not found')
    }
  })

  test('is made once for each owner, however many are asked for at once', async (t) => {
    const { app, bob } = await withRepository(t)
    const names = ['a', 'b', 'c', 'd']

    const answers = await Promise.all(
      names.map((name) => app.post(bob, '/repos/ann/r/forks', { name })),
    )

    const refused = answers.filter(({ status }) => status !== 202)
    assert.equal(refused.length, 3)
    for (const answer of refused) assertError(answer, 409, /^repository is already forked by user/)
    assert.equal((await app.get(bob, '/repos/ann/r')).body.forks_count, 1)
  })

  test('refuses what the contract refuses', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const cat = await app.addCaller('cat')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(cat, '/user/repos', { name: 'R' })
    const fork = (who: typeof bob | undefined, body: object = {}) =>
      app.post(who, '/repos/ann/r/forks', body)

    assertError(await fork(undefined), 401, 'token is required')
    assertError(await fork(bob, { organization: 'nowhere' }), 404, 'not found')
    assertError(await fork(bob, { organization: 'cat' }), 404, 'not found')
    assertError(
      await fork(bob, { organization: 'acme' }),
      403,
      'User is not allowed to create repositories in this organization.',
    )
    assertError(await fork(bob, { name: 'x.git' }), 422)
    assertError(await fork(bob, { name: 'a b' }), 422, '[Name]: AlphaDashDot')
    assertError(await fork(cat), 409, 'repository already exists [uname: cat, name: r]')
    assertStatus(await fork(bob), 202)
    assertError(await fork(bob, { name: 'again' }), 409, /^repository is already forked by user/)
    const root = await app.addAdmin()
    await app.patch(root, '/admin/users/cat', { max_repo_creation: 1 })
    assertError(
      await fork(cat, { name: 'other' }),
      409,
      'user has reached maximum limit of repositories [limit: 1]',
    )
    await app.patch(ann, '/repos/ann/r', { private: true })
    assertError(await fork(cat, { name: 'other' }), 404, 'not found')
  })
})
