import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AskedThread } from '../../../src/platform/concurrency/asked-thread.ts'

const program = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (question) => {
    if (question === 'work on') for (;;);
    if (question === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
    parentPort.postMessage({ question })
  })
  parentPort.postMessage('ready')
`

test('what a thread works on too long ends, and what waits for the machine does not', async () => {
  const thread = new AskedThread<string, { readonly question: string }>(
    new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    { timeLimitMs: 400, maxWaiting: 10 },
  )

  assert.deepEqual(await thread.ask('wait'), { question: 'wait' })
  assert.equal(await thread.ask('work on'), 'failed')
  assert.deepEqual(await thread.ask('another'), { question: 'another' })
})
