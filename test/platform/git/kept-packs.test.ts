// One database is enough: packs are files.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { startRefs, type Refs } from './refs-support.ts'

/** Clones to a new folder; gives what is there then. */
async function clone({ host }: Refs, name: string, ...options: string[]): Promise<string> {
  const { client } = host
  await client.git(['clone', '--quiet', ...options, host.url('ann/one'), name])
  return client.git(['log', '--format=%H'], join(client.home, name))
}

/** Asks for one object, as a client that has none. */
async function askFor({ host }: Refs, id: string): Promise<string> {
  const asked = [pktLine('command=fetch\n'), '0001', pktLine(`want ${id}\n`), pktLine('done\n')]
  const answer = await fetch(host.url('ann/one/git-upload-pack'), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-upload-pack-request',
      'git-protocol': 'version=2',
    },
    body: `${asked.join('')}0000`,
  })
  return Buffer.from(await answer.arrayBuffer()).toString('latin1')
}

suite('what is cloned', () => {
  test('is packed by git once, until a ref changes', async (t) => {
    const refs = await startRefs(t)
    const { host, work, push, passTime, lockGit } = refs
    const first = await clone(refs, 'a')
    const tip = await host.client.commit(work, 'more')
    await push('main')
    passTime()
    const second = await clone(refs, 'b')
    lockGit()

    const third = await clone(refs, 'c')

    assert.equal(second, `${tip}\n${first}`)
    assert.equal(third, second)
    await host.client.git(['fsck', '--strict'], join(host.client.home, 'c'))
  })

  test('is what each client asks for', async (t) => {
    const refs = await startRefs(t)
    const { host, work, push, passTime } = refs
    const tip = await host.client.commit(work, 'more')
    await push('main')
    passTime()

    const all = await clone(refs, 'all')
    const last = await clone(refs, 'last', '--depth=1')

    assert.equal(last, tip)
    assert.equal(await clone(refs, 'again', '--depth=1'), tip)
    assert.equal(await clone(refs, 'all-again'), all)
  })

  test('is not kept where it is large', async (t) => {
    const refs = await startRefs(t)
    const { host, work, push, passTime, lockGit } = refs
    writeFileSync(join(work, 'noise'), randomBytes(1_200_000))
    await host.client.commit(work, 'much')
    await push('main')
    passTime()
    await clone(refs, 'a')
    lockGit()

    await assert.rejects(clone(refs, 'b'))
  })

  test('is not kept where git could not give it', async (t) => {
    const refs = await startRefs(t)
    const { client } = refs.host
    const file = join(refs.work, 'file.txt')
    writeFileSync(file, 'later')
    const id = await client.git(['hash-object', file], refs.work)

    const before = await askFor(refs, id)
    await client.git(['--git-dir', refs.folder, 'hash-object', '-w', file])

    assert.match(before, /^....ERR /)
    assert.match(await askFor(refs, id), /PACK/)
  })
})
