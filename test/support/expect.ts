import assert from 'node:assert/strict'
import type { TestAnswer } from './app.ts'

/**
 * An error as the contract shapes it: a message and the address of the description, nothing else.
 */
export function assertError(answer: TestAnswer, status: number, message?: string | RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.body as object), ['message', 'url'])
  assert.equal(answer.body.url, 'http://codestead.test/api/swagger')
  assertMessage(answer, message)
}

/** The errors about the caller's account carry a message alone. */
export function assertBareError(
  answer: TestAnswer,
  status: number,
  message?: string | RegExp,
): void {
  assert.equal(answer.status, status, answer.text)
  assert.deepEqual(Object.keys(answer.body as object), ['message'])
  assertMessage(answer, message)
}

export function assertStatus(answer: TestAnswer, status: number): void {
  assert.equal(answer.status, status, answer.text)
}

function assertMessage({ body }: TestAnswer, message: string | RegExp | undefined): void {
  if (typeof message === 'string') assert.equal(body.message, message)
  else if (message) assert.match(body.message as string, message)
}
