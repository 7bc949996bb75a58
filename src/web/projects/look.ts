import type { SignedInCaller } from '../../platform/context.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import type { Boards } from '../../collaboration/projects/boards.ts'
import { readInteger } from '../../platform/http/query.ts'
import type { Project } from '../../collaboration/projects/project.ts'
import { loadProject } from '../../collaboration/projects/projects.ts'
import type { Html, Part } from '../../platform/html.ts'
import type { Look } from '../look.ts'

/** One look at the boards of a repository, or of an account. */
export interface BoardsLook extends Look {
  readonly boards: Boards
  /** Where their pages begin. */
  readonly path: string
  /** Whether the ways to change them are shown. */
  readonly mayArrange: boolean
  /** What issues are called on them: how they are shown, and typed. */
  readonly naming: Naming
  /** Other boards that there are, with a way to them. */
  readonly besides: Part
}

export interface Naming {
  readonly name: (shown: IssueView) => string
  /** What to type. */
  readonly hint: string
  readonly unknown: string
  /** The issue that is called so. */
  readonly find: (typed: string) => Promise<Issue>
}

export interface BoardsForm extends BoardsLook {
  readonly viewer: SignedInCaller
  readonly form: URLSearchParams
}

/** What a page of them shows. */
export interface BoardsPage {
  readonly title: string
  readonly content: Html
}

/** Where a form leads, or it again with what is wrong. */
export type Done = { readonly leadsTo: string } | BoardsPage

export async function loadOfPage({ ctx, boards, param }: BoardsLook): Promise<Project> {
  return loadProject(ctx, boards.place, readInteger(param('id')))
}

export function boardPath(
  { path }: Pick<BoardsLook, 'path'>,
  { id }: Pick<Project, 'id'>,
  ...parts: readonly string[]
): string {
  return [path, id, ...parts].join('/')
}
