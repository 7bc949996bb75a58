// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError } from '../../support/expect.ts'

async function start(t: TestContext): Promise<{ app: TestApp; ann: TestCaller }> {
  const app = await startApp(t)
  return { app, ann: await app.addCaller('ann', {}, ['read:notification']) }
}

function assertHtml(answer: TestAnswer, expected: string | RegExp): void {
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  if (typeof expected === 'string') assert.equal(answer.text, expected)
  else assert.match(answer.text, expected)
}

function assertPlainRefusal(answer: TestAnswer, message: string): void {
  assert.equal(answer.status, 422)
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(answer.text, message)
}

suite('POST /markdown', () => {
  test('is for signed-in callers, whatever the scopes of their token', async (t) => {
    const { app, ann } = await start(t)

    const anonymous = await app.post(undefined, '/markdown', { Text: 'x' })
    const signedIn = await app.post(ann, '/markdown', { Text: 'x' })

    assertError(anonymous, 401, 'token is required')
    assertHtml(signedIn, '<p dir="auto">x</p>\n')
  })

  test('asks for a caller before it reads the body', async (t) => {
    const { app } = await start(t)

    const answer = await app.post(undefined, '/markdown', '{', {
      'content-type': 'application/json',
    })

    assertError(answer, 401, 'token is required')
  })

  test('takes its fields with capital and with small letters', async (t) => {
    const { app, ann } = await start(t)

    const capital = await app.post(ann, '/markdown', { Text: '**a**', Mode: 'gfm', Wiki: false })
    const small = await app.post(ann, '/markdown', { text: '**a**', mode: 'gfm', wiki: false })

    assertHtml(capital, '<p dir="auto"><strong>a</strong></p>\n')
    assertHtml(small, capital.text)
  })

  test('leaves double brackets alone', async (t) => {
    const { app, ann } = await start(t)

    const answer = await app.post(ann, '/markdown', {
      Text: '[[special-syntax]]',
      Mode: 'markdown',
    })

    assertHtml(answer, '<p dir="auto">[[special-syntax]]</p>\n')
  })

  for (const body of [{}, { Text: '' }, { Text: '', Mode: 'gfm' }, { Text: null }]) {
    test(`answers nothing to ${JSON.stringify(body)}`, async (t) => {
      const { app, ann } = await start(t)

      assertHtml(await app.post(ann, '/markdown', body), '')
    })
  }

  for (const Mode of ['', 'markdown', 'gfm', 'wiki']) {
    test(`joins lines in the mode "${Mode}"`, async (t) => {
      const { app, ann } = await start(t)

      const answer = await app.post(ann, '/markdown', { Text: 'a\nb', Mode })

      assertHtml(answer, '<p dir="auto">a\nb</p>\n')
    })
  }

  test('keeps lines apart in a comment', async (t) => {
    const { app, ann } = await start(t)

    const answer = await app.post(ann, '/markdown', { Text: 'a\nb', Mode: 'comment' })

    assertHtml(answer, '<p dir="auto">a<br />\nb</p>\n')
  })

  for (const Mode of ['file', 'GFM', 'html', '__proto__', '<b>']) {
    test(`refuses the mode ${Mode} in plain text`, async (t) => {
      const { app, ann } = await start(t)

      const answer = await app.post(ann, '/markdown', { Text: 'a', Mode })

      assertPlainRefusal(answer, `unsupported render mode: ${Mode}`)
    })
  }

  test('refuses an unknown mode of an empty text too', async (t) => {
    const { app, ann } = await start(t)

    const answer = await app.post(ann, '/markdown', { Mode: 'x' })

    assertPlainRefusal(answer, 'unsupported render mode: x')
  })

  test('takes a page of a wiki for one, whatever its mode', async (t) => {
    const { app, ann } = await start(t)

    const answer = await app.post(ann, '/markdown', { Text: 'a', Mode: 'x', Wiki: true })

    assertHtml(answer, '<p dir="auto">a</p>\n')
  })

  test('refuses values of a wrong type', async (t) => {
    const { app, ann } = await start(t)

    assertError(await app.post(ann, '/markdown', { Text: 1 }), 422)
    assertError(await app.post(ann, '/markdown', { Wiki: 'yes' }), 422)
    assertError(await app.post(ann, '/markdown', 'text', { 'content-type': 'text/plain' }), 422)
    assertError(await app.post(ann, '/markdown'), 422)
  })
})

