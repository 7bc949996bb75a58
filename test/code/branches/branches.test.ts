import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  archive,
  commit,
  folderOf,
  importInto,
  makeMirror,
  makePrivate,
  names,
  startWithRepository,
  statuses,
} from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const wrong = '1'.repeat(40)

suite('GET /repos/{owner}/{repo}/branches', () => {
  test('lists branches by name, with what the caller may do there', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    await app.post(ann, `${path}/branches`, { new_branch_name: 'feature/x' })

    const own = await app.get(ann, `${path}/branches`)
    const other = await app.get(bob, `${path}/branches`)

    assert.deepEqual(names(own.body), ['feature/x', 'main'])
    assert.equal(own.headers['x-total-count'], '2')
    assert.partialDeepStrictEqual(own.body[0], { user_can_push: true, user_can_merge: true })
    assert.partialDeepStrictEqual(other.body[0], { user_can_push: false, user_can_merge: false })
  })

  test('is paged, and searched by a part of the name in any letter case', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    for (const name of ['Feature/one', 'feature/two', 'fix'])
      await app.post(ann, `${path}/branches`, { new_branch_name: name })

    const found = await app.get(ann, `${path}/branches?q=eaTure`)
    const page = await app.get(ann, `${path}/branches?limit=2&page=2`)
    const beyond = await app.get(ann, `${path}/branches?page=9`)

    assert.deepEqual(names(found.body), ['Feature/one', 'feature/two'])
    assert.equal(found.headers['x-total-count'], '2')
    assert.deepEqual(names(page.body), ['fix', 'main'])
    assert.match(page.headers['link'] ?? '', /rel="prev"/)
    assert.deepEqual(beyond.body, [])
  })

  test('is empty in an empty repository', async (t) => {
    const { app, ann } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })

    const { status, body, headers } = await app.get(ann, '/repos/ann/empty/branches')

    assert.equal(status, 200)
    assert.deepEqual(body, [])
    assert.equal(headers['x-total-count'], '0')
  })
})

suite('GET /repos/{owner}/{repo}/branches/{branch}', () => {
  test('tells the time of its last commit in the zone of the committer', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { a: 'a' }, { dates: { committer: '2020-01-02T03:04:06+02:00' } })

    const one = await app.get(undefined, `${path}/branches/main`)
    const all = await app.get(undefined, `${path}/branches`)

    for (const { commit: shown } of [one.body, all.body[0]])
      assert.equal(shown.timestamp, '2020-01-02T03:04:06+02:00')
  })

  test('shows a branch with its last commit', async (t) => {
    const { app, path } = await startWithRepository(t)

    const { status, body } = await app.get(undefined, `${path}/branches/main`)

    const { id, timestamp } = body.commit
    const person = { name: 'ann', email: 'ann@example.org', username: 'ann' }
    assert.equal(status, 200)
    assert.match(id, /^[0-9a-f]{40}$/)
    assert.deepEqual(Object.entries(body.commit), [
      ['id', id],
      ['message', 'Initial commit\n'],
      ['url', `http://codestead.test/ann/one/commit/${id}`],
      ['author', person],
      ['committer', person],
      [
        'verification',
        {
          verified: false,
          reason: 'gpg.error.not_signed_commit',
          signature: '',
          signer: null,
          payload: '',
        },
      ],
      ['timestamp', timestamp],
      ['added', null],
      ['removed', null],
      ['modified', null],
    ])
    assert.deepEqual(Object.entries(body).slice(2), [
      ['protected', false],
      ['required_approvals', 0],
      ['enable_status_check', false],
      ['status_check_contexts', []],
      ['user_can_push', false],
      ['user_can_merge', false],
      ['effective_branch_protection_name', ''],
    ])
  })

  test('takes names with slashes, encoded and not', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const name = 'overwrite-a+/&licence'
    await app.post(ann, `${path}/branches`, { new_branch_name: name })

    for (const encoded of ['overwrite-a+/&licence', encodeURIComponent(name)]) {
      const { body } = await app.get(undefined, `${path}/branches/${encoded}`)
      assert.equal(body.name, name)
    }
  })

  test('knows nobody by an address that no account has', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const author = { name: 'Zoe', email: 'zoe@example.net' }
    await commit(setup, { a: 'x' }, { author })

    const { body } = await app.get(undefined, `${path}/branches/main`)

    assert.deepEqual(body.commit.author, { ...author, username: '' })
  })

  test('does not find other names, whatever they look like', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const sha = await commit(setup, { a: 'x' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })

    for (const bad of ['missing', 'v1', sha, 'HEAD', 'mai', '--all', 'main%5E', 'main%0A', '']) {
      assertError(await app.get(ann, `${path}/branches/${bad}`), 404, 'not found')
    }
    await makePrivate(setup)
    assertError(await app.get(undefined, `${path}/branches/main`), 404, 'not found')
  })

  test('is not confused by a branch that is called like a commit', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const first = (await app.get(ann, `${path}/branches/main`)).body.commit.id as string
    const second = await commit(setup, { a: 'x' })
    await importInto(setup, `reset refs/heads/${first}\nfrom ${second}\n`)

    const branch = await app.get(ann, `${path}/branches/${first}`)
    const byId = await app.get(ann, `${path}/git/commits/${first}`)

    assert.equal(branch.body.commit.id, second)
    assert.equal(byId.body.sha, first)
  })
})

