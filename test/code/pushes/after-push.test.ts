import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { TestCaller } from '../../support/app.ts'
import { startGitHost, type GitHost } from '../../platform/git/support.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'

interface Pushing {
  readonly host: GitHost
  readonly ann: TestCaller
  readonly work: string
  /** Pushes as Ann, and must succeed. */
  readonly push: (...refspecs: string[]) => Promise<string>
  readonly record: () => Promise<Record<string, unknown>>
}

async function startPushing(t: TestContext, options: object = {}): Promise<Pushing> {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one', ...options })
  const work = await host.client.makeRepository()
  const url = host.urlFor('ann', 'ann/one.git')
  const push = (...refspecs: string[]) =>
    host.client.git(['push', '--force', url, ...refspecs], work)
  const record = async () => (await host.app.get(ann, '/repos/ann/one')).body
  return { host, ann, work, push, record }
}

interface Recorded {
  readonly kind: string
  readonly ref_name: string
  readonly content: string
}

/** What was recorded of pushes, oldest first. */
async function activitiesOf({ app }: GitHost): Promise<readonly Recorded[]> {
  const rows = await app.ctx.db
    .selectFrom('activity')
    .select(['kind', 'ref_name', 'content'])
    .where('kind', '<>', 'create_repo')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row }))
}

async function headOf(host: GitHost): Promise<string> {
  return readFileSync(join(await host.folderOf('ann/one'), 'HEAD'), 'utf8').trim()
}

suite('the first push', () => {
  test('ends emptiness and counts branches', async (t) => {
    const { push, record } = await startPushing(t)
    assert.partialDeepStrictEqual(await record(), { empty: true, branch_count: 0 })

    await push('main', 'main:other')

    const expected = { empty: false, branch_count: 2, default_branch: 'main' }
    assert.partialDeepStrictEqual(await record(), expected)
  })

  test('counts branches wherever git keeps them, and nothing else', async (t) => {
    const { host, work, push, record } = await startPushing(t)
    const folder = await host.folderOf('ann/one')
    const count = async () => (await record())['branch_count']
    await push('main', 'main:a/b/c', 'main:a/d', 'main:refs/tags/v1')
    assert.equal(await count(), 3)

    await host.client.git(['--git-dir', folder, 'pack-refs', '--all'], work)
    writeFileSync(join(folder, 'refs', 'heads', 'begun.lock'), '')
    await push('main:e')
    assert.equal(await count(), 4)
    await host.client.commit(work, 'second')
    await push('main', ':a/b/c')
    assert.equal(await count(), 3)
  })

  const cases = [
    { pushed: ['trunk'], expected: 'trunk', why: 'the only branch' },
    { pushed: ['a', 'configured', 'main'], expected: 'configured', why: 'the configured branch' },
    { pushed: ['a', 'master', 'main'], expected: 'main', why: 'main before others' },
    { pushed: ['a', 'master'], expected: 'master', why: 'master before others' },
    { pushed: ['b', 'a'], expected: 'b', why: 'the first that arrives' },
  ]
  for (const { pushed, expected, why } of cases) {
    test(`makes ${why} the default one, also for git`, async (t) => {
      const { host, push, record } = await startPushing(t, { default_branch: 'configured' })

      await push(...pushed.map((branch) => `main:refs/heads/${branch}`))

      assert.equal((await record())['default_branch'], expected)
      assert.equal(await headOf(host), `ref: refs/heads/${expected}`)
    })
  }

  test('of tags alone leaves it empty', async (t) => {
    const { push, record } = await startPushing(t)

    await push('main:refs/tags/v1')

    assert.partialDeepStrictEqual(await record(), { empty: true, default_branch: 'main' })
  })

  test('decides once when two arrive at the same time', async (t) => {
    const { host, push, record } = await startPushing(t, { default_branch: 'none' })

    await Promise.all(['a', 'b', 'c'].map((branch) => push(`main:refs/heads/${branch}`)))
    await host.app.ctx.jobs.runDue()

    const { default_branch: chosen, branch_count: count } = await record()
    assert.equal(await headOf(host), `ref: refs/heads/${chosen as string}`)
    assert.equal(count, 3)
  })
})

