import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

/** The names of what a search finds, in its order. */
export async function find(
  app: TestApp,
  who: TestCaller | undefined,
  query: string,
): Promise<string[]> {
  const answer = await app.get(who, `/repos/search?${query}`)
  assertStatus(answer, 200)
  assert.equal(answer.body.ok, true)
  return answer.body.data.map(({ full_name: name }: { full_name: string }) => name)
}

/** ann owns some repositories, bob others; acme is an organization of ann's. */
export async function withWorld(t: TestContext) {
  const app = await startApp(t)
  const [ann, bob, cat] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cat'),
  ]
  await app.post(ann, '/orgs', { username: 'acme' })
  const make = async (who: TestCaller, name: string, options: object = {}, org?: string) =>
    (await app.post(who, org ? `/orgs/${org}/repos` : '/user/repos', { name, ...options })).body
  return { app, ann, bob, cat, make }
}
