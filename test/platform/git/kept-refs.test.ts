// One database is enough: refs are files.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadRefNames } from '../../../src/code/commits/ref-names.ts'
import { anonymous } from '../../../src/platform/context.ts'
import { readQuestion } from '../../../src/platform/git/question.ts'
import { loadVisible } from '../../../src/repositories/repository/load.ts'
import { startRefs } from './refs-support.ts'

suite('the refs of a repository', () => {
  test('are asked of git once, until one of them changes', async (t) => {
    const { list, lockGit } = await startRefs(t)
    const first = await list()
    lockGit()

    assert.equal(await list(), first)
  })

  test('are asked again when they have changed a moment ago', async (t) => {
    const { host, work, push, list } = await startRefs(t)

    for (const message of ['one', 'two', 'three']) {
      const tip = await host.client.commit(work, message)
      await push('main')
      assert.match(await list(), new RegExp(`^${tip}\trefs/heads/main$`, 'm'))
    }
  })

  test('are asked again after any change, however long ago', async (t) => {
    const { host, ann, work, folder, push, list, passTime } = await startRefs(t)
    const { client, app } = host
    await client.git(['branch', 'topic'], work)
    await client.git(['branch', 'deep/er/topic'], work)
    await client.git(['tag', '-a', '-m', 'first', 'v1'], work)
    const changes: Record<string, () => Promise<unknown>> = {
      'a new branch': () => push('topic'),
      'one in folders of its own': () => push('deep/er/topic'),
      'a tag': () => push('v1'),
      'another commit': async () => {
        await client.commit(work, 'more')
        await push('main')
      },
      'another one in a folder': () => push('--force', 'main:deep/er/topic'),
      'the default branch': () => app.patch(ann, '/repos/ann/one', { default_branch: 'topic' }),
      'a branch that is deleted': () => push('--delete', 'deep/er/topic'),
      'a branch made by the API': () =>
        app.post(ann, '/repos/ann/one/branches', { new_branch_name: 'made' }),
      'a branch after all were packed': async () => {
        await client.git(['--git-dir', folder, 'pack-refs', '--all'])
        passTime()
        await push('--delete', 'made')
      },
    }

    let before = await list()
    for (const [change, make] of Object.entries(changes)) {
      await make()
      passTime()
      const now = await list()
      assert.notEqual(now, before, `${change} is not seen`)
      assert.equal(await list(), now)
      before = now
    }
  })

  test('are chosen from on pages without asking git, until one of them changes', async (t) => {
    const { host, ann, push, work, passTime, lockGit } = await startRefs(t)
    const { app, client } = host
    const { repo } = await loadVisible(app.ctx, anonymous, { owner: 'ann', repo: 'one' })
    const names = async () => {
      const { branches, tags } = await loadRefNames(app.ctx, repo, 2)
      return [branches.names, branches.total, tags.names]
    }
    assert.deepEqual(await names(), [['main'], 1, []])

    for (const name of ['b', 'a']) {
      await app.post(ann, '/repos/ann/one/branches', { new_branch_name: name })
    }
    await client.git(['tag', 'v1'], work)
    await push('v1')
    assert.deepEqual(await names(), [['a', 'b'], 3, ['v1']])
    passTime()
    const now = await names()
    lockGit()

    assert.deepEqual(now, [['a', 'b'], 3, ['v1']])
    assert.deepEqual(await names(), now)
  })

  test('are given to each client as it asks for them', async (t) => {
    const { host, list } = await startRefs(t)
    const all = await list()

    const [heads, tags] = await Promise.all([
      host.client.git(['ls-remote', '--heads', host.url('ann/one')]),
      host.client.git(['ls-remote', '--tags', host.url('ann/one')]),
    ])

    assert.match(heads, /^\S+\trefs\/heads\/main$/)
    assert.equal(tags, '')
    assert.equal(await list(), all)
  })
})

suite('a question for the refs', () => {
  async function read(...chunks: readonly string[]) {
    const source = async function* () {
      for (const chunk of chunks) yield Buffer.from(chunk)
    }
    const { refs, body } = await readQuestion(source())
    const whole: Uint8Array[] = []
    for await (const chunk of body) whole.push(chunk)
    assert.equal(Buffer.concat(whole).toString(), chunks.join(''))
    return refs?.text
  }

  test('is known whoever asks it, and in however many pieces', async () => {
    const asked = await read('0014command=ls-refs\n', '0010agent=git/2.00010009peel\n0000')

    assert.equal(asked, 'command=ls-refs\npeel')
    assert.equal(await read('0014command=ls-refs\n0010agent=git/3.00010009peel\n0000'), asked)
  })

  test('is nothing else', async () => {
    for (const request of [
      '',
      '0000',
      '0012command=fetch\n0000',
      '0014command=ls-refs\n',
      '0014command=ls-refs\n00000000',
      '0014command=ls-refs\n0003',
      '0014command=ls-refs\nffff',
      'zzzzcommand=ls-refs\n0000',
      `0014command=ls-refs\n${'0009peel\n'.repeat(1000)}0000`,
    ]) {
      assert.equal(await read(request), undefined, request)
    }
  })
})
