import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { attachTopic, copyTopicRows, detachTopic, listTopicNames } from './queries.ts'

const MAX_TOPICS = 25

/** Puts these topics in the place of all others. */
export async function replaceTopics(
  ctx: Context,
  repositoryId: number,
  given: readonly string[],
): Promise<void> {
  const names = [...new Set(given.map(normalize).filter((name) => name !== ''))]
  if (names.length > MAX_TOPICS) throw tooMany()
  const bad = names.filter((name) => !isTopicName(name))
  if (bad.length > 0)
    throw invalid('Topic names are invalid', {
      details: { invalidTopics: bad },
      reason: 'name_invalid',
    })
  await changing(ctx, repositoryId, async (tx, present) => {
    const now = ctx.now()
    for (const name of present) {
      if (!names.includes(name)) await detachTopic(tx, repositoryId, name, now)
    }
    for (const name of names) await attachTopic(tx, repositoryId, name, now)
  })
}

/** A full list takes nothing more, not even a topic that it has. */
export async function addTopic(ctx: Context, repositoryId: number, given: string): Promise<void> {
  const name = normalize(given)
  if (!isTopicName(name)) {
    throw invalid('Topic name is invalid', {
      details: { invalidTopics: name },
      reason: 'name_invalid',
    })
  }
  await changing(ctx, repositoryId, async (tx, present) => {
    if (present.length >= MAX_TOPICS) throw tooMany()
    await attachTopic(tx, repositoryId, name, ctx.now())
  })
}

export async function removeTopic(
  ctx: Context,
  repositoryId: number,
  given: string,
): Promise<void> {
  const name = normalize(given)
  if (!isTopicName(name)) {
    throw invalid('Topic name is invalid', {
      details: { invalidTopics: name },
      reason: 'name_invalid',
    })
  }
  await changing(ctx, repositoryId, async (tx) => {
    if (!(await detachTopic(tx, repositoryId, name, ctx.now()))) throw notFound()
  })
}

/** To a repository that has none. */
export async function copyTopics(
  ctx: Context,
  tx: Executor,
  fromId: number,
  toId: number,
): Promise<void> {
  await lock(ctx.db.dialect, tx, 'topics')
  await copyTopicRows(tx, fromId, toId, ctx.now())
}

/** One change of a repository's topics at a time: their number is limited. */
async function changing(
  ctx: Context,
  repositoryId: number,
  change: (tx: Executor, present: readonly string[]) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'topics')
    await change(tx, await listTopicNames(tx, repositoryId))
  })
}

function normalize(name: string): string {
  return name.trim().toLowerCase()
}

function isTopicName(name: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{0,34}$/.test(name)
}

function tooMany(): Error {
  return invalid('Exceeding maximum number of topics per repo', {
    details: { invalidTopics: null },
    reason: 'too_many',
  })
}
