import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import {
  archive,
  base64,
  commit,
  folderOf,
  importInto,
  makePrivate,
  startWithRepository,
  statuses,
} from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { contentOf, countCommits } from './setup.ts'

const fromOneToTwo = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n'
/** The bytes 0, 1 and 2. */
const binary =
  'diff --git a/bin b/bin\nnew file mode 100644\nindex 0000000000000000000000000000000000000000..8352675d67aed6625ece79af41c27fdb4ee2e867\nGIT binary patch\nliteral 3\nKcmZQzWC8#H2LJ>B\n\nliteral 0\nHcmV?d00001\n\n'

const newFile = (path: string, text = 'x', mode = '100644') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`

async function withFile(t: Parameters<typeof startWithRepository>[0], changes = {}) {
  const setup = await startWithRepository(t, changes)
  const sha = await commit(setup, { 'a.txt': 'one\n' })
  const apply = (content: unknown, options: object = {}, who = setup.ann) =>
    setup.app.post(who, `${setup.path}/diffpatch`, { content, ...options })
  return { setup, sha, apply }
}

suite('POST /repos/{owner}/{repo}/diffpatch', () => {
  test('commits what the patch changes', async (t) => {
    const { setup, sha, apply } = await withFile(t)
    const { app, ann, path } = setup

    const answer = await apply(fromOneToTwo)

    assertStatus(answer, 200)
    assert.deepEqual(Object.keys(answer.body), ['content', 'commit', 'verification'])
    assert.equal(answer.body.content, null)
    assert.partialDeepStrictEqual(answer.body.commit, {
      message: 'apply-patch\n',
      parents: [{ sha }],
      author: { name: 'ann' },
    })
    assert.equal(await contentOf(setup, 'a.txt'), 'two\n')
    const { body } = await app.get(ann, `${path}/commits?limit=1`)
    assert.equal(body[0].sha, answer.body.commit.sha)
    assert.deepEqual(body[0].files, [{ filename: 'a.txt', status: 'modified' }])
    const feed = (await app.get(ann, `${path}/activities/feeds`)).body
    assert.equal(feed[0].op_type, 'commit_repo')
  })

  test('adds, moves, removes, and changes modes, links and binary files', async (t) => {
    const { setup, apply } = await withFile(t)
    await commit(setup, { 'b.txt': 'b\n', 'c.txt': 'c\n', d: 'd\n', 'run.sh': 'r\n' })
    const patch = [
      newFile('new/deep.txt', 'deep'),
      'diff --git a/b.txt b/moved/b.txt\nsimilarity index 100%\nrename from b.txt\nrename to moved/b.txt\n',
      'diff --git a/c.txt b/c.txt\ndeleted file mode 100644\n--- a/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-c\n',
      'diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-d\n',
      newFile('d/inside', 'file'),
      'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n',
      newFile('link', 'a.txt', '120000').replace(/\n$/, '\n\\ No newline at end of file\n'),
      binary,
    ].join('')

    const { app, ann, path } = setup
    assertStatus(await apply(patch), 200)
    const { body } = await app.get(ann, `${path}/git/trees/main?recursive=true`)
    const tree = body.tree
      .filter(({ type }: { type: string }) => type === 'blob')
      .map(({ mode, path: file }: Record<string, string>) => `${mode} ${file}`)
    assert.deepEqual(tree, [
      '100644 README.md',
      '100644 a.txt',
      '100644 bin',
      '100644 d/inside',
      '120000 link',
      '100644 moved/b.txt',
      '100644 new/deep.txt',
      '100755 run.sh',
    ])
    assert.equal(await contentOf(setup, 'moved/b.txt'), 'b\n')
    assert.equal(await contentOf(setup, 'bin'), '\0\u0001\u0002')
    assert.equal((await app.get(ann, `${path}/contents/link`)).body.target, 'a.txt')
  })

  test('takes message, people, dates and a branch as other changes of files do', async (t) => {
    const { setup, sha, apply } = await withFile(t)

    const answer = await apply(fromOneToTwo, {
      message: 'Two',
      author: { name: 'Cleo', email: 'cleo@example.org' },
      dates: { author: '2020-01-02T03:04:05+02:00' },
      branch: 'main',
      new_branch: 'topic',
      signoff: true,
    })

    assertStatus(answer, 200)
    assert.partialDeepStrictEqual(answer.body.commit, {
      message: 'Two\n\nSigned-off-by: Cleo <cleo@example.org>',
      author: { name: 'Cleo', email: 'cleo@example.org', date: '2020-01-02T03:04:05+02:00' },
      parents: [{ sha }],
    })
    assert.equal(await contentOf(setup, 'a.txt'), 'one\n')
    assert.equal(await contentOf(setup, 'a.txt', 'topic'), 'two\n')
    assertError(await apply(fromOneToTwo, { new_branch: 'topic' }), 422, /already exists/)
    const forced = await apply(newFile('b'), { new_branch: 'topic', force_push: true })
    assertStatus(forced, 200)
    assert.equal(await contentOf(setup, 'a.txt', 'topic'), 'one\n')
    assertError(await apply(fromOneToTwo, { branch: 'none' }), 404)
  })

  test('merges where the file has changed beside the patch, and ignores what surrounds it', async (t) => {
    const { setup, apply } = await withFile(t)
    const lines = (first: string, last: string) =>
      `${[first, ...Array.from({ length: 9 }, (_, index) => `${index}`), last].join('\n')}\n`
    await commit(setup, { 'a.txt': lines('moved\nfirst', 'last') })
    const patch = `From: somebody\n\nSubject: words\n---\n--- a/a.txt\n+++ b/a.txt\n@@ -8,4 +8,4 @@\n 6\n 7\n 8\n-last\n+LAST\n-- \n2.39\n`

    assertStatus(await apply(patch), 200)
    assert.equal(await contentOf(setup, 'a.txt'), lines('moved\nfirst', 'LAST'))
  })

  test('makes the first commit of an empty repository', async (t) => {
    const { setup } = await withFile(t)
    const { app, ann } = setup
    await app.post(ann, '/user/repos', { name: 'empty' })

    const answer = await app.post(ann, '/repos/ann/empty/diffpatch', { content: newFile('a') })

    assertStatus(answer, 200)
    assert.deepEqual(answer.body.commit.parents, [])
    assertStatus(await app.get(ann, '/repos/ann/empty/contents/a'), 200)
  })

  test('refuses what does not apply or would lie elsewhere, and leaves nothing behind', async (t) => {
    const { setup, apply } = await withFile(t)
    const { app } = setup
    await importInto(
      setup,
      'commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\nM 120000 inline away\ndata 4\n/tmp\n',
    )
    const before = await countCommits(setup)
    const objects = join(await folderOf(app, 'one'), 'objects')
    const known = readdirSync(objects, { recursive: true }).length
    const refused: readonly [string, RegExp][] = [
      [fromOneToTwo.replace('-one', '-three'), /^patch failed: a\.txt:1/],
      [fromOneToTwo.replaceAll('a.txt', 'none.txt'), /none\.txt/],
      [newFile('a.txt'), /a\.txt/],
      ['nonsense', /^No valid patches in input/],
      [`${fromOneToTwo}@@ nonsense`.replace('+two\n', ''), /./],
      [newFile('../outside'), /outside/],
      [newFile('/etc/outside'), /outside/],
      [newFile('.git/config'), /\.git\/config/],
      [newFile('sub/.GIT/hooks/x'), /\.GIT/i],
      [newFile('away/x'), /symbolic link/],
      [newFile('a.txt/x'), /a\.txt/],
      [newFile('git~1/x'), /git~1/],
      [
        'diff --git a/bin b/bin\nindex 1234567..1234568\nGIT binary patch\ndelta 4\nLcmZQz\n\ndelta 4\nLcmZQz\n',
        /in full/,
      ],
    ]
    for (const [patch, message] of refused) {
      assertError(await apply(patch), 422, message)
    }
    for (const content of ['', null, 1, undefined]) assertError(await apply(content), 422)
    assert.equal(await countCommits(setup), before)
    assert.equal(readdirSync(objects, { recursive: true }).length, known)
    assert.equal(await contentOf(setup, 'a.txt'), 'one\n')
  })

  test('has limits', async (t) => {
    const { setup, apply } = await withFile(t, {
      api: {
        default_max_blob_size: '1000B',
        default_max_response_size: '3000B',
        max_body_size: '100000B',
      },
    })
    const before = await countCommits(setup)
    const literal = (bytes: number) =>
      `diff --git a/bin b/bin\nnew file mode 100644\nindex 0000000..1234567\nGIT binary patch\nliteral ${bytes}\nKcmZQz\n\n`

    assertError(await apply(newFile('large', 'x'.repeat(1000))), 413)
    const several = Array.from({ length: 4 }, (_, index) =>
      newFile(`f${index}`, `${index}`.repeat(900)),
    )
    assertError(await apply(several.join('')), 413)
    assertError(await apply(literal(10 ** 12)), 413)
    const many = Array.from(
      { length: 1001 },
      (_, index) => `--- /dev/null\n+++ b/${index}\n@@ -0,0 +1 @@\n+x\n`,
    )
    assertError(await apply(many.join('')), 413, /1000 files/)
    assertError(await apply('x'.repeat(200_000)), 413)
    assert.equal(await countCommits(setup), before)
    assertStatus(await apply(several.slice(1).join('')), 200)
  })

  test('is bound by the rules of the branch', async (t) => {
    const { setup, apply } = await withFile(t)
    const { app, ann, bob, path } = setup
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    const rule = { rule_name: 'main', enable_push: true, protected_file_patterns: '*.txt' }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)

    assertError(await apply(fromOneToTwo, {}, bob), 403, /cannot commit/)
    assertStatus(await apply(newFile('a.md'), {}, bob), 200)
    assertStatus(await apply(fromOneToTwo, { new_branch: 'free' }, bob), 200)
  })

  test('is for those who write code', async (t) => {
    const { setup, apply } = await withFile(t)
    const { app, ann, bob, path } = setup
    const reading = await app.withToken(ann.account, ['read:repository'])
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])

    assertError(await app.post(undefined, `${path}/diffpatch`, { content: fromOneToTwo }), 401)
    assertError(await apply(fromOneToTwo, {}, bob), 403)
    assertError(await apply(fromOneToTwo, {}, reading), 403, /scope/)
    assertError(await app.post(ann, '/repos/ann/none/diffpatch', { content: fromOneToTwo }), 404)
    assertStatus(await apply(newFile('x'), {}, narrow), 200)
    await makePrivate(setup)
    assertError(await apply(fromOneToTwo, {}, narrow), 404)
    assertError(await apply(fromOneToTwo, {}, bob), 404)
    await archive(setup)
    assertError(await apply(fromOneToTwo), 423)
    assert.equal((await app.get(ann, `${path}/contents/a.txt`)).body.content, base64('one\n'))
  })

  test('keeps what others commit at the same time', async (t) => {
    const { setup, apply } = await withFile(t)

    const answers = await Promise.all([
      apply(fromOneToTwo),
      ...['b', 'c', 'd'].map((name) => apply(newFile(name))),
      apply(fromOneToTwo),
    ])

    assert.deepEqual(statuses(answers), [200, 200, 200, 200, 422])
    assert.equal(await contentOf(setup, 'a.txt'), 'two\n')
    for (const name of ['b', 'c', 'd']) assert.equal(await contentOf(setup, name), 'x\n')
  })
})