suite('POST /repos/{owner}/{repo}/branches', () => {
  test('makes a branch as a later look shows it', async (t) => {
    const { app, ann, path } = await startWithRepository(t)

    const { status, body } = await app.post(ann, `${path}/branches`, { new_branch_name: 'a/b' })

    assert.equal(status, 201)
    assert.deepEqual((await app.get(ann, `${path}/branches/a/b`)).body, body)
    assert.equal((await app.get(ann, path)).body.branch_count, 2)
  })

  test('begins where it is told to', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const first = (await app.get(ann, `${path}/branches/main`)).body.commit.id
    const second = await commit(setup, { a: 'x' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1', target: first, message: 'one' })
    const start = async (new_branch_name: string, from: object) =>
      (await app.post(ann, `${path}/branches`, { new_branch_name, ...from })).body.commit?.id

    assert.equal(await start('b1', {}), second)
    assert.equal(await start('b2', { old_ref_name: first }), first)
    assert.equal(await start('b3', { old_ref_name: 'v1' }), first)
    assert.equal(await start('b4', { old_branch_name: 'b3' }), first)
    assert.equal(await start('b5', { old_branch_name: 'b3', old_ref_name: 'main' }), second)
  })

  test('refuses names that are taken, by tags and by folders too', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    await app.post(ann, `${path}/branches`, { new_branch_name: 'a/b' })
    const create = (name: string) => app.post(ann, `${path}/branches`, { new_branch_name: name })

    assertError(await create('main'), 409, 'The branch already exists.')
    assertError(await create('v1'), 409)
    assertError(await create('a'), 409)
    assertError(await create('a/b/c'), 409)
  })

  test('refuses bad names', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const create = (name?: string) => app.post(ann, `${path}/branches`, { new_branch_name: name })

    assertError(await create(), 422, '[BranchName]: Required')
    assertError(await create('x'.repeat(101)), 422, '[BranchName]: MaxSize')
    for (const bad of ['not a..name', '-x', 'a/-x', 'HEAD', 'a.lock', 'a b', '/a', 'a/', '@'])
      assertError(await create(bad), 422, '[BranchName]: GitRefName')
  })

  test('does not find unknown beginnings', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })
    const create = (from: object) =>
      app.post(ann, `${path}/branches`, { new_branch_name: 'y', ...from })

    assertError(await create({ old_branch_name: 'missing' }), 404, 'The old branch does not exist')
    assertError(await create({ old_ref_name: 'missing' }), 404)
    assertError(await create({ old_ref_name: wrong }), 404)
    assertError(
      await app.post(ann, '/repos/ann/empty/branches', { new_branch_name: 'y' }),
      404,
      'Git Repository is empty.',
    )
    assertError(
      await app.delete(ann, '/repos/ann/empty/branches/y'),
      404,
      'Git Repository is empty.',
    )
  })

  test('is for those who may write', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const body = { new_branch_name: 'y' }

    assertError(await app.post(undefined, `${path}/branches`, body), 401)
    assertError(
      await app.post(bob, `${path}/branches`, body),
      403,
      'user should have a permission to write to a repo',
    )
    await archive(setup)
    assertError(await app.post(ann, `${path}/branches`, body), 423)
  })

  test('is for collaborators who write', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    assertStatus(await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' }), 204)

    const { status, body } = await app.post(bob, `${path}/branches`, { new_branch_name: 'y' })

    assert.equal(status, 201)
    assert.equal(body.user_can_push, true)
  })

  test('leaves mirrors alone, as deleting does', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'side' })
    await makeMirror(setup)

    assertError(await app.post(ann, `${path}/branches`, { new_branch_name: 'y' }), 403)
    assertError(await app.delete(ann, `${path}/branches/side`), 403)
    assertError(await app.patch(ann, `${path}/branches/side`, { name: 'y' }), 403)
    const id = 'a'.repeat(40)
    const refused = 'Git Repository is a mirror.'
    assertError(await app.delete(ann, `${path}/branches/missing`), 403, refused)
    assertError(await app.patch(ann, `${path}/branches/missing`, { name: 'y' }), 403, refused)
    assertError(await app.put(ann, `${path}/branches/missing`, { new_commit_id: id }), 403, refused)
  })

  test('of several who make the same branch one does', async (t) => {
    const { app, ann, path } = await startWithRepository(t)

    const answers = await Promise.all(
      [1, 2, 3].map(() => app.post(ann, `${path}/branches`, { new_branch_name: 'same' })),
    )

    assert.deepEqual(statuses(answers), [201, 409, 409])
  })
})

