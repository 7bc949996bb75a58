// One database is enough: refs and objects are files.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { closeObjects } from '../../../src/platform/git/object-pool.ts'
import { assertStatus } from '../../support/expect.ts'
import { startRefs, type Refs } from './refs-support.ts'

/** What is read below `/repos/ann/one`, and shows where refs are and what they lead to. */
const READS = [
  '/commits',
  '/commits?sha=topic',
  '/commits/main',
  '/commits/v1',
  '/branches',
  '/branches/main',
  '/branches/topic',
  '/tags',
  '/tags/v1',
  '/git/refs',
  '/git/refs/heads',
  '/git/refs/tags/v',
  '/git/trees/main',
  '/git/trees/topic?recursive=true',
  '/compare/topic...main',
  '/contents',
  '/contents/file.txt?ref=topic',
  '/raw/file.txt',
]

async function startReads(t: TestContext, format: 'sha1' | 'sha256' = 'sha1') {
  const refs = await startRefs(t, format)
  const { host, ann, folder } = refs
  const onServer = (...words: string[]) => host.client.git(['--git-dir', folder, ...words])
  const read = (path: string) => host.app.get(ann, `/repos/ann/one${path}`)
  const readAll = () => Promise.all(READS.map(read))
  return { ...refs, onServer, read, readAll }
}

/** A branch `topic` and a tag `v1` with an object of its own, a few commits apart. */
async function pushSome({ host, work, push }: Refs): Promise<void> {
  const { client } = host
  await client.git(['tag', '-a', '-m', 'first', 'v1'], work)
  await client.git(['branch', 'topic'], work)
  await client.commit(work, 'more')
  await push('main', 'topic', 'v1')
}

suite('what refs lead to', () => {
  for (const format of ['sha1', 'sha256'] as const) {
    test(`is read again without git, with ${format}`, async (t) => {
      const reads = await startReads(t, format)
      const { host, readAll, passTime, lockGit } = reads
      await pushSome(reads)
      passTime()
      const first = (await readAll()).map(({ status, text }) => ({ status, text }))
      assert.deepEqual(new Set(first.map(({ status }) => status)), new Set([200]))

      // Files and what tags lead to are asked for; nobody is there any more who could be asked.
      const kept = READS.filter((path) => !/file\.txt|\/v1$/.test(path))
      lockGit()
      await closeObjects(host.app.ctx.git)

      for (const path of kept) {
        const { status, text } = await reads.read(path)
        assert.deepEqual({ status, text }, first[READS.indexOf(path)])
      }
    })
  }

  for (const age of ['a moment ago', 'long ago'] as const) {
    test(`is what it is after any change, though it was read before and changed ${age}`, async (t) => {
      const reads = await startReads(t)
      const { host, ann, work, push, passTime, onServer, read, readAll } = reads
      const { client, app } = host
      await pushSome(reads)
      const commitAndPush = async (...refs: string[]) => {
        await client.commit(work, `commit ${refs.join(' ')} ${Math.random()}`)
        await push(...refs)
      }
      const commitOnServer = async () => {
        const tree = await onServer('rev-parse', 'topic^{tree}')
        return onServer('commit-tree', '-p', 'topic', '-m', 'elsewhere', tree)
      }
      const changes: Record<string, () => Promise<unknown>> = {
        'a push': () => commitAndPush('main'),
        'another push': () => commitAndPush('main'),
        'a push that rewinds': () => push('--force', 'main~1:topic'),
        'a tag that moves': () => push('--force', 'main:refs/tags/v1'),
        'a tag that names a tag': async () => {
          await client.git(['tag', '-a', '-m', 'inner', 'inner', 'main'], work)
          await client.git(['tag', '-a', '-m', 'outer', 'v2', 'inner'], work)
          await push('v2')
        },
        'tags of what is no commit': () => push('main^{tree}:refs/tags/tree', 'v2'),
        'a ref that is deleted': () => push('--delete', 'v1'),
        'a branch that is renamed': () =>
          app.patch(ann, '/repos/ann/one/branches/topic', { name: 'renamed' }),
        'another one of its name': () => push('main~1:refs/heads/topic'),
        'a file that is written': () =>
          app.post(ann, '/repos/ann/one/contents/new.txt', { content: 'eA==' }),
        'the refs being packed': () => onServer('pack-refs', '--all'),
        'a packed branch that another node moves': async () =>
          onServer('update-ref', 'refs/heads/topic', await commitOnServer()),
        'one that another node packs': async () => {
          await onServer('update-ref', 'refs/heads/topic', await commitOnServer())
          await onServer('pack-refs', '--all')
        },
        'a branch that becomes another name of another': () =>
          onServer('symbolic-ref', 'refs/heads/topic', 'refs/heads/renamed'),
        'a branch that becomes another name of what is no branch': async () => {
          await onServer('update-ref', 'refs/notes/elsewhere', 'main')
          await onServer('symbolic-ref', 'refs/heads/topic', 'refs/notes/elsewhere')
        },
        'what it is another name of': async () =>
          onServer('update-ref', 'refs/notes/elsewhere', await commitOnServer()),
        'a packed branch that another node deletes': () =>
          onServer('update-ref', '-d', 'refs/heads/renamed'),
        'all objects in one pack': () => onServer('gc', '--quiet', '--prune=now'),
      }

      for (const [change, make] of Object.entries(changes)) {
        await readAll()
        await make()
        if (age === 'long ago') passTime()
        for (let time = 0; time < 2; time++) {
          assert.deepEqual(await shown(read), await written(onServer), change)
        }
      }
    })
  }

  test('is that of the repository which has the name now', async (t) => {
    const reads = await startReads(t)
    const { host, ann, work, push, passTime, read, readAll } = reads
    const { app, client } = host
    await pushSome(reads)
    passTime()
    await readAll()

    assertStatus(await app.send(ann, 'DELETE', '/repos/ann/one'), 204)
    assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
    await client.git(['push', '--quiet', host.urlFor('ann', 'ann/one'), 'topic:main'], work)

    const main = await client.git(['rev-parse', 'topic'], work)
    assert.deepEqual(idsOf((await read('/commits')).body), [main])
    assert.deepEqual((await read('/tags')).body, [])
    assert.equal((await read('/branches')).body.length, 1)
    assert.equal((await read('/branches/topic')).status, 404)
    await push('topic')
    assert.equal((await read('/branches/topic')).body.commit.id, main)
  })

  test('is asked for where a user alone has named it', async (t) => {
    const reads = await startReads(t)
    const { host, work, push, onServer, read, passTime } = reads
    await pushSome(reads)
    passTime()
    const id = await host.client.git(['rev-parse', 'main'], work)
    const paths = [`/commits/${id}`, `/git/trees/${id}`, `/commits?sha=${id}`]
    for (const path of paths) assertStatus(await read(path), 200)

    await push('--force', 'main~1:main')
    await onServer('-c', 'gc.reflogExpire=now', 'gc', '--quiet', '--prune=now')

    for (const path of paths) assert.notEqual((await read(path)).status, 200, path)
  })
})

