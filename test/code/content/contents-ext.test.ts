// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  base64,
  commit,
  importInto,
  makePrivate,
  names,
  startWithRepository,
} from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const oid = 'a'.repeat(64)
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`
const ofCommit = ['last_commit_sha', 'last_committer_date', 'last_author_date']

suite('GET /repos/{owner}/{repo}/contents-ext/{path}', () => {
  test('shows of a file what is asked for', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const sha = await commit(setup, { 'docs/a.txt': 'one\n' }, { message: 'Say one\n\nAt last.' })
    const read = async (includes: string) => {
      const answer = await app.get(
        undefined,
        `${path}/contents-ext/docs/a.txt?includes=${includes}`,
      )
      assertStatus(answer, 200)
      assert.deepEqual(Object.keys(answer.body), ['file_contents'])
      return answer.body.file_contents
    }

    const whole = (await app.get(undefined, `${path}/contents/docs/a.txt`)).body
    const bare = { ...whole, content: null, encoding: null }
    for (const key of ofCommit) delete bare[key]
    assert.deepEqual(await read(''), bare)
    assert.deepEqual(await read('lfs_metadata'), bare)
    assert.deepEqual(await read('file_content'), {
      ...bare,
      content: base64('one\n'),
      encoding: 'base64',
    })
    const last_commit_message = 'Say one\n\nAt last.\n'
    assert.deepEqual(await read('commit_message'), { ...bare, last_commit_message })
    assert.deepEqual(await read(',commit_metadata,file_content,,'), whole)
    const all = 'file_content,lfs_metadata,commit_metadata,commit_message'
    assert.deepEqual(await read(all), { ...whole, last_commit_message })
    assert.equal(whole.last_commit_sha, sha)
  })

  test('lists a folder, and the root however it is named', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const sha = await commit(setup, { 'docs/a.txt': 'one', 'docs/big.bin': pointer })
    const all = 'includes=file_content,lfs_metadata,commit_metadata,commit_message'

    const listed = await app.get(undefined, `${path}/contents-ext/docs?${all}`)

    assert.deepEqual(Object.keys(listed.body), ['dir_contents'])
    const [plain, large] = listed.body.dir_contents
    assert.partialDeepStrictEqual(plain, {
      name: 'a.txt',
      content: null,
      last_commit_sha: sha,
      last_commit_message: 'Add docs/a.txt, docs/big.bin\n',
    })
    assert.equal('lfs_oid' in plain, false)
    assert.partialDeepStrictEqual(large, { content: null, lfs_oid: oid, lfs_size: 12345 })
    const short = (await app.get(undefined, `${path}/contents-ext/docs`)).body.dir_contents
    for (const entry of short) {
      for (const key of [...ofCommit, 'last_commit_message', 'lfs_oid', 'lfs_size']) {
        assert.equal(key in entry, false, key)
      }
    }
    for (const root of ['', '/', '?ref=main', '/%2E', '/%2E?ref=']) {
      const { body } = await app.get(undefined, `${path}/contents-ext${root}`)
      assert.deepEqual(names(body.dir_contents), ['README.md', 'docs'], root)
    }
  })

  test('knows files of Git LFS, links and submodules', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await importInto(
      setup,
      `commit refs/heads/odd\ncommitter A <a@b> 1700000000 +0200\ndata 1\nx` +
        `\nM 120000 inline link\ndata 6\ntarget\nM 160000 ${'1'.repeat(40)} sub` +
        `\nM 100644 inline big.bin\ndata ${pointer.length}\n${pointer}\n`,
    )
    const read = async (name: string, includes: string) => {
      const query = `ref=odd&includes=${includes}`
      return (await app.get(undefined, `${path}/contents-ext/${name}?${query}`)).body.file_contents
    }

    assert.equal((await read('link', '')).target, 'target')
    assert.equal((await read('sub', '')).type, 'submodule')
    assert.equal('lfs_oid' in (await read('big.bin', '')), false)
    for (const includes of ['lfs_metadata', 'file_content']) {
      const large = await read('big.bin', includes)
      assert.deepEqual([large.lfs_oid, large.lfs_size], [oid, 12345])
      assert.equal(large.content === null, includes === 'lfs_metadata')
    }
    const { body } = await app.get(undefined, `${path}/contents/big.bin?ref=odd`)
    assert.equal(body.lfs_oid, oid)
  })

  test('refuses what it does not know, and who may not read', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const file = `${path}/contents-ext/README.md`

    const unknown = 'unknown include option "everything"'
    assertError(await app.get(ann, `${file}?includes=file_content,everything`), 400, unknown)
    assertError(await app.get(ann, `${path}/contents-ext/none`), 404)
    assertError(await app.get(ann, `${file}?ref=none`), 404)
    assertError(await app.get(await app.withToken(ann.account, ['read:user']), file), 403, /scope/)
    const narrow = await app.withToken(ann.account, ['read:repository', 'public-only'])
    assertStatus(await app.get(narrow, file), 200)
    await makePrivate(setup)
    for (const who of [bob, undefined, narrow]) assertError(await app.get(who, file), 404)
    assertStatus(await app.get(ann, file), 200)
    await app.post(ann, '/user/repos', { name: 'empty' })
    assertError(await app.get(ann, '/repos/ann/empty/contents-ext'), 404)
  })
})
