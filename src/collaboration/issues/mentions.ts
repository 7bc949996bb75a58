import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { findPeopleByName, idsSeen } from '../../identity/users/load.ts'
import { insertPeople } from './relation-queries.ts'

const mention = /(?<![\w`/@.-])@([A-Za-z0-9]+(?:[-._][A-Za-z0-9]+)*)/g
/** More than a text can mean. */
const MAX_NAMES = 100

/** The people whom a text addresses by `@name`. */
export async function findMentioned(db: Executor, text: string): Promise<readonly number[]> {
  const people = await findPeopleByName(db, namesIn(text))
  return [...people.values()].map(({ id }) => id)
}

function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(mention)) {
    if (names.add(name).size === MAX_NAMES) break
  }
  return names
}

/**
 * Of those whom the texts address: the names, in lower case, of people of whom the caller may know.
 */
export async function namesKnownTo(
  ctx: Context,
  caller: Caller,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = new Set(texts.flatMap((text) => [...namesIn(text)]))
  if (names.size === 0) return names
  const people = await findPeopleByName(ctx.db, names)
  const seen = await idsSeen(ctx, caller, [...people.values()])
  return new Set([...people].flatMap(([name, { id }]) => (seen.has(id) ? [name] : [])))
}

export async function recordMentions(
  tx: Executor,
  issueId: number,
  accountIds: readonly number[],
): Promise<void> {
  await insertPeople(tx, 'issue_mention', issueId, accountIds)
}
