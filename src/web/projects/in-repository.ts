import { basePath } from '../../platform/config/urls.ts'
import { notFound } from '../../platform/errors.ts'
import { signedIn } from '../../platform/http/call.ts'
import { readInteger } from '../../platform/http/query.ts'
import { loadIssue } from '../../collaboration/issues/load.ts'
import { boardsIn } from '../../collaboration/projects/boards.ts'
import { readsBoardsOf, takesOwnersBoards } from '../../collaboration/projects/owners.ts'
import { boardsPath } from '../../collaboration/projects/present.ts'
import { readsProjects } from '../../collaboration/projects/projects.ts'
import { assertNotArchived, assertWrites, writesUnit } from '../../repositories/repository/load.ts'
import { html, type Part } from '../../platform/html.ts'
import type { Done as DoneInShell, Submitted } from '../repository/form.ts'
import { pathTo, type Show, type Visit } from '../repository/visit.ts'
import type { BoardsForm, BoardsLook, BoardsPage, Done, Naming } from './look.ts'

/** A page of boards in the frame of their repository. */
export function pageIn(page: (look: BoardsLook) => Promise<BoardsPage>, admit = assertReads): Show {
  return async (visit) => {
    admit(visit)
    return { tab: 'projects', ...(await page(await lookOf(visit))) }
  }
}

/** A form of such a page. */
export function formIn(act: (form: BoardsForm) => Promise<Done>) {
  return async (submitted: Submitted): Promise<DoneInShell> => {
    const { viewer, form } = submitted
    const done = await act({ ...(await lookOf(submitted)), viewer, form })
    return 'leadsTo' in done ? done : { tab: 'projects', ...done }
  }
}

function assertReads({ view }: Visit): void {
  if (!readsProjects(view)) throw notFound()
}

/** In the order of the API. */
export function assertMayArrange(visit: Visit): void {
  assertReads(visit)
  signedIn(visit.viewer)
  assertWrites(visit.view, 'repo.projects')
  assertNotArchived(visit.view)
}

async function lookOf(visit: Visit): Promise<BoardsLook> {
  const { ctx, viewer, view, query, request, param } = visit
  return {
    ctx,
    viewer,
    query,
    request,
    param,
    boards: boardsIn(ctx, view),
    path: pathTo(visit, 'projects'),
    mayArrange: viewer.account !== undefined && !view.repo.isArchived && writes(visit),
    naming: namingIn(visit),
    besides: await linkToOwners(visit),
  }
}

function writes({ view }: Visit): boolean {
  return writesUnit(view, 'repo.projects')
}

function namingIn({ ctx, view }: Visit): Naming {
  return {
    name: ({ issue }) => `#${issue.number}`,
    hint: 'Number of an issue',
    unknown: 'There is no issue or pull request with this number.',
    find: (typed) => loadIssue(ctx, view, readInteger(typed.replace(/^#/, ''))),
  }
}

/** What is in the repository may be on boards of its owner, too. */
async function linkToOwners({ ctx, viewer, view }: Visit): Promise<Part> {
  const { owner } = view
  if (!takesOwnersBoards(view) || !(await readsBoardsOf(ctx, viewer, owner.id))) return undefined
  const path = `${basePath(ctx.config)}/${boardsPath(owner)}`
  return html`<p class="mute">For all repositories of ${owner.name}: <a href="${path}">projects of ${owner.name}</a></p>`
}
