import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { GitClient, GitHost } from '../../platform/git/support.ts'
import { openPull } from '../../collaboration/pulls/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { signIn, type Visitor } from '../support.ts'

const page = '/ann/one/pulls/1'
const file = 'src/lines.txt'

interface Desk extends Setup {
  readonly byAnn: Visitor
  readonly git: (...parameters: readonly string[]) => Promise<string>
  /** Writes files, commits them and pushes the branch. */
  readonly push: (branch: string, files: Readonly<Record<string, string>>) => Promise<void>
}

/** Lines 1 to 60 with some in other words, and others before or without some. */
function lines(
  changed: Readonly<Record<number, string>> = {},
  { first = [] as readonly string[], without = 0 } = {},
): string {
  const all = Array.from({ length: 60 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`)
  const left = all.filter((_, index) => index + 1 !== without)
  return [...first, ...left].map((line) => `${line}\n`).join('')
}

/** Ann changes line 30 of a file in a pull request that Bob reads. */
async function startWithChange(t: TestContext): Promise<Desk> {
  const setup = await startWithRepository(t)
  const { app } = setup
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  const client = new GitClient(t)
  const host = new GitHost(app, client, `127.0.0.1:${port}`)
  await client.git(['clone', '--quiet', host.urlFor('ann', 'ann/one.git'), 'work'])
  const work = join(client.home, 'work')
  const git = (...words: readonly string[]) => client.git(words, work)
  const push = async (branch: string, files: Readonly<Record<string, string>>) => {
    await git('switch', '--quiet', branch)
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(work, name)), { recursive: true })
      writeFileSync(join(work, name), text)
    }
    await git('add', '--all')
    await git('commit', '--quiet', '-m', 'more')
    await git('push', '--quiet', '--force', 'origin', branch)
    await app.ctx.jobs.runDue()
  }
  await push('main', { [file]: lines() })
  await git('switch', '--quiet', '-c', 'topic')
  await push('topic', { [file]: lines({ 30: 'thirty' }) })
  await openPull(setup)
  return { ...setup, byAnn: await signIn(app, 'ann'), git, push }
}

/** Bob says something of a line; the record of what he said. */
async function say(
  { app, bob, path }: Setup,
  body: string,
  place: Readonly<Record<string, unknown>>,
): Promise<() => Promise<TestAnswer['body']>> {
  const reviews = `${path}/pulls/1/reviews`
  const comments = [{ path: file, body, ...place }]
  const answer = await app.post(bob, reviews, { event: 'COMMENT', comments })
  assertStatus(answer, 200)
  return async () => (await app.get(bob, `${reviews}/${answer.body.id}/comments`)).body[0]
}

/** Below which line of the Files tab a text stands: its sign and its numbers before and after. */
async function placeOf({ byAnn }: Desk, text: string): Promise<string | undefined> {
  const { text: shown } = await byAnn.get(`${page}/files`)
  let line: string | undefined
  for (const row of shown.split('<tr class="').slice(1)) {
    const [, kind = ''] = /^(\w+)"/.exec(row) ?? []
    if (kind === 'remark' && row.includes(text)) return line
    if (kind === 'remark') continue
    const [old = '', now = ''] = row.split('<td').slice(1, 3).map(numberIn)
    line = `${kind} ${old}:${now}`
  }
  return undefined
}

function numberIn(cell: string): string {
  return /data-line="(\d+)"/.exec(cell)?.[1] ?? ''
}

async function isOutdated({ byAnn }: Desk, text: string): Promise<boolean> {
  const said = wordsOf(await byAnn.get(page))
  const before = said.slice(0, said.indexOf(text))
  assert.ok(before.length < said.length, `${text} is not in the conversation`)
  return before.slice(before.lastIndexOf(file)).includes('Outdated')
}

suite('A thread on a line of a pull request', () => {
  test('stays at its line when other commits are pushed, and moves with it', async (t) => {
    const desk = await startWithChange(t)
    const record = await say(desk, 'About thirty', { new_position: 30 })
    await say(desk, 'About the old line', { old_position: 30 })
    const before = await record()

    await desk.push('topic', { 'other.txt': 'x\n' })
    const sameFile = await placeOf(desk, 'About thirty')
    const first = ['one', 'two', 'three']
    await desk.push('topic', { [file]: lines({ 30: 'thirty' }, { first }) })

    assert.equal(sameFile, 'added :30')
    assert.equal(await placeOf(desk, 'About thirty'), 'added :33')
    assert.equal(await placeOf(desk, 'About the old line'), 'removed 30:')
    assert.equal(await isOutdated(desk, 'About thirty'), false)
    assert.deepEqual(await record(), before)
    assert.partialDeepStrictEqual(before, { path: file, position: 30, original_position: 0 })
  })

  test('is outdated when the line is changed or removed, and no longer when it is back', async (t) => {
    const desk = await startWithChange(t)
    await say(desk, 'About thirty', { new_position: 30 })
    await say(desk, 'About thirty-two', { new_position: 32 })

    await desk.push('topic', { [file]: lines({ 30: 'THIRTY' }, { without: 32 }) })
    const changed = await desk.byAnn.get(`${page}/files`)

    assert.equal(await placeOf(desk, 'About thirty'), undefined)
    assert.match(wordsOf(changed), /2 threads are outdated/)
    assert.equal(await isOutdated(desk, 'About thirty-two'), true)
    await desk.push('topic', { [file]: lines({ 30: 'thirty' }) })
    assert.equal(await placeOf(desk, 'About thirty'), 'added :30')
    assert.equal(await placeOf(desk, 'About thirty-two'), 'context 32:32')
    assert.doesNotMatch(wordsOf(await desk.byAnn.get(`${page}/files`)), /outdated/)
  })

  test('follows its file under another name, and is outdated when the file is deleted', async (t) => {
    const desk = await startWithChange(t)
    const { git, push } = desk
    const moved = 'docs/a "new" näme.txt'
    await say(desk, 'About thirty', { new_position: 30 })
    await say(desk, 'About the old line', { old_position: 30 })

    await git('rm', '--quiet', file)
    await push('topic', { [moved]: lines({ 30: 'thirty' }, { first: ['one'] }) })

    assert.equal(await placeOf(desk, 'About thirty'), 'added :31')
    assert.equal(await placeOf(desk, 'About the old line'), 'removed 30:')
    await say(desk, 'Before it moved', { path: moved, old_position: 29 })
    assert.equal(await placeOf(desk, 'Before it moved'), 'context 29:30')
    const said = (await desk.byAnn.get(page)).text
    const code = said.slice(0, said.indexOf('Before it moved'))
    assert.match(code.slice(code.lastIndexOf('class="thread"')), /line 29/)
    await git('rm', '--quiet', moved)
    await push('topic', { 'other.txt': 'x\n' })
    assert.equal(await placeOf(desk, 'About thirty'), undefined)
    assert.equal(await isOutdated(desk, 'About thirty'), true)
    assert.equal(await placeOf(desk, 'About the old line'), 'removed 30:')
  })

  test('survives a force push onto a later base, and the end of the commits of before', async (t) => {
    const desk = await startWithChange(t)
    const { app, git, push } = desk
    await say(desk, 'About thirty', { new_position: 30 })
    await say(desk, 'About the old line', { old_position: 30 })
    await push('main', { [file]: lines({}, { first: ['one', 'two'] }) })

    await git('switch', '--quiet', 'topic')
    await git('rebase', '--quiet', 'main')
    await push('topic', { 'other.txt': 'x\n' })
    const folder = await new GitHost(app, new GitClient(t), '').folderOf('ann/one')
    await app.ctx.git.run(folder, ['gc', '--quiet', '--prune=now'])
    await push('topic', { 'other.txt': 'y\n' })

    assert.equal(await placeOf(desk, 'About thirty'), 'added :32')
    assert.equal(await placeOf(desk, 'About the old line'), 'removed 32:')
    assert.equal(await isOutdated(desk, 'About thirty'), false)
  })

  test('is shown beside the changes when its line is there but differs no longer', async (t) => {
    const desk = await startWithChange(t)
    await say(desk, 'About thirty-two', { new_position: 32 })

    await desk.push('topic', { [file]: lines(), 'other.txt': 'x\n' })

    const files = wordsOf(await desk.byAnn.get(`${page}/files`))
    assert.match(files, /These comments are on lines that are not shown above\. .*About thirty-two/)
    assert.equal(await isOutdated(desk, 'About thirty-two'), false)
  })

  test('stands below each line of a review that goes on after a push', async (t) => {
    const desk = await startWithChange(t)
    const { app, bob, path, push } = desk
    const add = (body: string) => {
      const comments = [{ path: file, body, new_position: 30 }]
      return app.post(bob, `${path}/pulls/1/reviews`, { event: 'PENDING', body: 'so', comments })
    }
    await add('About thirty')
    await push('topic', { [file]: lines({ 30: 'thirty' }, { first: ['one'] }) })
    const { body: review } = await add('About twenty-nine')
    assertStatus(
      await app.post(bob, `${path}/pulls/1/reviews/${review.id}`, { event: 'COMMENT', body: 'so' }),
      200,
    )

    assert.equal(await placeOf(desk, 'About thirty'), 'added :31')
    assert.equal(await placeOf(desk, 'About twenty-nine'), 'context 29:30')
  })
})