suite('DELETE /repos/{owner}/{repo}/branches/{branch}', () => {
  test('deletes a branch, and records it', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, `${path}/branches`, { new_branch_name: 'a/b' })

    assertStatus(await app.delete(ann, `${path}/branches/a/b`), 204)

    assertError(await app.get(ann, `${path}/branches/a/b`), 404)
    assertError(await app.delete(ann, `${path}/branches/a/b`), 404)
    const { kind } = await app.ctx.db
      .selectFrom('activity')
      .select('kind')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(kind, 'delete_branch')
    assert.equal((await app.get(ann, path)).body.branch_count, 1)
  })

  test('of several who delete the same branch one does, and the others do not find it', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, `${path}/branches`, { new_branch_name: 'x' })
    const wanted = Array.from({ length: 4 }, () => app.delete(ann, `${path}/branches/x`))

    const answers = await Promise.all(wanted)

    const refused = answers.filter(({ status }) => status !== 204)
    assert.equal(refused.length, 3)
    for (const answer of refused) assertError(answer, 404, 'not found')
  })

  test('keeps the default branch', async (t) => {
    const { app, ann, path } = await startWithRepository(t)

    assertError(
      await app.delete(ann, `${path}/branches/main`),
      403,
      'can not delete default or pull request target branch',
    )
  })

  test('is for those who may write', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'side' })

    assertError(await app.delete(undefined, `${path}/branches/side`), 401)
    assertError(await app.delete(bob, `${path}/branches/side`), 403)
    await archive(setup)
    assertError(await app.delete(ann, `${path}/branches/side`), 423)
  })
})

