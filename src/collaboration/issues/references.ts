import { recordReferences, type Deed } from '../comments/record.ts'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { withoutCode } from './closing-words.ts'
import { isReadable } from './conditions.ts'
import type { Issue } from './issue.ts'
import { findKnown, findNamed, type NamedIssue } from './reference-queries.ts'

const reference =
  /(?<![\w`/@.&#-])(?:(?<owner>[\w-][\w.-]*)\/(?<repo>[\w-][\w.-]*))?#(?<number>[1-9]\d{0,9})(?![\w-])/g

/** More than a text can mean. */
const MAX_REFERENCES = 50
/** More than a page of commits means. */
const MAX_KNOWN = 200

/**
 * The issues that a text in a repository names by `#1` or `owner/repo#2`, as far as its author
 * reads them.
 */
export async function findReferred(
  ctx: Context,
  caller: SignedInCaller,
  { repo, owner }: RepositoryView,
  text: string,
  db: Executor = ctx.db,
): Promise<readonly number[]> {
  const named = namedIn(withoutCode(text), { owner: owner.name, repo: repo.name })
  const isSeen = isReadable(ctx.config, caller, { issues: true, pulls: true })
  return findNamed(db, named, isSeen, caller.account.id)
}

function namedIn(
  text: string,
  here: { readonly owner: string; readonly repo: string },
  most = MAX_REFERENCES,
): readonly NamedIssue[] {
  const named = new Map<string, NamedIssue>()
  for (const { 0: whole, groups = {} } of text.matchAll(reference)) {
    const { owner = here.owner, repo = here.repo, number } = groups
    named.set(whole, {
      owner: owner.toLowerCase(),
      repo: repo.toLowerCase(),
      number: Number(number),
    })
    if (named.size >= most) break
  }
  return [...named.values()]
}

/** Somewhere in a repository. */
export interface WrittenText {
  readonly owner: string
  readonly repo: string
  readonly text: string
}

/**
 * Of the issues that texts name: those that the caller reads, as `owner/repo#1` in lower case. By
 * one statement.
 */
export async function issuesKnownTo(
  ctx: Context,
  caller: Caller,
  written: readonly WrittenText[],
): Promise<ReadonlySet<string>> {
  const named = new Map(
    written
      .flatMap(({ text, ...here }) => namedIn(text, here, MAX_KNOWN))
      .map((one) => [keyOfIssue(one), one]),
  )
  const isSeen = isReadable(ctx.config, caller, { issues: true, pulls: true })
  const known = await findKnown(ctx.db, [...named.values()].slice(0, MAX_KNOWN), isSeen)
  return new Set(known.map(keyOfIssue))
}

export function keyOfIssue({ owner, repo, number }: NamedIssue): string {
  return `${owner}/${repo}#${number}`
}

/** The numbers of those that it names in its own repository. */
export function numbersNamedIn(
  text: string,
  { owner, repo }: { readonly owner: string; readonly repo: string },
): readonly number[] {
  const here = { owner: owner.toLowerCase(), repo: repo.toLowerCase() }
  const named = namedIn(withoutCode(text), here)
  const own = named.filter((one) => one.owner === here.owner && one.repo === here.repo)
  return [...new Set(own.map(({ number }) => number))]
}

/**
 * Each of them tells from now on that `source`, or a comment on it, names it. What it tells already
 * is not told again.
 */
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
