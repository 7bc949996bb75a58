import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { Page, PageOf } from '../db/page.ts'
import { notFound } from '../errors.ts'
import { readsUnit } from '../repositories/load.ts'
import { changeTracker } from '../repositories/tracker.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { insertColumns } from './column-queries.ts'
import { FIRST_COLUMN, templates, type CardType, type Project, type Template } from './project.ts'
import {
  deleteProject,
  findProjects,
  findProjectsIn,
  insertProject,
  updateProject,
  type ProjectState,
} from './queries.ts'

/** Whether the repository has boards of its own, for this caller. */
export function readsProjects(view: RepositoryView): boolean {
  return readsUnit(view, 'repo.projects') && view.units.settings('repo.projects')?.mode !== 'owner'
}

export async function loadProject(
  ctx: Context,
  { repo }: RepositoryView,
  id: number,
): Promise<Project> {
  const [project] = await findProjects(ctx.db, [id])
  if (project?.repositoryId !== repo.id) throw notFound()
  return project
}

export async function listProjects(
  ctx: Context,
  { repo }: RepositoryView,
  state: ProjectState,
  page: Page,
): Promise<PageOf<Project>> {
  return findProjectsIn(ctx.db, repo.id, state, page)
}

const MAX_CHOICE = 100

/** The open ones, from which one may choose. */
export async function projectsToChoose(
  ctx: Context,
  view: RepositoryView,
): Promise<readonly Project[]> {
  const page = { number: 1, limit: MAX_CHOICE, offset: 0 }
  return (await listProjects(ctx, view, 'open', page)).items
}

/** By their ids, seen by nobody in particular. */
export async function projectsById(
  db: Executor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Project>> {
  return new Map((await findProjects(db, ids)).map((project) => [project.id, project]))
}

export interface NewProject {
  readonly title: string
  readonly description: string
  readonly template: Template
  readonly cardType: CardType
}

/** With the columns of its template, of which the first takes whatever is put on the board. */
export async function createProject(
  ctx: Context,
  { account }: SignedInCaller,
  { repo }: RepositoryView,
  { title, description, template, cardType }: NewProject,
): Promise<Project> {
  const made = { creator_id: account.id, created_at: ctx.now(), updated_at: ctx.now() }
  return changeTracker(ctx, repo.id, async (tx) => {
    const project = await insertProject(tx, {
      ...made,
      repository_id: repo.id,
      title,
      description,
      template,
      card_type: cardType,
    })
    const columns = [FIRST_COLUMN, ...templates[template]].map((column, sorting) => ({
      ...made,
      project_id: project.id,
      title: column,
      sorting,
      is_default: sorting === 0 ? (1 as const) : (0 as const),
    }))
    await insertColumns(tx, columns)
    return project
  })
}

export interface ProjectEdit {
  readonly title: string | undefined
  readonly description: string | undefined
  readonly cardType: CardType | undefined
  readonly isClosed: boolean | undefined
}

export async function editProject(
  ctx: Context,
  project: Project,
  { title, description, cardType, isClosed }: ProjectEdit,
): Promise<Project> {
  const now = ctx.now()
  const changesState = isClosed !== undefined && isClosed !== project.isClosed
  const edited = await updateProject(ctx.db, project.id, {
    ...(changesState ? { is_closed: isClosed ? 1 : 0, closed_at: isClosed ? now : 0 } : {}),
    title,
    description,
    card_type: cardType,
    updated_at: now,
  })
  if (!edited) throw notFound()
  return edited
}

/** The issues on it stay. */
export async function removeProject(ctx: Context, { id, repositoryId }: Project): Promise<void> {
  await changeTracker(ctx, repositoryId, (tx) => deleteProject(tx, id))
}