suite('POST /markdown/raw', () => {
  test('is for signed-in callers', async (t) => {
    const { app } = await start(t)

    assertError(await app.post(undefined, '/markdown/raw', 'x'), 401, 'token is required')
  })

  for (const type of ['text/plain', 'text/x-markdown', 'application/json', '']) {
    test(`takes the body as text when its type is "${type}"`, async (t) => {
      const { app, ann } = await start(t)

      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
      const answer = await app.post(ann, '/markdown/raw', '# Grüße\n', headers)

      assertHtml(answer, '<h1 dir="auto">Grüße</h1>\n')
    })
  }

  test('answers nothing to nothing', async (t) => {
    const { app, ann } = await start(t)

    assertHtml(await app.post(ann, '/markdown/raw', ''), '')
    assertHtml(await app.post(ann, '/markdown/raw'), '')
  })

  test('takes 8 MiB and not a byte more', async (t) => {
    const { app, ann } = await start(t)
    const size = 8 * 1024 * 1024

    const fits = await app.post(ann, '/markdown/raw', Buffer.alloc(size, 'a'))
    const large = await app.post(ann, '/markdown/raw', Buffer.alloc(size + 1, 'a'))

    assertHtml(fits, /^<pre>a+<\/pre>\n$/)
    assertError(large, 413)
  })

  test('stands bytes that are no text', async (t) => {
    const { app, ann } = await start(t)

    const answer = await app.post(ann, '/markdown/raw', Buffer.from([0x61, 0x00, 0xff, 0xfe]))

    assertHtml(answer, '<p dir="auto">a\uFFFD\uFFFD\uFFFD</p>\n')
  })
})

suite('POST /markup', () => {
  test('is for signed-in callers', async (t) => {
    const { app } = await start(t)

    assertError(await app.post(undefined, '/markup', { Text: 'x' }), 401, 'token is required')
  })

  test('has the modes of Markdown', async (t) => {
    const { app, ann } = await start(t)

    const plain = await app.post(ann, '/markup', { Text: '*a*' })
    const comment = await app.post(ann, '/markup', { Text: 'a\nb', Mode: 'comment' })
    const unknown = await app.post(ann, '/markup', { Text: 'a', Mode: 'x' })
    const empty = await app.post(ann, '/markup', { Mode: 'wiki' })

    assertHtml(plain, '<p dir="auto"><em>a</em></p>\n')
    assertHtml(comment, /<br \/>/)
    assertPlainRefusal(unknown, 'unsupported render mode: x')
    assertHtml(empty, '')
  })

  for (const FilePath of ['README.md', 'docs/a.MARKDOWN', '../x.mkd']) {
    test(`renders the file ${FilePath}`, async (t) => {
      const { app, ann } = await start(t)

      const answer = await app.post(ann, '/markup', { Text: '*a*', Mode: 'file', FilePath })

      assertHtml(answer, '<p dir="auto"><em>a</em></p>\n')
    })
  }

  for (const FilePath of ['', 'a.png', 'md', 'a.md.exe']) {
    test(`refuses the file "${FilePath}"`, async (t) => {
      const { app, ann } = await start(t)

      const answer = await app.post(ann, '/markup', { Text: '*a*', Mode: 'file', FilePath })

      assertPlainRefusal(answer, `unsupported file to render: ${FilePath}`)
    })
  }

  test('takes the name of the file in small letters too', async (t) => {
    const { app, ann } = await start(t)

    const answer = await app.post(ann, '/markup', { text: 'a', mode: 'file', file_path: 'a.md' })

    assertHtml(answer, '<p dir="auto">a</p>\n')
  })
})
