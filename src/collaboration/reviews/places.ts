import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { findLineMoves, moveLine } from '../../platform/git/line-moves.ts'
import { comparedBy } from '../pulls/content.ts'
import type { Pull } from '../pulls/pull.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { CodeComment, NewCodeComment, Place } from './code-comment.ts'
import { listCodeCommentsOf, updatePlace } from './comment-queries.ts'

/** The commits that a pull request compares. */
type Ends = Pick<Pull, 'mergeBase' | 'baseCommitId' | 'headCommitId'>

type Located = Pick<CodeComment, 'oldLine' | 'newLine' | 'path' | 'commitId' | 'place'>

/**
 * Where the lines of comments are in the files that a pull request compares now. A line that was
 * removed or changed since is nowhere. The path is that of the file on the side of the comment.
 */
export async function findPlaces(
  ctx: Context,
  repo: Repository,
  ends: Ends,
  comments: readonly Located[],
): Promise<(comment: Located) => Place | undefined> {
  const { base, head } = comparedBy(ends)
  const old = await findOn(ctx, repo, base, comments.filter(isOnOldSide).map(placeIn(ends)))
  const now = comments.filter((comment) => !isOnOldSide(comment))
  const current = await findOn(ctx, repo, head, now.map(placeIn(ends)))
  return (comment) => (isOnOldSide(comment) ? old : current)(placeIn(ends)(comment))
}

function isOnOldSide({ oldLine }: Pick<Located, 'oldLine'>): boolean {
  return oldLine > 0
}

/** Of an older comment the place is not known: the old side may have been another one. */
function placeIn(ends: Ends): (comment: Located) => Place {
  return ({ place, oldLine, newLine, path, commitId }) => {
    if (place) return place
    return oldLine > 0
      ? { commitId: comparedBy(ends).base, path, line: oldLine }
      : { commitId, path, line: newLine }
  }
}

async function findOn(
  ctx: Context,
  repo: Repository,
  to: string,
  places: readonly Place[],
): Promise<(place: Place) => Place | undefined> {
  const others = places.filter(({ commitId }) => commitId !== to)
  const moveOf = await findLineMoves(ctx.git, folderOf(ctx, repo), to, others)
  return (place) => {
    if (place.commitId === to) return place
    const move = moveOf(place)
    const line = move && moveLine(move, place.line)
    return line === undefined ? undefined : { commitId: to, path: move?.path ?? '', line }
  }
}

/**
 * What new comments are about. A comment on the old side of a moved file names the file as it is
 * called now, so its earlier path is looked up.
 */
export async function placesOfNew(
  ctx: Context,
  repo: Repository,
  ends: Ends,
  comments: readonly NewCodeComment[],
): Promise<readonly Place[]> {
  const { base, head } = comparedBy(ends)
  const files = comments.filter(isOnOldSide).map(({ path }) => ({ commitId: head, path }))
  const moveOf = await findLineMoves(ctx.git, folderOf(ctx, repo), base, files)
  return comments.map(({ path, oldLine, newLine }) => {
    if (oldLine === 0) return { commitId: head, path, line: newLine }
    const before = moveOf({ commitId: head, path })?.path ?? path
    return { commitId: base, path: before, line: oldLine }
  })
}

export interface PlaceChange {
  readonly commentIds: readonly number[]
  readonly place: Place
}

/**
 * After a force push nothing leads to the commits of before, which git deletes in time: places are
 * told by the commits of now as long as both are there.
 */
export async function planPlaces(
  ctx: Context,
  repo: Repository,
  before: Ends & Pick<Pull, 'issueId'>,
  now: Ends,
): Promise<readonly PlaceChange[]> {
  const comments = await listCodeCommentsOf(ctx.db, before.issueId)
  const known = comments.map((comment) => ({ ...comment, place: placeIn(before)(comment) }))
  const placeOf = await findPlaces(ctx, repo, now, known)
  const groups = Map.groupBy(known, ({ place, oldLine }) => JSON.stringify([place, oldLine > 0]))
  return [...groups.values()].flatMap((group) => {
    const place = group[0] && placeOf(group[0])
    return place ? { commentIds: group.map(({ id }) => id), place } : []
  })
}

export async function changePlaces(tx: Executor, changes: readonly PlaceChange[]): Promise<void> {
  for (const { commentIds, place } of changes) await updatePlace(tx, commentIds, place)
}
