import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import type { TestCaller } from '../../support/app.ts'
import { startGitHost, type GitHost } from './support.ts'

interface Pushing {
  readonly host: GitHost
  readonly ann: TestCaller
  /** Ann's working copy, with one commit on main that is pushed. */
  readonly work: string
  readonly push: (...parameters: string[]) => ReturnType<GitHost['client']['run']>
}

async function startPushing(t: TestContext, changes: ConfigChanges = {}): Promise<Pushing> {
  const host = await startGitHost(t, changes)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one' })
  const work = await host.client.makeRepository()
  await host.client.git(['remote', 'add', 'origin', host.urlFor('ann', 'ann/one.git')], work)
  await host.client.git(['push', '--quiet', 'origin', 'main'], work)
  const push = (...parameters: string[]) => host.client.run(['push', ...parameters], work)
  return { host, ann, work, push }
}

/** Name and id of every ref on the server. */
async function refsOf(host: GitHost): Promise<Record<string, string>> {
  const text = await host.client.git(['--git-dir', await host.folderOf('ann/one'), 'show-ref'])
  return Object.fromEntries(text.split('\n').map((line) => line.split(' ').toReversed()))
}

suite('git push', () => {
  test('fills an empty repository, and a clone gives the same back', async (t) => {
    const { host } = await startPushing(t)

    await host.client.git(['clone', '--quiet', host.url('ann/one'), 'copy'])

    assert.equal(readFileSync(join(host.client.home, 'copy', 'file.txt'), 'utf8'), 'first\n')
    await host.assertSound('ann/one')
  })

  test('moves branches forward, by force also elsewhere, and not otherwise', async (t) => {
    const { host, work, push } = await startPushing(t)
    const second = await host.client.commit(work, 'second')

    assert.equal((await push('origin', 'main')).code, 0)
    assert.equal((await refsOf(host))['refs/heads/main'], second)
    await host.client.git(['reset', '--quiet', '--hard', 'HEAD~1'], work)
    const other = await host.client.commit(work, 'another second')
    const refused = await push('origin', 'main')

    assert.equal(refused.code, 1)
    assert.match(refused.notes, /rejected/)
    assert.equal((await push('--force', 'origin', 'main')).code, 0)
    assert.equal((await refsOf(host))['refs/heads/main'], other)
  })

  test('takes tags, notes and many refs at once, and deletes them', async (t) => {
    const { host, work, push } = await startPushing(t)
    await host.client.git(['tag', 'light'], work)
    await host.client.git(['tag', '-m', 'heavy', 'heavy'], work)
    await host.client.git(['notes', 'add', '-m', 'a note'], work)

    const pushed = await push('origin', 'main:a', 'main:b/c', 'light', 'heavy', 'refs/notes/*')

    assert.equal(pushed.code, 0, pushed.notes)
    const all = ['heads/a', 'heads/b/c', 'heads/main', 'notes/commits', 'tags/heavy', 'tags/light']
    const names = (refs: Record<string, string>) => Object.keys(refs).toSorted()
    assert.deepEqual(
      names(await refsOf(host)),
      all.map((name) => `refs/${name}`),
    )
    const deleted = await push('origin', ':a', ':b/c', ':light', ':heavy', ':refs/notes/commits')
    assert.equal(deleted.code, 0, deleted.notes)
    assert.deepEqual(names(await refsOf(host)), ['refs/heads/main'])
  })

  test('works with bodies in chunks, whatever protocol the client prefers', async (t) => {
    const { host, work } = await startPushing(t)

    for (const version of ['0', '1', '2']) {
      const id = await host.client.commit(work, `with version ${version}`)
      const settings = ['-c', 'http.postBuffer=1', '-c', `protocol.version=${version}`]
      await host.client.git([...settings, 'push', 'origin', 'main'], work)
      assert.equal((await refsOf(host))['refs/heads/main'], id)
    }
  })

  test('works after Expect: 100-continue', async (t) => {
    const { host, work } = await startPushing(t)
    const id = await host.client.commit(work, 'second')

    const settings = ['-c', 'http.postBuffer=1', '-c', 'http.extraHeader=Expect: 100-continue']
    await host.client.git([...settings, 'push', 'origin', 'main'], work)

    assert.equal((await refsOf(host))['refs/heads/main'], id)
  })

  test('all or nothing with --atomic', async (t) => {
    const { host, push } = await startPushing(t)

    const { code } = await push('--atomic', 'origin', 'main:good', 'main:refs/replace/x')

    assert.equal(code, 1)
    assert.deepEqual(Object.keys(await refsOf(host)), ['refs/heads/main'])
  })

  test('takes push options, and changes nothing by them', async (t) => {
    const { host, ann, push } = await startPushing(t)

    const options = ['-o', 'repo.private=true', '-o', 'repo.template=true']
    const { code, notes } = await push(...options, 'origin', 'main:other')

    assert.equal(code, 0, notes)
    const { body } = await host.app.get(ann, '/repos/ann/one')
    assert.equal(body.private, false)
    assert.equal(body.template, false)
    assert.equal(body.branch_count, 2)
  })

  test('works in a repository of sha256', async (t) => {
    const host = await startGitHost(t)
    const ann = await host.app.addCaller('ann')
    await host.app.post(ann, '/user/repos', { name: 'one', object_format_name: 'sha256' })
    const work = await host.client.makeRepository('work', 'sha256')

    await host.client.git(['push', host.urlFor('ann', 'ann/one'), 'main'], work)
    await host.client.git(['clone', '--quiet', host.url('ann/one'), 'copy'])

    const id = await host.client.git(['rev-parse', 'HEAD'], join(host.client.home, 'copy'))
    assert.match(id, /^[0-9a-f]{64}$/)
    const { body } = await host.app.get(ann, '/repos/ann/one')
    assert.equal(body.empty, false)
  })

  test('from a shallow clone works', async (t) => {
    const { host, work } = await startPushing(t)
    await host.client.commit(work, 'second')
    await host.client.git(['push', '--quiet', 'origin', 'main'], work)
    const copy = join(host.client.home, 'copy')
    const depth = ['--quiet', '--depth', '1']
    await host.client.git(['clone', ...depth, host.urlFor('ann', 'ann/one'), copy])

    const id = await host.client.commit(copy, 'third')
    await host.client.git(['push', 'origin', 'main'], copy)

    assert.equal((await refsOf(host))['refs/heads/main'], id)
    await host.assertSound('ann/one')
  })

  test('with nothing new asks and changes nothing', async (t) => {
    const { host, push } = await startPushing(t)
    const before = await refsOf(host)

    const { code, notes } = await push('origin', 'main')

    assert.equal(code, 0)
    assert.match(notes, /up-to-date/)
    assert.deepEqual(await refsOf(host), before)
  })
})

