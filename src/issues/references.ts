import { recordReferences, type Deed } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { RepositoryView } from '../repositories/view.ts'
import { withoutCode } from './closing-words.ts'
import { isReadable } from './conditions.ts'
import type { Issue } from './issue.ts'
import { findNamed, type NamedIssue } from './reference-queries.ts'

const reference =
  /(?<![\w`/@.&#-])(?:(?<owner>[\w-][\w.-]*)\/(?<repo>[\w-][\w.-]*))?#(?<number>[1-9]\d{0,9})(?![\w-])/g

/** More than a text can mean. */
const MAX_REFERENCES = 50

/** The issues that a text in a repository names by `#1` or `owner/repo#2`, as far as its author reads them. */
export async function findReferred(
  ctx: Context,
  caller: SignedInCaller,
  { repo, owner }: RepositoryView,
  text: string,
  db: Executor = ctx.db,
): Promise<readonly number[]> {
  const named = namedIn(text, { owner: owner.name, repo: repo.name })
  const isSeen = isReadable(ctx.config, caller, { issues: true, pulls: true })
  return findNamed(db, named, isSeen, caller.account.id)
}

function namedIn(
  text: string,
  here: { readonly owner: string; readonly repo: string },
): readonly NamedIssue[] {
  const named = new Map<string, NamedIssue>()
  for (const { 0: whole, groups = {} } of withoutCode(text).matchAll(reference)) {
    const { owner = here.owner, repo = here.repo, number } = groups
    named.set(whole, {
      owner: owner.toLowerCase(),
      repo: repo.toLowerCase(),
      number: Number(number),
    })
    if (named.size >= MAX_REFERENCES) break
  }
  return [...named.values()]
}

/** The numbers of those that it names in its own repository. */
export function numbersNamedIn(
  text: string,
  { owner, repo }: { readonly owner: string; readonly repo: string },
): readonly number[] {
  const here = { owner: owner.toLowerCase(), repo: repo.toLowerCase() }
  const named = namedIn(text, here)
  const own = named.filter((one) => one.owner === here.owner && one.repo === here.repo)
  return [...new Set(own.map(({ number }) => number))]
}

/** Each of them tells from now on that `source`, or a comment on it, names it. What it tells already is not told again. */
export async function referTo(
  tx: Executor,
  deed: Omit<Deed, 'issueId'>,
  source: Pick<Issue, 'id' | 'isPull'>,
  referred: readonly number[],
  commentId?: number,
): Promise<void> {
  const ofText = source.isPull ? ('pull_ref' as const) : ('issue_ref' as const)
  await recordReferences(tx, deed, {
    kind: commentId === undefined ? ofText : 'comment_ref',
    sourceId: source.id,
    issueIds: referred.filter((id) => id !== source.id),
    details: commentId === undefined ? {} : { commentId },
  })
}
