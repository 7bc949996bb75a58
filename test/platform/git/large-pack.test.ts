// One database is enough: none is asked.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { suite, test, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ObjectFormat } from '../../../src/platform/db/columns.ts'
import { LARGE_PACK_BYTES, measurePack } from '../../../src/platform/git/large-pack.ts'

/** A pack of git's own with one blob in it. */
function packOf(t: TestContext, content: Buffer, format: ObjectFormat = 'sha1'): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-pack-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync('git', ['init', '--quiet', '--bare', `--object-format=${format}`, folder])
  const git = (words: readonly string[], input: Buffer | string) =>
    execFileSync('git', ['--git-dir', folder, ...words], {
      input,
      stdio: 'pipe',
      maxBuffer: 2 ** 24,
    })
  const id = git(['hash-object', '-w', '--stdin'], content)
  return git(['pack-objects', '--stdout', '--quiet'], id.toString())
}

const head = Buffer.from('0012some command\n0000')

/** A connection that stays open behind what is sent. */
async function* open(bytes: Buffer, chunk = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  await new Promise(() => undefined)
}

async function firstBytes(body: AsyncIterable<Uint8Array>, length: number): Promise<Buffer> {
  let read = Buffer.alloc(0)
  for await (const chunk of body) {
    read = Buffer.concat([read, chunk])
    if (read.length >= length) break
  }
  return read
}

const never = 2 ** 30

suite('the pack of a push on a connection that stays open', () => {
  for (const format of ['sha1', 'sha256'] as const) {
    test(`ends where its hash says so, ${format}, however it is cut`, async (t) => {
      const push = Buffer.concat([head, packOf(t, randomBytes(300), format)])
      for (const chunk of [1, 2, 7, 19, 21, 100, push.length]) {
        const { isLarge, body } = await measurePack(open(push, chunk), format, never)

        assert.equal(isLarge, false)
        assert.deepEqual(await firstBytes(body, push.length), push)
      }
    })
  }

  test('is large when more has come than that, and is still whole', async (t) => {
    const push = Buffer.concat([head, packOf(t, randomBytes(LARGE_PACK_BYTES + 1))])

    const { isLarge, body } = await measurePack(open(push, 65_536), 'sha1', never)

    assert.equal(isLarge, true)
    assert.deepEqual(await firstBytes(body, push.length), push)
  })

  test('is waited for no longer when it is broken, or ends early', async (t) => {
    const pack = packOf(t, Buffer.from('x'))
    const broken = Buffer.concat([head, pack.subarray(0, -1), Buffer.from([0])])
    const { isLarge, body } = await measurePack(open(broken), 'sha1', 1)
    assert.equal(isLarge, false)
    assert.deepEqual(await firstBytes(body, broken.length), broken)

    const ended = await measurePack(Readable.from([head]), 'sha1', never)
    assert.equal(ended.isLarge, false)
    assert.deepEqual(await firstBytes(ended.body, never), head)
  })

  test('comes on when it had only stopped for a while', async (t) => {
    const push = Buffer.concat([head, packOf(t, Buffer.from('x'))])
    const goOn = Promise.withResolvers<void>()
    async function* stopping(): AsyncGenerator<Uint8Array> {
      yield push.subarray(0, 30)
      await goOn.promise
      yield push.subarray(30)
    }

    const { body } = await measurePack(stopping(), 'sha1', 1)
    goOn.resolve()

    assert.deepEqual(await firstBytes(body, push.length), push)
  })

  test('may break off while nobody reads it', async () => {
    const breakOff = Promise.withResolvers<void>()
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield head
      await breakOff.promise
    }

    const { body } = await measurePack(breaking(), 'sha1', 1)
    breakOff.reject(new Error('gone'))
    await nextTurn()

    await assert.rejects(firstBytes(body, never), /gone/)
  })
})
