import type { TestContext } from 'node:test'
import { column, repo, withTracker, type Tracker } from '../issues/setup.ts'
import type { TestAnswer, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export const projects = `${repo}/projects`

export interface Board extends Tracker {
  /** The address of the project, which is a basic_kanban. */
  readonly board: string
  readonly id: number
  /** The address of a column by its title. */
  readonly columnAt: (title: string) => Promise<string>
  /** The titles in each column, from left to right. */
  readonly shown: (who?: TestCaller) => Promise<Record<string, unknown>>
}

export async function withBoard(t: TestContext, options: object = {}): Promise<Board> {
  const tracker = await withTracker(t, options)
  const { app, ann } = tracker
  const made = await app.post(ann, projects, { title: 'Plan', template_type: 'basic_kanban' })
  assertStatus(made, 201)
  const board = `${projects}/${made.body.id}`
  const columns = async () => (await app.get(ann, `${board}/columns`)).body as TestAnswer['body'][]
  const columnAt = async (wanted: string) => {
    const found = (await columns()).find(({ title }) => title === wanted)
    return `${board}/columns/${found?.id}`
  }
  const shown = async (who = ann) => {
    const lists: Record<string, unknown> = {}
    for (const { id, title } of await columns()) {
      lists[title] = column(await app.get(who, `${board}/columns/${id}/issues`), 'title')
    }
    return lists
  }
  return { ...tracker, board, id: made.body.id, columnAt, shown }
}
