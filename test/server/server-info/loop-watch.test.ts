// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Context } from '../../../src/platform/context.ts'
import { watchLoop } from '../../../src/server/server-info/loop-watch.ts'

suite('the event loop', () => {
  test('is reported when something holds it up', async (t) => {
    const told = Promise.withResolvers<{ ms: number }>()
    const log = { warn: told.resolve } as unknown as Context['log']
    t.after(watchLoop(log, { everyMs: 100, limitMs: 200 }))
    // The watch itself keeps no process alive.
    const alive = setInterval(() => undefined, 1000)
    t.after(() => clearInterval(alive))
    await new Promise((resolve) => setTimeout(resolve, 150))

    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)

    assert.ok((await told.promise).ms > 200)
  })
})
