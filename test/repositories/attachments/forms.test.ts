// One database is enough: forms do not pass through it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { boundaryOf } from '../../../src/platform/http/form-parts.ts'
import { takeFile, type FormFile } from '../../../src/platform/http/multipart.ts'
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
  const stream = Readable.from(chunks())
  // A request of Node keeps an error to itself to which nobody listens any more.
  stream.on('error', () => undefined)
  return Object.assign(stream, { headers: FORM }) as unknown as IncomingMessage
}

async function sizeOf({ content }: FormFile): Promise<number> {
  let size = 0
  for await (const chunk of content) size += chunk.length
  return size
}

const wanted = { field: 'attachment', maxBytes: 100_000 }

function described(parameters: string): string {
  return `Content-Disposition: form-data; name="attachment"; ${parameters}\r\n\r\n`
}

function withFile(content: string): string {
  return `--the-boundary\r\n${described('filename="a.txt"')}${content}\r\n`
}

/** The name and the content of what is taken of a form that comes in pieces of this size. */
async function taken(body: string, size: number): Promise<string> {
  const take = async ({ name, content }: FormFile) =>
    `${name} ${Buffer.concat(await Array.fromAsync(content)).toString()}`
  try {
    const request = requestOf(Buffer.from(body), size, false)
    return (await takeFile(request, wanted, take, async () => undefined)) ?? 'nothing'
  } catch (error) {
    return (error as Error).message.startsWith('failed to parse') ? 'malformed' : String(error)
  }
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

  test('is told apart from what looks like it, however it is cut', async () => {
    const cases: [body: string, outcome: string][] = [
      // Before the first delimiter and behind the last there may be anything.
      [`before\r\n${withFile('x')}--the-boundary--behind\r\n--the-boundary`, 'a.txt x'],
      // Only a whole line is a delimiter.
      [
        `${withFile('\r\n--the-boundaryx\r\n--the-')}--the-boundary--`,
        'a.txt \r\n--the-boundaryx\r\n--the-',
      ],
      [`${withFile('--the-boundary')}--the-boundary--`, 'a.txt --the-boundary'],
      [`--the-boundary \t\r\n${described('filename="a.txt"')}x\r\n--the-boundary--`, 'a.txt x'],
      [`${withFile('')}--the-boundary--`, 'a.txt '],
      // A part that says nothing of itself, or something else, is passed over.
      [`--the-boundary\r\n\r\nx\r\n${withFile('y')}--the-boundary--`, 'a.txt y'],
      [
        `--the-boundary\r\nContent-Disposition: attachment; name="attachment"; filename="z"\r\n\r\nx\r\n${withFile('y')}--the-boundary--`,
        'a.txt y',
      ],
      ['--the-boundary--', 'nothing'],
      // What does not end is no form.
      ['', 'malformed'],
      [withFile('x'), 'malformed'],
      [`${withFile('x')}--the-boundary`, 'malformed'],
      [`${withFile('x')}--the-boundary-`, 'malformed'],
      [`--the-boundary\r\n${described('filename="a.txt"').slice(0, -2)}`, 'malformed'],
      [`--the-boundary\r\nno header\r\n\r\nx\r\n--the-boundary--`, 'malformed'],
      [`--the-boundary-x\r\n\r\nx\r\n--the-boundary--`, 'malformed'],
    ]
    for (const [body, outcome] of cases) {
      for (const size of [1, 2, 3, 50, 4000]) assert.equal(await taken(body, size), outcome, body)
    }
  })

  test('has names as the clients write them', async () => {
    const cases: [parameters: string, filename: string][] = [
      ['filename=a.txt', 'a.txt'],
      ['filename="a \\"b\\".txt"', 'a "b".txt'],
      ['filename="C:\\x\\y.txt"', 'C:\\x\\y.txt'],
      ['filename="a;b.txt" ; size=3', 'a;b.txt'],
      ['FileName="naïve.txt"', 'naïve.txt'],
      ['filename="x"; filename*=UTF-8\'\'na%C3%AFve.txt', 'naïve.txt'],
      ['filename="x"; filename*=koi8-r\'\'%C1', 'x'],
      ['filename="x"; filename*=UTF-8\'\'%zz', 'x'],
      ['filename="a\r\n b.txt"', 'a b.txt'],
    ]
    for (const [parameters, filename] of cases) {
      const body = `--the-boundary\r\n${described(parameters)}y\r\n--the-boundary--`
      assert.equal(await taken(body, 4000), `${filename} y`)
    }
    for (const parameters of ['x=y', 'filename=""', 'filename="a.txt']) {
      const body = `--the-boundary\r\n${described(parameters)}y\r\n--the-boundary--`
      assert.equal(await taken(body, 4000), 'nothing', parameters)
    }
  })

  test('has few parts, with short heads and short texts beside the file', async () => {
    const text = (content: string) => formBody([{ name: 'x', content }]).toString()
    const texts = (count: number) =>
      formBody(Array.from({ length: count }, () => ({ name: 'x' }))).toString()
    const head = (length: number) =>
      `--the-boundary\r\nX: ${'x'.repeat(length)}\r\n\r\n\r\n--the-boundary--`

    for (const [body, outcome] of [
      [texts(10), 'nothing'],
      [texts(11), 'malformed'],
      [text('x'.repeat(4096)), 'nothing'],
      [text('x'.repeat(4097)), 'malformed'],
      [head(8000), 'nothing'],
      [head(8200), 'malformed'],
    ] as const) {
      for (const size of [1000, 100_000]) assert.equal(await taken(body, size), outcome)
    }
  })

  test('has a boundary of seventy bytes at most', () => {
    const typeOf = (length: number) => `multipart/form-data; boundary=${'b'.repeat(length)}`

    assert.equal(boundaryOf(typeOf(70)).length, 70)
    for (const type of [typeOf(71), typeOf(10_000), typeOf(0), 'multipart/form-data']) {
      assert.throws(() => boundaryOf(type), /failed to parse request multipart form/)
    }
  })

  test('that breaks behind its file gives the file back', async () => {
    const undone: number[] = []
    const request = requestOf(Buffer.from(`${withFile('hello')}--the-boundary\r\n`), 4000, false)
    const undo = async (size: number) => void undone.push(size)

    await assert.rejects(takeFile(request, wanted, sizeOf, undo), /failed to parse/)

    assert.deepEqual(undone, [5])
  })

  test('that is refused leaves the rest of it to others', async () => {
    const request = requestOf(whole, 100, false)
    const refuse = async () => {
      throw new Error('refused')
    }

    await assert.rejects(
      takeFile(request, wanted, refuse, async () => undefined),
      /refused/,
    )

    assert.equal(request.listenerCount('readable'), 0)
    let left = 0
    request.on('data', (chunk: Buffer) => (left += chunk.length))
    await once(request, 'end')
    assert.ok(left > 1000)
  })

  test('that is whole gives its first file of that name', async () => {
    for (const chunkSize of [1, 7, 4000]) {
      const size = await takeFile(
        requestOf(whole, chunkSize, false),
        wanted,
        sizeOf,
        async () => undefined,
      )
      assert.equal(size, 1800)
    }
  })
})
