import { existsSync } from 'node:fs'
import type { Context } from '../../platform/context.ts'
import { wikiFolder } from '../../platform/git/layout.ts'
import { pushRemote, type PushOptions } from '../../platform/git/push-remote.ts'
import { readRemoteHead, type Remote, type RemoteOptions } from '../../platform/git/remote.ts'
import { listBranchNames } from '../../platform/git/written-refs.ts'
import { isThere } from '../pushes/access.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { besideCode } from './wiki.ts'

/** Where the wiki lies, if the repository has one with something in it. */
export async function findWiki(ctx: Context, view: RepositoryView): Promise<string | undefined> {
  const folder = wikiFolder(ctx.config, view.repo.folder)
  if (!isThere(view, 'wiki') || !existsSync(folder)) return undefined
  return (await listBranchNames(folder)).length > 0 ? folder : undefined
}

/** A remote that shows no wiki takes none, which is no failure. */
export async function pushWiki(
  ctx: Context,
  folder: string,
  remote: Remote,
  limits: () => PushOptions,
): Promise<void> {
  const wiki = { ...remote, url: besideCode(remote.url) }
  if (await isShown(ctx, folder, wiki, limits())) {
    await pushRemote(ctx.git, folder, wiki, limits())
  }
}

async function isShown(
  ctx: Context,
  folder: string,
  wiki: Remote,
  limits: RemoteOptions,
): Promise<boolean> {
  try {
    await readRemoteHead(ctx.git, folder, wiki, limits)
    return true
  } catch (error) {
    limits.signal.throwIfAborted()
    ctx.log.info({ err: error }, 'no wiki to push to')
    return false
  }
}