suite('a later push', () => {
  test('leaves the default branch alone, and moves updated_at', async (t) => {
    const { host, push, record } = await startPushing(t)
    await push('main')
    const { updated_at: before } = await record()
    host.app.passTime(60)

    await push('main:master')

    const { updated_at: after, default_branch: branch } = await record()
    assert.equal(branch, 'main')
    assert.ok(Date.parse(after as string) >= Date.parse(before as string) + 60_000)
  })

  test('that deletes a tag leaves its release as a draft, and others published', async (t) => {
    const { host, ann, push, record } = await startPushing(t)
    const releases = '/repos/ann/one/releases'
    await push('main', 'main:v2', 'main:refs/tags/v1', 'main:refs/tags/v2')
    const { body: first } = await host.app.post(ann, releases, { tag_name: 'v1', name: 'one' })
    const { body: second } = await host.app.post(ann, releases, { tag_name: 'v2' })
    const { body: over } = await host.app.post(ann, releases, { tag_name: 'v3' })
    await host.app.delete(ann, `${releases}/${over.id}`)
    const elsewhere = '/repos/ann/two/releases'
    await host.app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    const { body: other } = await host.app.post(ann, elsewhere, { tag_name: 'v1' })

    await push(':refs/tags/v1', ':refs/heads/v2', ':refs/tags/v3')

    const withdrawn = await host.app.get(ann, `${releases}/${first.id}`)
    const expected = { name: 'one', tag_name: 'v1', draft: true, published_at: null }
    assert.partialDeepStrictEqual(withdrawn, { status: 200, body: expected })
    assert.deepEqual((await host.app.get(undefined, releases)).body, [second])
    assert.deepEqual((await host.app.get(undefined, elsewhere)).body, [other])
    const all = (await host.app.get(ann, releases)).body as { tag_name: string }[]
    assert.deepEqual(all.map(({ tag_name: name }) => name).sort(), ['v1', 'v2'])
    assert.equal((await record())['release_counter'], 1)
    const again = { draft: false, target_commitish: 'main' }
    const published = await host.app.patch(ann, `${releases}/${first.id}`, again)
    assert.partialDeepStrictEqual(published, { status: 200, body: { draft: false } })
    assert.equal((await host.app.get(ann, '/repos/ann/one/tags/v1')).status, 200)
  })

  test('that moves nothing changes and records nothing', async (t) => {
    const { host, push, record } = await startPushing(t)
    await push('main')
    const before = await record()
    host.app.passTime(60)

    await push('main')
    const url = host.urlFor('ann', 'ann/one.git')
    await host.client.run(['push', url, 'HEAD:refs/replace/x'], join(host.client.home, 'work'))

    assert.deepEqual(await record(), before)
    assert.equal((await activitiesOf(host)).length, 2)
  })

  test('has its size measured by a job', async (t) => {
    const { host, work, push, record } = await startPushing(t)
    for (let index = 0; index < 5; index++) await host.client.commit(work, `commit ${index}`)
    await push('main')
    assert.equal((await record())['size'], 0)

    await host.app.ctx.jobs.runDue()

    const size = (await record())['size'] as number
    assert.ok(size > 0 && size < 1000, `${size} KiB`)
  })

  test('of a repository that is deleted before the job runs does no harm', async (t) => {
    const { host, ann, push } = await startPushing(t)
    await push('main')
    await host.app.delete(ann, '/repos/ann/one')

    host.app.passTime(600)
    await host.app.ctx.jobs.runDue()

    const jobs = await host.app.ctx.db.selectFrom('job').selectAll().execute()
    assert.deepEqual(jobs, [])
  })

  test('that nobody lived to record is recorded later', async (t) => {
    const { host, push, record } = await startPushing(t, { default_branch: 'none' })
    const die = async () => {
      throw new Error('killed')
    }
    await doMeanwhile(t, host.app, () => push('main:trunk'), die)
    assert.equal((await record())['empty'], true)

    host.app.passTime(600)
    await host.app.ctx.jobs.runDue()

    const expected = { empty: false, branch_count: 1, default_branch: 'trunk' }
    assert.partialDeepStrictEqual(await record(), expected)
    assert.equal(await headOf(host), 'ref: refs/heads/trunk')
  })

  test('mends what a crash left between git and the record', async (t) => {
    const { host, work, push, record } = await startPushing(t)
    await push('main')
    const folder = await host.folderOf('ann/one')
    await host.client.git(['--git-dir', folder, 'branch', 'unrecorded', 'main'], work)
    await host.client.git(['--git-dir', folder, 'symbolic-ref', 'HEAD', 'refs/heads/lost'], work)

    await host.app.ctx.jobs.runDue()

    assert.equal((await record())['branch_count'], 2)
    assert.equal(await headOf(host), 'ref: refs/heads/main')
  })
})

