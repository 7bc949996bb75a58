import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import type { Context } from '../../platform/context.ts'
import type { ObjectFormat } from '../../platform/db/columns.ts'
import { createRepositoryFolder, removeRepositoryFolder } from '../../platform/git/create.ts'
import { repositoryFolder, wikiFolder } from '../../platform/git/layout.ts'
import { isRefName } from '../../platform/git/ref-name.ts'
import { listBranchNames } from '../../platform/git/written-refs.ts'
import { readRemoteHead, type Remote, type RemoteOptions } from '../../platform/git/remote.ts'
import { mendHead } from '../wikis/after-change.ts'
import { fetchAllowed } from './fetch-allowed.ts'
import { digestOfRefs } from './digest.ts'

/** Whose wiki it becomes. */
export interface WikiOf {
  readonly folder: string
  readonly objectFormat: ObjectFormat
}

export interface WikiOptions extends RemoteOptions {
  readonly prune: boolean
}

/**
 * True when something came. A remote that shows no wiki has none, which is no failure as long as we
 * have none either.
 */
export async function fetchWiki(
  ctx: Context,
  of: WikiOf,
  remote: Remote,
  options: WikiOptions,
): Promise<boolean> {
  const folder = wikiFolder(ctx.config, of.folder)
  const wiki = { ...remote, url: besideCode(remote.url) }
  if (!existsSync(folder)) return fetchFirst(ctx, of, wiki, options)
  const before = await digestOfRefs(ctx, folder)
  const [branch] = await listBranchNames(folder)
  const known = branch === undefined ? undefined : `refs/heads/${branch}`
  await fetchAllowed(ctx, folder, wiki, { ...options, known })
  await mendHead(ctx, folder)
  return before !== (await digestOfRefs(ctx, folder))
}

/** Into a draft, so that it is there as a whole or not at all. */
async function fetchFirst(
  ctx: Context,
  of: WikiOf,
  wiki: Remote,
  options: WikiOptions,
): Promise<boolean> {
  const draft = repositoryFolder(ctx.config, randomUUID())
  try {
    const { branch, objectFormat } = await readRemoteHead(ctx.git, draft, wiki, options)
    if (objectFormat !== of.objectFormat) throw new Error('the wiki has another object format')
    const fallback = ctx.config.repositories.default_branch
    const head = branch !== undefined && isRefName(branch) ? branch : fallback
    await createRepositoryFolder(draft, { branch: head, objectFormat })
    await fetchAllowed(ctx, draft, wiki, options)
    await mendHead(ctx, draft)
    if ((await listBranchNames(draft)).length === 0) return false
    await rename(draft, wikiFolder(ctx.config, of.folder))
    return true
  } catch (error) {
    options.signal.throwIfAborted()
    ctx.log.info({ err: error, folder: of.folder }, 'no wiki fetched')
    return false
  } finally {
    await removeRepositoryFolder(draft)
  }
}

/** Where a server that has the code at this address has its wiki. */
export function besideCode(address: string): string {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')}.wiki.git`
  return url.href
}