suite('refs that may not be pushed', () => {
  const reserved = [
    'refs/replace/x',
    'refs/pull/1/head',
    'refs/for/main',
    'refs/other/x',
    'refs/heads/HEAD',
  ]

  test('are refused one by one with a reason, while the others move', async (t) => {
    const { host, push } = await startPushing(t)

    for (const [index, ref] of reserved.entries()) {
      const refspecs = [`main:refs/heads/good${index}`, `main:${ref}`]
      const ordered = index % 2 === 0 ? refspecs : refspecs.toReversed()
      const { code, notes } = await push('origin', ...ordered)
      assert.equal(code, 1)
      assert.match(notes, new RegExp(`remote: ${ref}: `))
      assert.match(notes, /! \[remote rejected\]/)
      assert.match(notes, new RegExp(`\\[new branch\\] +main -> good${index}`))
    }

    const names = Object.keys(await refsOf(host)).toSorted()
    const good = reserved.map((_, index) => `refs/heads/good${index}`)
    assert.deepEqual(names, [...good, 'refs/heads/main'])
  })

  test('are also those of the server itself, and HEAD', async (t) => {
    const { host, push } = await startPushing(t)

    for (const ref of ['refs/codestead/x', 'HEAD']) {
      const { code, notes } = await push('origin', `main:${ref}`, 'main:good')
      assert.equal(code, 1, notes)
    }

    assert.deepEqual(Object.keys(await refsOf(host)), ['refs/heads/good', 'refs/heads/main'])
  })

  test('are those with a component that looks like an option', async (t) => {
    const { host, push } = await startPushing(t)

    const names = ['refs/heads/-x', 'refs/heads/a/-b', 'refs/tags/-d']
    for (const name of names) {
      const { code, notes } = await push('origin', `main:${name}`)
      assert.equal(code, 1)
      assert.match(notes, /the name is not allowed/)
    }

    assert.deepEqual(Object.keys(await refsOf(host)), ['refs/heads/main'])
  })

  test('do not shadow an id: a branch may be named like one', async (t) => {
    const { host, work, push } = await startPushing(t)
    const id = await host.client.git(['rev-parse', 'main'], work)

    const { code, notes } = await push('origin', `main:refs/heads/${id}`)

    assert.equal(code, 0, notes)
  })

  test('are those for which the repository has no room', async (t) => {
    const { host, ann, work, push } = await startPushing(t, { repositories: { max_refs: 100 } })
    const many = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => `main:refs/tags/${name}${index}`)

    const fits = await push('origin', ...many('a', 99))
    const full = await push('origin', ...many('b', 50))

    assert.equal(fits.code, 0, fits.notes)
    assert.equal(full.code, 1)
    assert.match(full.notes, /a repository has room for 100 refs/)
    assert.equal(Object.keys(await refsOf(host)).length, 100)
    await host.client.commit(work, 'second')
    assert.equal((await push('origin', 'main', ...many('a', 99).slice(0, 1), '--force')).code, 0)
    assert.equal((await push('origin', ':refs/tags/a0', ':refs/tags/a1')).code, 0)
    assert.equal((await host.app.get(ann, '/repos/ann/one')).body.branch_count, 1)
  })

  test('the default branch is not deleted; another is', async (t) => {
    const { host, push } = await startPushing(t)
    await push('origin', 'main:other')

    const { code, notes } = await push('origin', ':main', ':other')

    assert.equal(code, 1)
    assert.match(notes, /remote: refs\/heads\/main: the default branch cannot be deleted/)
    assert.match(notes, /\[deleted\] +other/)
    assert.deepEqual(Object.keys(await refsOf(host)), ['refs/heads/main'])
  })

  test('are those that lead to objects which could do harm', async (t) => {
    const { host, work, push } = await startPushing(t)
    const before = await refsOf(host)
    const write = (kind: string, file: string) =>
      host.client.git(['hash-object', '--literally', '-t', kind, '-w', file], work)
    const store = (kind: string, content: string | Buffer) => {
      writeFileSync(join(host.client.home, 'object'), content)
      return write(kind, join(host.client.home, 'object'))
    }
    const modules = await store('blob', '[submodule "x"]\n\tpath = x\n\turl = -u./x\n')
    const plain = await store('blob', 'x')
    for (const [name, blob] of [
      ['.git', plain],
      ['.GIT', plain],
      ['git~1', plain],
      ['..', plain],
      ['.', plain],
      ['a/b', plain],
      ['.gitmodules', modules],
    ] as const) {
      const entry = [Buffer.from(`100644 ${name}\0`), Buffer.from(blob, 'hex')]
      const tree = await store('tree', Buffer.concat(entry))
      const by = 'Ann <ann@example.org> 1 +0000'
      const commit = await store('commit', `tree ${tree}\nauthor ${by}\ncommitter ${by}\n\nx\n`)
      const { code, notes } = await push('origin', `${commit}:refs/heads/bad`)
      assert.equal(code, 1, `${name}: ${notes}`)
    }

    assert.deepEqual(await refsOf(host), before)
    await host.assertSound('ann/one')
  })

  test('never are the business of hooks in the repository', async (t) => {
    const { host, push } = await startPushing(t)
    const folder = await host.folderOf('ann/one')
    mkdirSync(join(folder, 'hooks'))
    const text = '#!/bin/sh\ntouch "$GIT_DIR/ran"\nexit 1\n'
    for (const hook of ['pre-receive', 'update', 'post-receive', 'reference-transaction'])
      writeFileSync(join(folder, 'hooks', hook), text, { mode: 0o755 })

    assert.equal((await push('origin', 'main:other')).code, 0)

    assert.equal(existsSync(join(folder, 'ran')), false)
  })
})
