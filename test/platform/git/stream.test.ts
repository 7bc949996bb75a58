// One database is enough: none is used.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { streamOf } from '../../../src/platform/git/stream.ts'

const CHUNK = Buffer.alloc(65_536)

suite('the stream of an answer', () => {
  test('ends with what it comes from when nobody takes more of it', async () => {
    let isOver = false
    async function* endless() {
      try {
        for (;;) yield CHUNK
      } finally {
        isOver = true
      }
    }
    const stream = streamOf(endless(), 20)

    await once(stream, 'readable')
    const [error] = (await once(stream, 'error')) as [Error]

    assert.match(error.message, /too slowly/)
    await delay(0)
    assert.equal(isOver, true)
  })

  test('waits for what it comes from as long as that takes', async () => {
    async function* slow() {
      for (let count = 0; count < 3; count++) {
        await delay(50)
        yield CHUNK
      }
    }

    const chunks = await streamOf(slow(), 20).toArray()

    assert.equal(Buffer.concat(chunks as Buffer[]).length, 3 * CHUNK.length)
  })
})
