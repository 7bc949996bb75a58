import { isSiteAdmin, type Caller, type Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { Issue } from '../issues/issue.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { Pull } from '../pulls/pull.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { CodeComment, Place } from './code-comment.ts'
import { listCodeCommentsOf } from './comment-queries.ts'
import { findPlaces } from './places.ts'
import { listReviews } from './queries.ts'
import type { Review } from './review.ts'
import { viewReviews, type ReviewView } from './view.ts'

/** More than anybody reads at once. */
const MAX_SHOWN = 1000

export interface SaidOfCode {
  readonly comment: CodeComment
  readonly author: Account
}

/** A line, and what was said of it in one review. */
export interface Thread {
  readonly reviewId: number
  readonly isPending: boolean
  readonly path: string
  readonly oldLine: number
  readonly newLine: number
  readonly commitId: string
  readonly diffHunk: string
  /** Where the line is now; absent when it is gone, and the thread is outdated. */
  readonly place: Place | undefined
  /** Absent as long as it is not settled. */
  readonly resolver: Account | undefined
  readonly said: readonly [SaidOfCode, ...SaidOfCode[]]
}

export interface Reviewed {
  /** Oldest first. */
  readonly reviews: readonly ReviewView[]
  readonly threads: readonly Thread[]
}

/**
 * A page of the reviews of a pull request: what has not been handed in is for its author and for
 * administrators of the server.
 */
export async function reviewsSeenBy(
  ctx: Context,
  caller: Caller,
  { id }: Pick<Issue, 'id'>,
  page: Page,
): Promise<PageOf<Review>> {
  const seen = { callerId: caller.account?.id ?? 0, seesPending: isSiteAdmin(caller) }
  return listReviews(ctx.db, id, seen, page)
}

/** All of them, with what they say of lines. */
export async function loadReviewed(
  ctx: Context,
  caller: Caller,
  repo: Repository,
  { issue, pull }: { readonly issue: Pick<Issue, 'id'>; readonly pull: Pull },
): Promise<Reviewed> {
  const page = { number: 1, limit: MAX_SHOWN, offset: 0 }
  const { items } = await reviewsSeenBy(ctx, caller, issue, page)
  const all = await listCodeCommentsOf(ctx.db, issue.id)
  const seen = new Set(items.map(({ id }) => id))
  const comments = all.filter(({ reviewId }) => seen.has(reviewId))
  const placeOf = await findPlaces(ctx, repo, pull, comments)
  return {
    reviews: await viewReviews(ctx.db, items),
    threads: await toThreads(ctx, items, comments, placeOf),
  }
}

async function toThreads(
  ctx: Context,
  reviews: readonly Review[],
  comments: readonly CodeComment[],
  placeOf: (comment: CodeComment) => Place | undefined,
): Promise<readonly Thread[]> {
  const seen = new Map(reviews.map((review) => [review.id, review]))
  const people = await findAllById(
    ctx.db,
    comments.flatMap(({ authorId, resolverId }) => [authorId ?? 0, resolverId ?? 0]),
  )
  const lines = Map.groupBy(comments, ({ reviewId, path, oldLine, newLine, place }) =>
    JSON.stringify([reviewId, path, oldLine, newLine, place]),
  )
  return [...lines.values()].flatMap((said) => {
    const [first, ...rest] = said.map((comment) => ({
      comment,
      author: people.get(comment.authorId ?? 0) ?? ghost,
    }))
    if (!first) return []
    const { reviewId, path, oldLine, newLine, commitId, diffHunk, resolverId } = first.comment
    return {
      reviewId,
      isPending: seen.get(reviewId)?.state === 'PENDING',
      path,
      oldLine,
      newLine,
      commitId,
      diffHunk,
      place: placeOf(first.comment),
      resolver: people.get(resolverId ?? 0),
      said: [first, ...rest] as const,
    }
  })
}
