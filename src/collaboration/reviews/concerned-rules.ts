import { setImmediate as nextTurn } from 'node:timers/promises'
import { readingCode } from '../../code/commits/code.ts'
import type { Context } from '../../platform/context.ts'
import { listComparedFiles } from '../../platform/git/range-files.ts'
import type { Pull } from '../pulls/pull.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { compilePathPattern, readOwnerRules, type OwnerRule } from './owner-rules.ts'

/** Where it may be; the first that is there counts. */
const places = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitea/CODEOWNERS']
const MAX_BYTES = 256 * 1024
const MAX_MS = 1_000
const TURN_MS = 20

export type Compared = Pick<Pull, 'baseBranch' | 'baseCommitId' | 'mergeBase' | 'headCommitId'>

export interface Concerned {
  readonly rules: readonly OwnerRule[]
  /** Whether all of the file was looked at. */
  readonly isComplete: boolean
}

/**
 * What the CODEOWNERS file of the base branch says of the paths that a pull request changes. The
 * file that a fork has from its origin is not for its own pull requests.
 */
export async function findConcernedRules(
  ctx: Context,
  repo: Repository,
  pull: Compared,
): Promise<Concerned> {
  const text = repo.forkOf === undefined ? await readOwnersFile(ctx, repo, pull) : ''
  if (text === undefined) return { rules: [], isComplete: false }
  const rules = readOwnerRules(text)
  if (rules.length === 0 || pull.mergeBase === '') return { rules: [], isComplete: true }
  const compared = { base: pull.mergeBase, head: pull.headCommitId }
  const files = await listComparedFiles(ctx.git, folderOf(ctx, repo), compared)
  const paths = files.flatMap(({ path, previousPath }) => [path, previousPath ?? []].flat())
  return matchRules(ctx, rules, [...new Set(paths)])
}

/** Empty when there is none; `undefined` for one that is too large. */
async function readOwnersFile(
  ctx: Context,
  repo: Repository,
  { baseCommitId }: Compared,
): Promise<string | undefined> {
  return readingCode(ctx, repo, async (objects) => {
    for (const place of places) {
      const info = await objects.info(`${baseCommitId}:${place}`)
      if (info?.type !== 'blob') continue
      const file = await objects.read(info.id, MAX_BYTES)
      return file?.content.toString('utf8')
    }
    return ''
  })
}

/** Takes a limited time altogether, and little of it at once: many patterns may meet many paths. */
async function matchRules(
  ctx: Context,
  rules: readonly OwnerRule[],
  paths: readonly string[],
): Promise<Concerned> {
  const concerned: OwnerRule[] = []
  const until = performance.now() + MAX_MS
  let turn = performance.now()
  for (const rule of rules) {
    const matches = compilePathPattern(rule.pattern)
    for (const path of matches ? paths : []) {
      if (performance.now() - turn > TURN_MS) {
        await nextTurn()
        turn = performance.now()
      }
      if (turn > until) {
        ctx.log.warn('code owners: the patterns take too long for so many files')
        return { rules: concerned, isComplete: false }
      }
      if (matches?.(path) === rule.isNegated) continue
      concerned.push(rule)
      break
    }
  }
  return { rules: concerned, isComplete: true }
}
