import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { commit, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import type { TestAnswer, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

/** A repository with a branch `topic` that has one commit more than `main`: the file a.txt. */
export async function startWithTopic(t: TestContext, changes?: ConfigChanges): Promise<Setup> {
  const setup = await startWithRepository(t, changes)
  await addBranch(setup, 'topic', { 'a.txt': 'a\n' })
  return setup
}

/**
 * Like `startWithTopic`, in acme/tool, private, which the team Readers (bob) reads; the team
 * `others` does not.
 */
export async function startWithReaders(
  t: TestContext,
): Promise<Setup & { readonly readers: string }> {
  const setup = await startWithRepository(t)
  const { app, ann } = setup
  assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
  const repo = { name: 'tool', auto_init: true, private: true }
  assertStatus(await app.post(ann, '/orgs/acme/repos', repo), 201)
  const team = { name: 'Readers', permission: 'read', units: ['repo.code', 'repo.pulls'] }
  const { body } = await app.post(ann, '/orgs/acme/teams', team)
  assertStatus(await app.post(ann, '/orgs/acme/teams', { ...team, name: 'others' }), 201)
  const readers = `/teams/${body.id}`
  assertStatus(await app.put(ann, `${readers}/members/bob`), 204)
  assertStatus(await app.put(ann, `${readers}/repos/acme/tool`), 204)
  const org = { ...setup, path: '/repos/acme/tool', readers }
  await addBranch(org, 'topic', { 'a.txt': 'a\n' })
  return org
}

/** A branch of main with one commit of its own; its id. */
export async function addBranch(
  setup: Setup,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  return commit(setup, files, { new_branch: name, message: `work on ${name}` })
}

/** A new pull request into main; its record. */
export async function openPull(
  { app, ann, path }: Setup,
  body: Readonly<Record<string, unknown>> = {},
  who: TestCaller = ann,
): Promise<TestAnswer['body']> {
  const wanted = { title: 'the work', head: 'topic', base: 'main', ...body }
  const answer = await app.post(who, `${path}/pulls`, wanted)
  assertStatus(answer, 201)
  return answer.body
}

export async function getPull(
  { app, ann, path }: Setup,
  number: number,
): Promise<TestAnswer['body']> {
  const answer = await app.get(ann, `${path}/pulls/${number}`)
  assertStatus(answer, 200)
  return answer.body
}

export async function addCollaborator(
  { app, ann, path }: Setup,
  { name }: TestCaller,
  permission: string,
): Promise<void> {
  assertStatus(await app.put(ann, `${path}/collaborators/${name}`, { permission }), 204)
}

export function numbers(list: readonly { readonly number: number }[]): readonly number[] {
  return list.map(({ number }) => number)
}
