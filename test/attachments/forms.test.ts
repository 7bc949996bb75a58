// One database is enough: forms do not pass through it.
import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { takeFile, type FormFile } from '../../src/http/multipart.ts'
import { FORM, formBody } from './form.ts'

const whole = formBody([
  { name: 'f', content: 'v' },
  { name: 'attachment', filename: 'a.txt', content: 'hello '.repeat(300) },
  { name: 'attachment', filename: 'b.txt', content: 'world' },
])
const pieces = [
  '\r\n',
  '--',
  'the-boundary',
  '"',
  '\0',
  '--the-boundary--',
  '\r\n--the-boundary\r\n',
]

const place = fc.nat({ max: whole.length - 1 })
const change = fc.oneof(
  fc.record({ kind: fc.constant('cut' as const), at: place }),
  fc.record({ kind: fc.constant('byte' as const), at: place, byte: fc.nat({ max: 255 }) }),
  fc.record({ kind: fc.constant('insert' as const), at: place, text: fc.constantFrom(...pieces) }),
  fc.record({ kind: fc.constant('skip' as const), at: place, to: place }),
)
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(body: Buffer, step: Change): Buffer {
  const head = body.subarray(0, step.at)
  switch (step.kind) {
    case 'cut':
      return head
    case 'byte':
      return Buffer.concat([head, Buffer.from([step.byte]), body.subarray(step.at + 1)])
    case 'insert':
      return Buffer.concat([head, Buffer.from(step.text), body.subarray(step.at)])
    case 'skip':
      return Buffer.concat([head, body.subarray(step.to)])
  }
}

function requestOf(body: Buffer, chunkSize: number, isCut: boolean): IncomingMessage {
  async function* chunks() {
    for (let at = 0; at < body.length; at += chunkSize) yield body.subarray(at, at + chunkSize)
    if (isCut) throw new Error('aborted')
  }
  return Object.assign(Readable.from(chunks()), { headers: FORM }) as unknown as IncomingMessage
}

async function sizeOf({ content }: FormFile): Promise<number> {
  let size = 0
  for await (const chunk of content) size += chunk.length
  return size
}

suite('a form', () => {
  test('of any bytes is read to an end or refused, and never left hanging', async () => {
    const cases = fc.sample(
      fc.record({
        changes: fc.array(change, { minLength: 1, maxLength: 4 }),
        chunkSize: fc.integer({ min: 1, max: 700 }),
        isCut: fc.boolean(),
        isRefused: fc.boolean(),
      }),
      400,
    )

    const outcomes = await Promise.all(
      cases.map(async ({ changes, chunkSize, isCut, isRefused }) => {
        const body = changes.reduce(changed, whole)
        const take = async (file: FormFile) => {
          if (isRefused) throw new Error('refused')
          return sizeOf(file)
        }
        const request = requestOf(body, chunkSize, isCut)
        const wanted = { field: 'attachment', maxBytes: 100_000 }
        return takeFile(request, wanted, take, async () => undefined).then(
          (size) => (size === undefined ? 'nothing' : 'taken'),
          (error: Error) => error.message,
        )
      }),
    )

    const allowed = [
      'taken',
      'nothing',
      'refused',
      'aborted',
      'failed to parse request multipart form',
    ]
    assert.deepEqual(
      [...new Set(outcomes)].filter((outcome) => !allowed.includes(outcome)),
      [],
    )
  })

  test('that is whole gives its first file of that name', async () => {
    for (const chunkSize of [1, 7, 4000]) {
      const size = await takeFile(
        requestOf(whole, chunkSize, false),
        { field: 'attachment', maxBytes: 100_000 },
        sizeOf,
        async () => undefined,
      )
      assert.equal(size, 1800)
    }
  })
})