suite('PATCH /repos/{owner}/{repo}/branches/{branch}', () => {
  test('gives a branch another name', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, `${path}/branches`, { new_branch_name: 'feature/x' })

    assertStatus(await app.patch(ann, `${path}/branches/feature/x`, { name: 'feature/y' }), 204)

    assert.deepEqual(names((await app.get(ann, `${path}/branches`)).body), ['feature/y', 'main'])
  })

  test('takes the default branch along', async (t) => {
    const { app, ann, path } = await startWithRepository(t)

    assertStatus(await app.patch(ann, `${path}/branches/main`, { name: 'trunk' }), 204)

    assert.equal((await app.get(ann, path)).body.default_branch, 'trunk')
    assertStatus(await app.get(ann, `${path}/contents`), 200)
    const folder = await folderOf(app, 'one')
    assert.equal(await app.ctx.git.text(folder, ['symbolic-ref', 'HEAD']), 'refs/heads/trunk')
  })

  test('asks for an administrator to rename the default branch', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    await app.post(bob, `${path}/branches`, { new_branch_name: 'side' })

    assertError(await app.patch(bob, `${path}/branches/main`, { name: 'trunk' }), 403)
    assertStatus(await app.patch(bob, `${path}/branches/side`, { name: 'other' }), 204)
  })

  test('refuses unknown branches, names that are taken, bad ones, and readers', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'side' })
    const rename = (from: string, name?: string) =>
      app.patch(ann, `${path}/branches/${from}`, { name })

    assertError(await rename('missing', 'y'), 404, "Branch doesn't exist.")
    assertError(await rename('side', 'main'), 422)
    assertError(await rename('side', 'side'), 422)
    assertError(await rename('side', 'a..b'), 422, '[Name]: GitRefName')
    assertError(await rename('side', 'HEAD'), 422)
    assertError(await rename('side'), 422, '[Name]: Required')
    assertError(await app.patch(bob, `${path}/branches/side`, { name: 'y' }), 403)
    assertError(await app.patch(undefined, `${path}/branches/side`, { name: 'y' }), 401)
    await archive(setup)
    assertError(await rename('side', 'y'), 423)
  })
})

suite('PUT /repos/{owner}/{repo}/branches/{branch}', () => {
  test('moves a branch forward', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const first = (await app.get(ann, `${path}/branches/main`)).body.commit.id
    await app.post(ann, `${path}/branches`, { new_branch_name: 'side' })
    const second = await commit(setup, { a: 'x' })

    const answer = await app.put(ann, `${path}/branches/side`, {
      new_commit_id: second,
      old_commit_id: first,
    })

    assertStatus(answer, 204)
    assert.equal((await app.get(ann, `${path}/branches/side`)).body.commit.id, second)
  })

  test('moves it anywhere only by force', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const first = (await app.get(ann, `${path}/branches/main`)).body.commit.id
    await commit(setup, { a: 'x' }, { new_branch: 'side' })
    const move = (options: object) =>
      app.put(ann, `${path}/branches/side`, { new_commit_id: first, ...options })

    assertError(await move({}), 422, 'The move is not a fast-forward.')
    assertStatus(await move({ force: true }), 204)
    assert.equal((await app.get(ann, `${path}/branches/side`)).body.commit.id, first)
  })

  test('refuses another beginning, unknown commits and branches, and readers', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const id = await commit(setup, { a: 'x' })
    const move = (branch: string, body: object) => app.put(ann, `${path}/branches/${branch}`, body)

    assertError(await move('main', { new_commit_id: id, old_commit_id: wrong }), 422)
    assertError(await move('main', { new_commit_id: wrong }), 404)
    assertError(await move('missing', { new_commit_id: id }), 404)
    assertError(await move('main', {}), 422, '[NewCommitID]: Required')
    assertError(await app.put(bob, `${path}/branches/main`, { new_commit_id: id }), 403)
    assertError(await app.put(undefined, `${path}/branches/main`, { new_commit_id: id }), 401)
    await archive(setup)
    assertError(await move('main', { new_commit_id: id }), 423)
  })
})
