// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { pktLine, readPushHead } from '../../../src/platform/git/pkt-line.ts'

const zero = '0'.repeat(40)
const one = '1'.repeat(40)
const two = '2'.repeat(64)

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}

suite('the head of a push', () => {
  test('is read however it is cut, and the body is still whole', async () => {
    const lines = [
      pktLine(`shallow ${one}`),
      pktLine(`${zero} ${one} refs/heads/ä\0 report-status object-format=sha1`),
      pktLine(`${one} ${zero} refs/tags/v1\n`),
      pktLine(`${two} ${two} refs/heads/long`),
    ]
    const body = Buffer.from(`${lines.join('')}0000PACK and more`)

    for (const size of [1, 3, 50, body.length]) {
      const head = await readPushHead(inPieces(body, size))
      assert.deepEqual(head.updates, [
        { ref: 'refs/heads/ä', before: undefined, after: one },
        { ref: 'refs/tags/v1', before: one, after: undefined },
        { ref: 'refs/heads/long', before: two, after: two },
      ])
      assert.deepEqual(await joined(head.body), body)
    }
  })

  test('lets go of what it came from when nobody reads on', async () => {
    for (const pieces of [0, 1, 2]) {
      let isOver = false
      const sent = async function* () {
        try {
          for (let count = 0; count < 9; count++) yield Buffer.from(count === 0 ? '0000' : 'PACK')
        } finally {
          isOver = true
        }
      }
      const { body } = await readPushHead(sent())
      for (let count = 0; count <= pieces; count++) await body[Symbol.asyncIterator]().next()

      await body[Symbol.asyncIterator]().return?.()

      assert.equal(isOver, true)
    }
  })

  test('may name nothing', async () => {
    const { updates, body } = await readPushHead(inPieces(Buffer.from('0000'), 4))

    assert.deepEqual(updates, [])
    assert.equal((await joined(body)).toString(), '0000')
  })
})
