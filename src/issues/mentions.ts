import type { Executor } from '../db/database.ts'
import { findPeopleByName } from '../users/load.ts'
import { insertPeople } from './relation-queries.ts'

const mention = /(?<![\w`/@.-])@([A-Za-z0-9]+(?:[-._][A-Za-z0-9]+)*)/g
/** More than a text can mean. */
const MAX_NAMES = 100

/** The people whom a text addresses by `@name`. */
export async function findMentioned(db: Executor, text: string): Promise<readonly number[]> {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(mention)) {
    if (names.add(name).size === MAX_NAMES) break
  }
  const people = await findPeopleByName(db, names)
  return [...people.values()].map(({ id }) => id)
}

export async function recordMentions(
  tx: Executor,
  issueId: number,
  accountIds: readonly number[],
): Promise<void> {
  await insertPeople(tx, 'issue_mention', issueId, accountIds)
}
