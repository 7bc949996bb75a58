import type { Config } from '../config/config.ts'
import type { Caller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { isIn } from '../issues/conditions.ts'
import type { Home } from '../issues/issue.ts'
import { homesById } from '../issues/load.ts'
import { isReadableUnit } from '../repositories/visibility.ts'
import { ghost, type Account } from '../users/account.ts'
import { findAllById } from '../users/load.ts'
import type { Project } from './project.ts'
import { findProjectsOf, findTallies, type Tally } from './queries.ts'

/** A board with all that its record shows. */
export interface ProjectView {
  readonly project: Project
  readonly home: Home
  readonly creator: Account
  readonly tally: Tally
}

const nothing: Tally = { open: 0, closed: 0 }

/** Views of a page of boards: a fixed number of statements, whatever its size. */
export async function viewProjects(
  db: Executor,
  projects: readonly Project[],
): Promise<readonly ProjectView[]> {
  if (projects.length === 0) return []
  const homes = await homesById(
    db,
    projects.map((one) => one.repositoryId),
  )
  const creators = await findAllById(
    db,
    projects.flatMap(({ creatorId }) => creatorId ?? []),
  )
  const tallies = await findTallies(
    db,
    projects.map(({ id }) => id),
  )
  return projects.flatMap((project) => {
    const home = homes.get(project.repositoryId)
    if (!home) return []
    const creator = creators.get(project.creatorId ?? 0) ?? ghost
    return { project, home, creator, tally: tallies.get(project.id) ?? nothing }
  })
}

export async function viewProject(db: Executor, project: Project): Promise<ProjectView> {
  const [view] = await viewProjects(db, [project])
  if (!view) throw new Error(`the repository of project ${project.id} is missing`)
  return view
}

/** The boards on which each of the issues is, as far as the caller may see them. */
export async function projectsOfIssues(
  db: Executor,
  { config, caller }: { readonly config: Config; readonly caller: Caller },
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ProjectView[]>> {
  const isShown = isIn(isReadableUnit(config, caller, 'repo.projects'))
  const found = await findProjectsOf(db, issueIds, isShown)
  const each = new Map([...found.values()].flat().map((project) => [project.id, project]))
  const views = await viewProjects(db, [...each.values()])
  const byId = new Map(views.map((view) => [view.project.id, view]))
  return new Map(
    [...found].map(([id, projects]) => [id, projects.flatMap((one) => byId.get(one.id) ?? [])]),
  )
}
