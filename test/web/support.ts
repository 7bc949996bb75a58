import assert from 'node:assert/strict'
import { PASSWORD, type Headers, type TestAnswer, type TestApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'

/** What a browser says that it takes, and where its forms come from. */
const headers = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'sec-fetch-site': 'same-origin',
}

export type Fields = Readonly<Record<string, string>> | readonly (readonly [string, string])[]

/**
 * Somebody before a browser: pages and forms, with the cookie of a session once they have signed
 * in.
 */
export class Visitor {
  readonly #app: TestApp
  readonly #cookie: Headers

  constructor(app: TestApp, cookie: Headers = {}) {
    this.#app = app
    this.#cookie = cookie
  }

  /** What every request of theirs says. */
  get headers(): Headers {
    return { ...headers, ...this.#cookie }
  }

  get(path: string, more: Headers = {}): Promise<TestAnswer> {
    return this.#app.get(undefined, `^${path}`, { ...this.headers, ...more })
  }

  post(path: string, fields: Fields = {}, more: Headers = {}): Promise<TestAnswer> {
    const form = new URLSearchParams(fields as Record<string, string>).toString()
    return this.send(path, form, { 'content-type': 'application/x-www-form-urlencoded', ...more })
  }

  send(path: string, body: string | Buffer, more: Headers): Promise<TestAnswer> {
    return this.#app.post(undefined, `^${path}`, body, { ...this.headers, ...more })
  }
}

export async function signIn(app: TestApp, name: string): Promise<Visitor> {
  const answer = await new Visitor(app).post('/user/login', { user_name: name, password: PASSWORD })
  assertStatus(answer, 303)
  return new Visitor(app, { cookie: (answer.headers['set-cookie'] ?? '').split(';')[0] ?? '' })
}

/** To a form from who is not signed in. */
export function assertSessionEnded(answer: TestAnswer): void {
  assertStatus(answer, 401)
  assert.match(answer.text, /<h1>Your session has ended<\/h1>/)
}

export const fromElsewhere: Headers = { 'sec-fetch-site': 'cross-site' }

/** One pixel of PNG. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export function uploadPicture(
  by: Visitor,
  path: string,
  image: Buffer,
  more: Headers = {},
): Promise<TestAnswer> {
  const body = Buffer.concat([
    Buffer.from('--b\r\ncontent-disposition: form-data; name="avatar"; filename="a.png"\r\n\r\n'),
    image,
    Buffer.from('\r\n--b--\r\n'),
  ])
  return by.send(path, body, { 'content-type': 'multipart/form-data; boundary=b', ...more })
}

/** Each form that is sent there stands behind a first click, beside what it will do. */
export function assertAsksFirst(page: Pick<TestAnswer, 'text'>, action: string): void {
  assertAsksBefore(page, `<form method="post" action="${action}">`)
}

/** Like `assertAsksFirst`, of a button of a form that is sent for other things, too. */
export function assertAsksWithin(
  page: Pick<TestAnswer, 'text'>,
  name: string,
  value: string,
): void {
  assertAsksBefore(page, `<button class="button danger" name="${name}" value="${value}">`)
}

function assertAsksBefore({ text }: Pick<TestAnswer, 'text'>, markup: string): void {
  const before = text.split(markup).slice(0, -1)
  assert.ok(before.length > 0, markup)
  for (const part of before) {
    assert.match(part, /<details class="loss"><summary[^>]*>.*<\/summary>\s*<p>[^<]+<\/p>\s*$/)
  }
}
