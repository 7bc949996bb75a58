import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { upload, type SentFile } from '../../repositories/attachments/form.ts'
import { startWithRelease, type ReleaseSetup } from '../release-attachments/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export function assertText(answer: TestAnswer, status: number, text: string): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.text, `${text}\n`)
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
}

export interface FileSetup extends ReleaseSetup {
  readonly assetsOfIssue: string
  readonly add: (where: string, file?: SentFile) => Promise<string>
}

export async function start(t: TestContext, changes: ConfigChanges = {}): Promise<FileSetup> {
  const setup = await startWithRelease(t, changes)
  const { app, ann, path } = setup
  const issue = await app.post(ann, `${path}/issues`, { title: 'an issue' })
  const add = async (where: string, file?: SentFile) => {
    const made = await upload(app, ann, where, file)
    assertStatus(made, 201)
    return `^/attachments/${made.body.uuid}`
  }
  return { ...setup, add, assetsOfIssue: `${path}/issues/${issue.body.number}/assets` }
}

/** All that lead to the file of the release v1. */
export function addressesOf(file: string): readonly string[] {
  const below = ['', '/ann/one', '/ann/one/releases'].map((place) => file.replace('^', `^${place}`))
  return [...below, '^/ann/one/releases/download/v1/file.txt']
}
