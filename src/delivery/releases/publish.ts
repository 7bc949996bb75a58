import { findNamedRevision, readingCode } from '../../code/commits/code.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { listRefs } from '../../platform/git/list-refs.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import { parseCommit } from '../../platform/git/parse.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { placeTag } from '../../code/tags/tags.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'

const TAGS = 'refs/tags/'

export interface WantedTag {
  readonly name: string
  /** Looked at only where there is no such tag yet. */
  readonly target: string
  readonly message: string
}

/** When the commit of a tag was made; what is no tag has no time. */
async function findTagTime(
  ctx: Context,
  { repo }: RepositoryView,
  name: string,
): Promise<number | undefined> {
  return readingCode(ctx, repo, (objects) => commitTime(objects, `${TAGS}${name}^{commit}`))
}

export async function isTagged(ctx: Context, view: RepositoryView, name: string): Promise<boolean> {
  return (await findTagTime(ctx, view, name)) !== undefined
}

/** The tag of one of these names, else of one that differs from them in letter case alone. */
export async function findTagName(
  ctx: Context,
  view: RepositoryView,
  names: readonly string[],
): Promise<string | undefined> {
  for (const name of new Set(names)) if (await isTagged(ctx, view, name)) return name
  const lower = new Set(names.map((name) => name.toLowerCase()))
  const refs = await listRefs(ctx.git, folderOf(ctx, view.repo), TAGS)
  for (const name of refs.map((ref) => ref.name.slice(TAGS.length))) {
    if (lower.has(name.toLowerCase()) && (await isTagged(ctx, view, name))) return name
  }
  return undefined
}

/** Makes the tag of a release where it is missing; when the commit that it stands for was made. */
export async function ensureTag(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { name, target, message }: WantedTag,
): Promise<number> {
  const found = await findTagTime(ctx, view, name)
  if (found !== undefined) return found
  const { commitId, time } = await loadTarget(ctx, view, target)
  try {
    await placeTag(ctx, caller, view, { name, message, commitId })
  } catch (error) {
    throw refusal(error, name)
  }
  return time
}

async function loadTarget(ctx: Context, { repo }: RepositoryView, target: string) {
  return readingCode(ctx, repo, async (objects) => {
    const revision = await findNamedRevision(objects, repo, target)
    const time = revision && (await commitTime(objects, revision.commitId))
    if (!revision || time === undefined)
      throw notFound('target not found', { reason: 'target_missing' })
    return { commitId: revision.commitId, time }
  })
}

async function commitTime(objects: ObjectReader, name: string): Promise<number | undefined> {
  const object = await objects.read(name)
  return object?.type === 'commit' ? parseCommit(object).committer.at : undefined
}

/** What a rule of the repository says about the tag is told as the contract does here. */
function refusal(error: unknown, name: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid') return error
  return invalid(`release tag name is protected [tag_name: ${name}]`, {
    cause: error,
    reason: 'tag_protected',
  })
}
