import type { TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { visit } from './support.ts'

const part = '## Part\n\nSome *text* with `code`, a [link](docs/a.md), see #1.\n\n- one\n- two\n\n'

/** So many characters of Markdown, or some more. */
export const partsOf = (characters: number) => part.repeat(Math.ceil(characters / part.length))

/** What the server works for a view of a page, in milliseconds. */
export async function workFor(app: TestApp, path: string): Promise<number> {
  const began = process.cpuUsage()
  assertStatus(await visit(app, path), 200)
  return process.cpuUsage(began).user / 1000
}
