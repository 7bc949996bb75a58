import assert from 'node:assert/strict'
import type { TestApp, TestAnswer, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

/** An organization that `owner` owns; returns its record. */
export async function addOrganization(
  app: TestApp,
  owner: TestCaller,
  username: string,
  fields: object = {},
): Promise<TestAnswer['body']> {
  const answer = await app.post(owner, '/orgs', { username, ...fields })
  assertStatus(answer, 201)
  return answer.body
}

/** A team of code readers with these members; returns its record. */
export async function addTeam(
  app: TestApp,
  owner: TestCaller,
  org: string,
  fields: object,
  members: readonly TestCaller[] = [],
): Promise<TestAnswer['body']> {
  const wanted = { permission: 'read', units: ['repo.code'], ...fields }
  const answer = await app.post(owner, `/orgs/${org}/teams`, wanted)
  assertStatus(answer, 201)
  for (const { name } of members) {
    assertStatus(await app.put(owner, `/teams/${answer.body.id}/members/${name}`), 204)
  }
  return answer.body
}

/** The id of the team of owners. */
export async function ownersOf(app: TestApp, owner: TestCaller, org: string): Promise<number> {
  const { body } = await app.get(owner, `/orgs/${org}/teams`)
  assert.equal(body[0].name, 'Owners')
  return body[0].id
}

export function names(list: readonly { name: string }[]): readonly string[] {
  return list.map(({ name }) => name)
}

export function logins(list: readonly { login: string }[]): readonly string[] {
  return list.map(({ login }) => login)
}