suite('the feed after a push', () => {
  test('has two entries for a new branch, one of them with its commits', async (t) => {
    const { host, work, push } = await startPushing(t)
    const first = await host.client.git(['rev-parse', 'main'], work)
    const second = await host.client.commit(work, 'second')

    await push('main')

    const [made, pushed, ...rest] = await activitiesOf(host)
    assert.deepEqual(rest, [])
    assert.deepEqual(made, { kind: 'commit_repo', ref_name: 'refs/heads/main', content: '' })
    assert.equal(pushed?.kind, 'commit_repo')
    const content = JSON.parse(pushed?.content ?? '')
    assert.deepEqual(Object.keys(content), ['Commits', 'HeadCommit', 'CompareURL', 'Len'])
    assert.deepEqual(
      content.Commits.map(({ Sha1 }: { Sha1: string }) => Sha1),
      [second, first],
    )
    assert.deepEqual(content.HeadCommit, content.Commits[0])
    const { Timestamp: at, ...head } = content.HeadCommit
    assert.deepEqual(head, {
      Sha1: second,
      Message: 'second\n',
      AuthorEmail: 'ann@example.org',
      AuthorName: 'Ann',
      CommitterEmail: 'ann@example.org',
      CommitterName: 'Ann',
    })
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/)
    assert.equal(content.CompareURL, '')
    assert.equal(content.Len, 2)
  })

  test('lists for a new branch only commits that no other branch has', async (t) => {
    const { host, work, push } = await startPushing(t)
    await push('main')
    const id = await host.client.commit(work, 'on topic')

    await push('main:topic', 'main~1:refs/heads/same')

    const entries = (await activitiesOf(host)).slice(2).filter(({ content }) => content !== '')
    const contents = new Map(entries.map((entry) => [entry.ref_name, JSON.parse(entry.content)]))
    const topic = contents.get('refs/heads/topic')
    assert.equal(topic.Len, 1)
    assert.equal(topic.CompareURL, `ann/one/compare/main...${id}`)
    const same = contents.get('refs/heads/same')
    assert.partialDeepStrictEqual(same, { Commits: null, Len: 0 })
    assert.equal(same.HeadCommit.Message, 'first\n')
    for (let index = 1; index <= 11; index++) await host.client.commit(work, `more ${index}`)
    await push('main:wide')
    const wide = JSON.parse((await activitiesOf(host)).at(-1)?.content ?? '')
    assert.deepEqual([wide.Len, wide.Commits.length], [10, 5], 'of the newest ten')
  })

  test('keeps five commits of a moved branch and says how many there are', async (t) => {
    const { host, work, push } = await startPushing(t)
    await push('main')
    const before = await host.client.git(['rev-parse', 'main'], work)
    for (let index = 1; index <= 7; index++) await host.client.commit(work, `commit ${index}`)
    const after = await host.client.git(['rev-parse', 'main'], work)

    await push('main')

    const content = JSON.parse((await activitiesOf(host)).at(-1)?.content ?? '')
    const messages = content.Commits.map(({ Message }: { Message: string }) => Message.trim())
    assert.deepEqual(
      messages,
      [7, 6, 5, 4, 3].map((index) => `commit ${index}`),
    )
    assert.equal(content.Len, 7)
    assert.equal(content.CompareURL, `ann/one/compare/${before}...${after}`)
  })

  test('names the head of a branch that was set back', async (t) => {
    const { host, work, push } = await startPushing(t)
    await host.client.commit(work, 'second')
    await push('main')

    await push('main~1:main')

    const content = JSON.parse((await activitiesOf(host)).at(-1)?.content ?? '')
    assert.partialDeepStrictEqual(content, { Commits: null, Len: 0 })
    assert.equal(content.HeadCommit.Message, 'first\n')
  })

  test('names tags with the commit that they lead to', async (t) => {
    const { host, work, push } = await startPushing(t)
    await push('main')
    await host.client.git(['tag', '-m', 'heavy', 'heavy'], work)
    const blob = await host.client.git(['hash-object', '-w', 'file.txt'], work)
    await host.client.git(['tag', 'blob', blob], work)
    const tag = await host.client.git(['rev-parse', 'heavy'], work)

    await push('heavy', 'main:refs/tags/light', 'blob')

    const tags = new Map(
      (await activitiesOf(host)).slice(2).map((entry) => [entry.ref_name, entry]),
    )
    const heavy = tags.get('refs/tags/heavy')
    assert.equal(heavy?.kind, 'push_tag')
    const content = JSON.parse(heavy?.content ?? '')
    assert.partialDeepStrictEqual(content, { Commits: null, Len: 0 })
    assert.equal(content.HeadCommit.Message, 'first\n')
    assert.equal(content.CompareURL, `ann/one/compare/${'0'.repeat(40)}...${tag}`)
    const light = JSON.parse(tags.get('refs/tags/light')?.content ?? '')
    assert.equal(light.HeadCommit.Message, 'first\n')
    assert.equal(JSON.parse(tags.get('refs/tags/blob')?.content ?? '').HeadCommit, null)
  })

  test('names what was deleted; notes are no news', async (t) => {
    const { host, work, push } = await startPushing(t)
    await host.client.git(['notes', 'add', '-m', 'a note'], work)
    await push('main', 'main:other', 'main:refs/tags/v1', 'refs/notes/commits')
    const before = (await activitiesOf(host)).length

    await push(':other', ':refs/tags/v1', ':refs/notes/commits')

    assert.deepEqual((await activitiesOf(host)).slice(before), [
      { kind: 'delete_branch', ref_name: 'refs/heads/other', content: '' },
      {
        kind: 'delete_tag',
        ref_name: 'refs/tags/v1',
        content: '{"Commits":null,"HeadCommit":null,"CompareURL":"","Len":0}',
      },
    ])
    const refs = (await activitiesOf(host)).map(({ ref_name: name }) => name)
    assert.ok(refs.every((name) => !name.startsWith('refs/notes/')))
  })

  test('records refs beyond a hundred without their commits', async (t) => {
    const { host, push } = await startPushing(t)
    await push('main')
    const before = (await activitiesOf(host)).length

    await push(...Array.from({ length: 120 }, (_, index) => `main:refs/tags/v${index}`))

    const tags = (await activitiesOf(host)).slice(before)
    assert.equal(tags.length, 120)
    const known = tags.filter(({ content }) => JSON.parse(content).HeadCommit !== null)
    assert.equal(known.length, 100)
  })

  test('is private as the repository is', async (t) => {
    const { host, push } = await startPushing(t, { private: true })

    await push('main')

    const rows = await host.app.ctx.db.selectFrom('activity').select('is_private').execute()
    assert.deepEqual(
      rows.map(({ is_private: flag }) => flag),
      [1, 1, 1],
    )
  })

  test('says only that refs moved which did', async (t) => {
    const { host, work } = await startPushing(t)
    const url = host.urlFor('ann', 'ann/one.git')

    await host.client.run(
      ['push', url, 'main', 'main:refs/pull/1/head', 'main:refs/heads/-x'],
      work,
    )

    const refs = new Set((await activitiesOf(host)).map(({ ref_name: name }) => name))
    assert.deepEqual([...refs], ['refs/heads/main'])
  })

  test('takes a message of any length and bytes', async (t) => {
    const { host, work, push } = await startPushing(t)
    await push('main')
    await host.client.commit(work, `long ${'x'.repeat(100_000)} "quoted" \u2028 ä`)

    await push('main')

    const content = JSON.parse((await activitiesOf(host)).at(-1)?.content ?? '')
    assert.equal(content.Len, 1)
    assert.match(content.HeadCommit.Message, /^long x+ "quoted" \u2028 ä\n$/)
  })
})