type Read = Awaited<ReturnType<typeof startReads>>['read']

const idsOf = (list: readonly { sha: string }[]) => list.map(({ sha }) => sha)

/** Where all refs are, by what the server answers. */
async function shown(read: Read) {
  const [refs, branches, tags, one, commits, tree, tip, tagged] = await Promise.all(
    [
      '/git/refs',
      '/branches',
      '/tags',
      '/branches/topic',
      '/commits',
      '/git/trees/main',
      '/commits/main',
      '/commits/v1',
    ].map(read),
  )
  return {
    refs: refs?.body.map((ref: Wire) => `${ref.ref} ${ref.object.sha}`),
    branches: branches?.body.map((branch: Wire) => `${branch.name} ${branch.commit.id}`),
    tags: tags?.body.map((tag: Wire) => `${tag.name} ${tag.commit.sha}`).sort(),
    topic: one?.body.commit?.id,
    commits: idsOf(commits?.body),
    tree: tree?.body.tree.map(({ path, sha }: Wire) => `${path} ${sha}`),
    tip: tip?.body.sha,
    tagged: tagged?.body.sha ?? '',
  }
}

/** The same, by what git says on the server. */
async function written(onServer: (...words: string[]) => Promise<string>) {
  const list = async (pattern: string, format: string) =>
    (await onServer('for-each-ref', `--format=${format}`, pattern)).split('\n').filter(Boolean)
  const id = '%(objectname)'
  const branches = await list('refs/heads', `%(refname:lstrip=2) ${id}`)
  const tags = await list('refs/tags', '%(refname:lstrip=2)')
  const commitOf = (name: string) =>
    onServer('rev-parse', '--quiet', '--verify', `refs/tags/${name}^{commit}`).catch(() => '')
  const tagged = await Promise.all(tags.map(async (tag) => `${tag} ${await commitOf(tag)}`))
  return {
    refs: await list('refs', `%(refname) ${id}`),
    branches,
    tags: tagged.filter((tag) => !tag.endsWith(' ')),
    topic: branches.find((branch) => branch.startsWith('topic '))?.slice('topic '.length),
    commits: (await onServer('rev-list', 'main')).split('\n'),
    tree: await onServer('ls-tree', '--format=%(path) %(objectname)', 'main').then((text) =>
      text.split('\n'),
    ),
    tip: await onServer('rev-parse', 'refs/heads/main'),
    tagged: await commitOf('v1'),
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
type Wire = any
