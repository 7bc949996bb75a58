import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { changeBoards, placeOf } from './boards.ts'
import { insertColumns } from './column-queries.ts'
import { readsBoardsOf, takesOwnersBoards } from './owners.ts'
import {
  FIRST_COLUMN,
  isSamePlace,
  templates,
  type CardType,
  type Place,
  type Project,
  type Template,
} from './project.ts'
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

export async function loadProject(ctx: Context, place: Place, id: number): Promise<Project> {
  const [project] = await findProjects(ctx.db, [id])
  if (!project || !isSamePlace(project.place, place)) throw notFound()
  return project
}

export async function listProjects(
  ctx: Context,
  place: Place,
  state: ProjectState,
  page: Page,
): Promise<PageOf<Project>> {
  return findProjectsIn(ctx.db, [place], state, page)
}

/** Where the boards are on which the caller may put what is in a repository. */
export async function placesFor(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
): Promise<readonly Place[]> {
  const { ownerId } = view.repo
  const hasOwners = readsUnit(view, 'repo.projects') && takesOwnersBoards(view)
  return [
    ...(readsProjects(view) ? [placeOf(view)] : []),
    ...(hasOwners && (await readsBoardsOf(ctx, caller, ownerId))
      ? [{ kind: 'account' as const, id: ownerId }]
      : []),
  ]
}

const MAX_CHOICE = 100

/** The open ones, from which one may choose. */
export async function projectsToChoose(
  ctx: Context,
  places: readonly Place[],
): Promise<readonly Project[]> {
  if (places.length === 0) return []
  const page = { number: 1, limit: MAX_CHOICE, offset: 0 }
  return (await findProjectsIn(ctx.db, places, 'open', page)).items
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
  place: Place,
  { title, description, template, cardType }: NewProject,
): Promise<Project> {
  const made = { creator_id: account.id, created_at: ctx.now(), updated_at: ctx.now() }
  return changeBoards(ctx, place, async (tx) => {
    const project = await insertProject(tx, {
      ...made,
      repository_id: place.kind === 'repository' ? place.id : null,
      owner_id: place.kind === 'account' ? place.id : null,
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
  return changeBoards(ctx, project.place, async (tx) => {
    const [current] = await findProjects(tx, [project.id])
    const changesState = isClosed !== undefined && isClosed !== current?.isClosed
    const edited = await updateProject(tx, project.id, {
      ...(changesState ? { is_closed: isClosed ? 1 : 0, closed_at: isClosed ? now : 0 } : {}),
      title,
      description,
      card_type: cardType,
      updated_at: now,
    })
    if (!edited) throw notFound()
    return edited
  })
}

/** The issues on it stay. */
export async function removeProject(ctx: Context, { id, place }: Project): Promise<void> {
  await changeBoards(ctx, place, (tx) => deleteProject(tx, id))
}
