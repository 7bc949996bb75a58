import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { deleteOldest, measureFeed, type FeedOf, type FeedSize } from './room-queries.ts'

/** Times what one repository may keep. */
const OF_AN_OWNER = 4
/** A feed is measured again once this part of what it may keep has been written to it. */
const LOOK_AFTER = 1 / 64
/** More than is too much is deleted, so that the next time is not soon. */
const GOAL = 7 / 8
/** Of what is there, and at the most: a few large entries are not deleted with all small ones. */
const AT_ONCE = { part: 1 / 32, most: 500 }
const MAX_COUNTED = 10_000

/** What this process has written to each feed since it was last measured. */
const writtenTo = keptBy((_ctx: Context) => new Map<string, FeedSize>())

/**
 * In the transaction that writes many entries, or long ones, to the feed of a repository: has it
 * measured by and by, and shortened where it has become too long.
 */
export async function boundFeed(
  ctx: Context,
  tx: Executor,
  { repositoryId, ownerId }: { readonly repositoryId: number; readonly ownerId: number },
  contents: readonly { readonly content: string }[],
): Promise<void> {
  const room = contents.reduce((sum, { content }) => sum + content.length, 0)
  const written = { entries: contents.length, room }
  const feeds: readonly FeedOf[] = [
    { kind: 'repository', id: repositoryId },
    { kind: 'owner', id: ownerId },
  ]
  for (const feed of feeds) {
    if (isDue(ctx, feed, written)) await ctx.jobs.enqueueOnce(tx, 'shorten_feed', feed)
  }
}

function isDue(ctx: Context, feed: FeedOf, { entries, room }: FeedSize): boolean {
  const all = writtenTo(ctx)
  const key = `${feed.kind} ${feed.id}`
  const before = all.get(key) ?? { entries: 0, room: 0 }
  const written = { entries: before.entries + entries, room: before.room + room }
  const limit = limitOf(ctx, feed)
  if (written.entries > limit.entries * LOOK_AFTER || written.room > limit.room * LOOK_AFTER) {
    all.delete(key)
    return true
  }
  if (all.size >= MAX_COUNTED) all.clear()
  all.set(key, written)
  return false
}

function limitOf({ config }: Context, { kind }: FeedOf): FeedSize {
  const factor = kind === 'owner' ? OF_AN_OWNER : 1
  const { max_entries, max_room } = config.activity
  return { entries: max_entries * factor, room: max_room * factor }
}

/** The job: deletes the oldest entries of a feed that is too long. */
export async function shortenFeed(ctx: Context, feed: FeedOf): Promise<void> {
  const limit = limitOf(ctx, feed)
  let { entries, room } = await measureFeed(ctx.db, feed)
  if (entries <= limit.entries && room <= limit.room) return
  while (entries > limit.entries * GOAL || room > limit.room * GOAL) {
    const count = Math.min(AT_ONCE.most, Math.ceil(entries * AT_ONCE.part))
    const deleted = await deleteOldest(ctx.db, feed, count)
    if (deleted.entries === 0) return
    entries -= deleted.entries
    room -= deleted.room
  }
}
