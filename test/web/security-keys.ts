import assert from 'node:assert/strict'
import { PASSWORD, type TestAnswer, type TestApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { TestKey, type Lie, type Question } from '../support/security-key.ts'
import { Visitor, type Fields } from './support.ts'

export const factors = '/user/settings/two-factor'
export const secondStep = '/user/login/second-factor'

export async function offeredTo(by: Visitor): Promise<Question> {
  const answer = await by.post(`${factors}/keys/offer`)
  assertStatus(answer, 200)
  return answer.body as Question
}

/** What somebody who is signed in is asked. */
export async function askedOf(by: Visitor): Promise<Question> {
  const answer = await by.post(`${factors}/keys/question`)
  assertStatus(answer, 200)
  return answer.body as Question
}

export async function tryEnrol(
  by: Visitor,
  key: TestKey,
  fields: Readonly<Record<string, string>> = {},
  lie?: Lie,
): Promise<TestAnswer> {
  const form = { key_name: 'Blue', password: PASSWORD, ...key.enrol(await offeredTo(by), lie) }
  return by.post(`${factors}/keys/new`, { ...form, ...fields })
}

/** The first second factor of somebody. Gives the recovery codes. */
export async function enrol(by: Visitor, key = new TestKey()) {
  const answer = await tryEnrol(by, key)
  assertStatus(answer, 200)
  return { key, codes: codesIn(answer) }
}

export function codesIn({ text }: TestAnswer): readonly string[] {
  return [...text.matchAll(/<code class="secret">([a-z2-9]{5}-[a-z2-9]{5})</g)].map(
    ([, code = '']) => code,
  )
}

export function cookieIn({ headers }: TestAnswer, name: string): string | undefined {
  const cookies = [headers['set-cookie'] ?? []].flat()
  return cookies.map((one) => one.split(';')[0] ?? '').find((one) => one.startsWith(`${name}=`))
}

/** After the password, before the key. */
export async function startHalf(app: TestApp, fields: Fields = {}): Promise<Visitor> {
  const form = { user_name: 'ann', password: PASSWORD, ...fields }
  const answer = await new Visitor(app).post('/user/login', form)
  assertStatus(answer, 303)
  assert.equal(cookieIn(answer, 'codestead_session'), undefined)
  return new Visitor(app, { cookie: cookieIn(answer, 'codestead_sign_in') ?? '' })
}

export async function askedInHalf(half: Visitor): Promise<Question> {
  const answer = await half.post(`${secondStep}/question`)
  assertStatus(answer, 200)
  return answer.body as Question
}

export async function finishWith(half: Visitor, key: TestKey, lie?: Lie): Promise<TestAnswer> {
  return half.post(secondStep, key.answer(await askedInHalf(half), lie))
}

export async function signInWithKey(app: TestApp, key: TestKey): Promise<Visitor> {
  const answer = await finishWith(await startHalf(app), key)
  assertStatus(answer, 303)
  return new Visitor(app, { cookie: cookieIn(answer, 'codestead_session') ?? '' })
}

/** Signatures, requests and keys that are not what they should be. */
export function liesOf(key: TestKey): Readonly<Record<string, Lie>> {
  const elsewhere = new TestKey()
  return {
    'another question': { type: 'webauthn.payment' },
    'another challenge': { challenge: 'A'.repeat(43) },
    'a challenge that is none': { clientData: Buffer.from('{"challenge":1}') },
    'no JSON': { clientData: Buffer.from('{') },
    nothing: { clientData: Buffer.from('null') },
    'another origin': { origin: 'http://evil.test' },
    'another port': { origin: 'http://codestead.test:8080' },
    'another scheme': { origin: 'https://codestead.test' },
    'a longer name': { origin: 'http://codestead.test.evil.test' },
    'a frame': { crossOrigin: true },
    'another site': { site: 'evil.test' },
    'a site below': { site: 'test' },
    nobody: { flags: 0x40 },
    'too little': { authenticatorData: Buffer.alloc(36) },
    'another key': { credentialId: elsewhere.id },
    'a spoilt signature': { spoil: (signature) => flipped(signature) },
    'no signature': { spoil: () => Buffer.alloc(0) },
    'half a signature': { spoil: (signature) => signature.subarray(0, 20) },
    'a count that stays': { count: key.count },
    'a count that goes back': { count: key.count - 1 },
  }
}

function flipped(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes)
  other[other.length - 1] = (other.at(-1) ?? 0) ^ 1
  return other
}
