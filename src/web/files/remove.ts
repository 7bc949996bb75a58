import { loadSeen } from '../../code/content/browse.ts'
import { changeFiles } from '../../code/content/change.ts'
import { nearestFolder } from '../../code/content/find.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { renderProblem } from '../forms/problem.ts'
import { html } from '../../platform/html.ts'
import type { AgainInShell, Done, Submitted } from '../repository/form.ts'
import { restOf, type Show, type Visit } from '../repository/visit.ts'
import {
  changeOf,
  firstWish,
  readWish,
  renderWish,
  wishProblem,
  type CommitWish,
} from './commit-wish.ts'
import { committedPath, formPath, renderPlace, sourcePath, type Place } from './place.ts'
import { commitProblem, isStale, type CommitProblem } from './problem.ts'
import { assertMayEdit } from './rights.ts'

interface Doomed {
  readonly place: Place
  readonly sha: string
  readonly wish: CommitWish
  readonly problem?: CommitProblem | undefined
}

export const showDelete: Show = async (visit) => {
  assertMayEdit(visit)
  const { place, sha } = await loadFile(visit)
  return inTab(visit, { place, sha, wish: await firstWish(visit, place.branch, place.path) })
}

export async function takeDelete(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const { place, sha: current } = await loadFile(submitted)
  const sha = form.get('sha') ?? ''
  const wish = readWish(form)
  const doomed = { place, sha, wish, problem: wishProblem(place.branch, wish) }
  if (doomed.problem) return inTab(submitted, doomed)
  const operation = { kind: 'delete', path: place.path, fromPath: '', content: undefined } as const
  try {
    const change = changeOf(place.branch, wish, [{ ...operation, sha }])
    const { branch, commitId } = await changeFiles(ctx, viewer, view, change)
    const path = await nearestFolder(ctx, view.repo, commitId, place.path)
    return { leadsTo: committedPath(submitted, place, { branch, path }) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problem = isStale(error) ? changed : commitProblem(error)
    if (!problem) throw error
    return inTab(submitted, { ...doomed, sha: current, problem })
  }
}

const changed = {
  message: 'Somebody has changed this file since you looked at it. It is still there.',
}

async function loadFile(visit: Visit): Promise<Pick<Doomed, 'place' | 'sha'>> {
  const { name, path, found } = await loadSeen(visit.ctx, visit.view.repo, 'branch', restOf(visit))
  if (found.type !== 'file' || found.entry.kind === 'submodule') throw notFound()
  return { place: { branch: name, path }, sha: found.entry.id }
}

function inTab(visit: Visit, { place, sha, wish, problem }: Doomed): AgainInShell {
  const usual = `Delete ${place.path}`
  return {
    tab: 'code',
    title: usual,
    content: html`${renderPlace(visit, 'Delete a file', place)}
${renderProblem(problem)}
<p class="lede">The file goes with the next commit. It stays in those before. <a href="${sourcePath(visit, place)}">Look at it again</a></p>
<form class="form file-form" method="post" action="${formPath(visit, '_delete', place)}">
<input type="hidden" name="sha" value="${sha}">
${renderWish(visit, { branch: place.branch, wish, usual, problem })}
<p class="actions"><button class="button danger" type="submit">Delete file</button> <a class="button" href="${sourcePath(visit, place)}">Cancel</a></p>
</form>`,
    status: problem?.status,
  }
}
