import { readingCode } from '../commits/code.ts'
import type { Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { notFound } from '../../platform/errors.ts'
import { readCommit, readCommits } from '../../platform/git/history.ts'
import { listKeptRefs } from '../../platform/git/list-refs.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { findBranch } from '../../platform/git/revisions.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

export interface Branch {
  readonly name: string
  readonly commit: Commit
}

/** In the order of their names, but for the one that is wanted before all others. */
export async function listBranches(
  ctx: Context,
  repo: Repository,
  part: string,
  page: Page & { readonly first?: string },
): Promise<PageOf<Branch>> {
  const wanted = part.toLowerCase()
  const found = (await listKeptRefs(ctx.git, folderOf(ctx, repo), 'refs/heads'))
    .map(({ name, id }) => ({ name: name.slice('refs/heads/'.length), id }))
    .filter(({ name }) => name.toLowerCase().includes(wanted))
  const isFirst = ({ name }: { readonly name: string }) => name === page.first
  const refs = [...found.filter(isFirst), ...found.filter((ref) => !isFirst(ref))]
  const shown = refs.slice(page.offset, page.offset + page.limit)
  const ids = shown.map(({ id }) => id)
  const commits = await readingCode(ctx, repo, (objects) => readCommits(objects, ids))
  const byId = new Map(commits.map((commit) => [commit.id, commit]))
  const items = shown.flatMap(({ name, id }) => {
    const commit = byId.get(id)
    return commit ? [{ name, commit }] : []
  })
  return { items, total: refs.length }
}

export async function loadBranch(ctx: Context, repo: Repository, name: string): Promise<Branch> {
  return readingCode(ctx, repo, async (objects) => {
    const found = await findBranch(objects, name)
    if (!found) throw notFound()
    return { name, commit: await readCommit(objects, found.commitId) }
  })
}
