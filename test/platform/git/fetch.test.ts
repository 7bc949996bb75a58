// One database is enough: what is fetched does not pass through it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { startGitHost, type GitHost } from './support.ts'

interface Fetching {
  readonly host: GitHost
  /** The copy that was pushed from. */
  readonly work: string
  readonly clone: (...options: string[]) => Promise<string>
}

/** A public repository with four commits on main, one on topic, and a tag. */
async function startFetching(t: TestContext): Promise<Fetching> {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one' })
  const work = await host.client.makeRepository()
  for (const message of ['second', 'third', 'fourth']) await host.client.commit(work, message)
  await host.client.git(['tag', 'v1', 'HEAD~1'], work)
  await host.client.git(['checkout', '--quiet', '-b', 'topic'], work)
  await host.client.commit(work, 'on topic')
  await host.client.git(
    ['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main', 'topic', 'v1'],
    work,
  )
  let copies = 0
  const clone = async (...options: string[]) => {
    const folder = join(host.client.home, `copy${++copies}`)
    await host.client.git(['clone', '--quiet', ...options, host.url('ann/one.git'), folder])
    return folder
  }
  return { host, work, clone }
}

async function countOf(host: GitHost, folder: string): Promise<number> {
  return Number(await host.client.git(['rev-list', '--count', 'HEAD'], folder))
}

suite('git clone and fetch', () => {
  test('work with the protocols 0, 1 and 2', async (t) => {
    const { host, clone } = await startFetching(t)

    for (const version of ['0', '1', '2']) {
      const folder = await clone('-c', `protocol.version=${version}`)
      assert.equal(await countOf(host, folder), 4)
    }
  })

  test('work without .git in the address', async (t) => {
    const { host } = await startFetching(t)

    await host.client.git(['clone', '--quiet', host.url('ann/one'), 'plain'])
    await host.client.git(['clone', '--quiet', host.url('Ann/ONE.git'), 'cased'])

    assert.equal(await countOf(host, join(host.client.home, 'plain')), 4)
    assert.equal(await countOf(host, join(host.client.home, 'cased')), 4)
  })

  test('give an empty repository', async (t) => {
    const { host } = await startFetching(t)
    const bob = await host.app.addCaller('bob')
    await host.app.post(bob, '/user/repos', { name: 'nothing' })

    const { code, notes } = await host.client.run(['clone', host.url('bob/nothing'), 'nothing'])

    assert.equal(code, 0, notes)
    assert.match(notes, /empty repository/)
  })

  test('list refs', async (t) => {
    const { host, work } = await startFetching(t)
    const main = await host.client.git(['rev-parse', 'main'], work)

    const text = await host.client.git(['ls-remote', '--symref', host.url('ann/one')])

    assert.match(text, /^ref: refs\/heads\/main\tHEAD$/m)
    assert.match(text, new RegExp(`^${main}\trefs/heads/main$`, 'm'))
    assert.match(text, /refs\/heads\/topic$/m)
    assert.match(text, /refs\/tags\/v1$/m)
  })

  test('can be shallow, and deepened and completed later', async (t) => {
    const { host, clone } = await startFetching(t)

    const folder = await clone('--depth', '1')
    assert.equal(await countOf(host, folder), 1)
    await host.client.git(['fetch', '--quiet', '--deepen', '1'], folder)
    assert.equal(await countOf(host, folder), 2)
    await host.client.git(['fetch', '--quiet', '--unshallow'], folder)

    assert.equal(await countOf(host, folder), 4)
  })

  test('can be shallow by time and by an excluded ref', async (t) => {
    const { host, clone } = await startFetching(t)

    const recent = await clone('--shallow-since', '1 day ago')
    const afterTag = await clone('--shallow-exclude', 'v1')

    assert.equal(await countOf(host, recent), 4)
    assert.equal(await countOf(host, afterTag), 1)
  })

  test('can be partial, and get the rest when it is needed', async (t) => {
    const { host, clone } = await startFetching(t)

    for (const filter of ['blob:none', 'tree:0', 'blob:limit=1']) {
      const folder = await clone('--no-checkout', `--filter=${filter}`)
      const missing = await host.client.git(
        ['rev-list', '--objects', '--all', '--missing=print'],
        folder,
      )
      assert.match(missing, /^\?[0-9a-f]{40}$/m)
      await host.client.git(['checkout', '--quiet', 'HEAD'], folder)
      assert.equal(existsSync(join(folder, 'file.txt')), true)
    }
  })

  test('can be of one branch, and of a single commit', async (t) => {
    const { host, work, clone } = await startFetching(t)
    const second = await host.client.git(['rev-parse', 'main~2'], work)

    const folder = await clone('--single-branch', '--branch', 'topic')

    const refs = await host.client.git(['branch', '-r'], folder)
    assert.equal(refs, 'origin/topic')
    const target = await host.client.makeRepository('target')
    await host.client.git(['fetch', '--quiet', host.url('ann/one'), second], target)
    assert.equal(await host.client.git(['rev-parse', 'FETCH_HEAD'], target), second)
  })

  test('negotiate with compressed requests', async (t) => {
    const { host, work, clone } = await startFetching(t)
    const folder = await clone()
    // Newer than what both have: git names the newest first.
    host.client.now = Math.floor(Date.now() / 1000) + 3600
    for (let index = 0; index < 60; index++) await host.client.commit(folder, `local ${index}`)
    await host.client.git(['checkout', '--quiet', 'main'], work)
    const id = await host.client.commit(work, 'fifth')
    await host.client.git(['push', '--quiet', host.urlFor('ann', 'ann/one'), 'main'], work)
    let compressed = 0
    host.app.server.server.on('request', ({ headers }) => {
      if (headers['content-encoding'] === 'gzip') compressed++
    })

    for (const version of ['0', '2'])
      await host.client.git(
        ['-c', `protocol.version=${version}`, 'fetch', '--quiet', 'origin', 'main'],
        folder,
      )

    assert.equal(await host.client.git(['rev-parse', 'FETCH_HEAD'], folder), id)
    assert.ok(compressed > 0, 'git compresses what is longer than a kilobyte')
  })
})
