import type { Config } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { isIn, isReadable } from '../issues/conditions.ts'
import type { Home } from '../issues/issue.ts'
import { homesById } from '../issues/load.ts'
import { isReadableUnit } from '../../repositories/repository/visibility.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { ownersShown } from './owners.ts'
import type { Project } from './project.ts'
import { findProjectsOf, findTallies, type Tally } from './queries.ts'

/** A board with all that its record shows. */
export interface ProjectView {
  readonly project: Project
  /** The repository or the account whose it is. */
  readonly home: Home | Account
  readonly creator: Account
  readonly tally: Tally
}

/** By whom boards are looked at. */
export interface SeenBy {
  readonly config: Config
  readonly caller: Caller
}

const nothing: Tally = { open: 0, closed: 0 }

/** Views of a page of boards: a fixed number of statements, whatever its size. */
export async function viewProjects(
  db: Executor,
  { config, caller }: SeenBy,
  projects: readonly Project[],
): Promise<readonly ProjectView[]> {
  if (projects.length === 0) return []
  const homes = await homesById(db, idsOf(projects, 'repository'))
  const people = await findAllById(db, [
    ...idsOf(projects, 'account'),
    ...projects.flatMap(({ creatorId }) => creatorId ?? []),
  ])
  const tallies = await findTallies(
    db,
    projects.map(({ id }) => id),
    isReadable(config, caller, { issues: true, pulls: true }),
  )
  return projects.flatMap((project) => {
    const { kind, id } = project.place
    const home = kind === 'repository' ? homes.get(id) : people.get(id)
    if (!home) return []
    const creator = people.get(project.creatorId ?? 0) ?? ghost
    return { project, home, creator, tally: tallies.get(project.id) ?? nothing }
  })
}

function idsOf(projects: readonly Project[], kind: Project['place']['kind']): readonly number[] {
  return projects.flatMap(({ place }) => (place.kind === kind ? [place.id] : []))
}

export async function viewProject(
  db: Executor,
  seenBy: SeenBy,
  project: Project,
): Promise<ProjectView> {
  const [view] = await viewProjects(db, seenBy, [project])
  if (!view) throw new Error(`the place of project ${project.id} is missing`)
  return view
}

/** The boards on which each of the issues is, as far as the caller may see them. */
export async function projectsOfIssues(
  db: Executor,
  seenBy: SeenBy,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, readonly ProjectView[]>> {
  const { config, caller } = seenBy
  const isShown = isIn(isReadableUnit(config, caller, 'repo.projects'))
  const found = await findProjectsOf(db, issueIds, isShown)
  const each = new Map([...found.values()].flat().map((project) => [project.id, project]))
  const views = await viewProjects(db, seenBy, await shownTo(db, seenBy, [...each.values()]))
  const byId = new Map(views.map((view) => [view.project.id, view]))
  return new Map(
    [...found].map(([id, projects]) => [id, projects.flatMap((one) => byId.get(one.id) ?? [])]),
  )
}

/** Those of accounts have their own rules. */
export async function shownTo(
  db: Executor,
  seenBy: SeenBy,
  projects: readonly Project[],
): Promise<readonly Project[]> {
  const owners = await ownersShown(db, seenBy, idsOf(projects, 'account'))
  return projects.filter(({ place }) => place.kind === 'repository' || owners.has(place.id))
}
