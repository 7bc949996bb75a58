import { distanceOf, type Distance } from '../../code/commits/ahead.ts'
import { loadCompared } from '../../code/commits/compare.ts'
import { isNotFound } from '../../platform/errors.ts'
import { readsPulls } from '../../collaboration/pulls/load.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { counted } from '../figures.ts'
import { html, type Part } from '../../platform/html.ts'
import { isHome, type NamedRef } from './source.ts'
import { homeOf, pathTo, type Visit } from './visit.ts'

/** A branch of a fork, as its base calls it. */
export function branchOfFork(base: RepositoryView, fork: RepositoryView, branch: string): string {
  const { owner, repo } = fork
  const isPlain = repo.name === base.repo.name && owner.id !== base.owner.id
  return isPlain ? `${owner.name}:${branch}` : `${owner.name}/${repo.name}:${branch}`
}

/** What this is a fork of, where changes can be offered to it. */
function baseOf({ view: { parent } }: Visit): RepositoryView | undefined {
  if (!parent || !readsPulls(parent)) return undefined
  return parent.repo.isArchived || parent.repo.isEmpty ? undefined : parent
}

/**
 * Where a branch is offered: to the base of a fork, or to the default branch of the repository
 * itself, unless it is that.
 */
export function newPullPath(visit: Visit, branch: string): string | undefined {
  const { ctx, view } = visit
  const base = baseOf(visit)
  if (base) {
    const compared = `${base.repo.defaultBranch}...${branchOfFork(base, view, branch)}`
    return `${pathTo({ home: homeOf(ctx, base) }, 'compare', compared)}?expand=true`
  }
  if (!readsPulls(view) || isHome(visit, { kind: 'branch', name: branch })) return undefined
  return `${pathTo(visit, 'compare', `${view.repo.defaultBranch}...${branch}`)}?expand=true`
}

/** Beside the files of a branch of a fork. */
export function renderNewPullLink(visit: Visit, { kind, name }: NamedRef): Part {
  if (kind !== 'branch' || visit.view.repo.isArchived || !baseOf(visit)) return undefined
  return html`<a class="button" href="${newPullPath(visit, name)}">New pull request</a>`
}

/** What a fork has and lacks. */
export async function renderDistance(visit: Visit, { name }: NamedRef): Promise<Part> {
  const base = baseOf(visit)
  const distance = base && (await loadDistance(visit, base, name))
  if (!base || !distance) return undefined
  const branch = `${base.owner.name}/${base.repo.name}:${base.repo.defaultBranch}`
  return html`<p class="mute">${distanceText(distance)} <code>${branch}</code>.</p>`
}

async function loadDistance(
  { ctx, viewer, view }: Visit,
  base: RepositoryView,
  branch: string,
): Promise<Distance | undefined> {
  try {
    const text = `${base.repo.defaultBranch}...${branchOfFork(base, view, branch)}`
    return await distanceOf(ctx, base.repo, await loadCompared(ctx, viewer, base, text))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

function distanceText({ ahead, behind }: Distance): string {
  if (ahead === 0 && behind === 0) return 'This branch is as far as'
  const parts = [
    ...(ahead > 0 ? [`${counted(ahead, 'commit')} ahead of`] : []),
    ...(behind > 0 ? [`${counted(behind, 'commit')} behind`] : []),
  ]
  return `This branch is ${parts.join(', and ')}`
}
