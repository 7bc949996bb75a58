import { attachmentsOfReleases } from '../../repositories/attachments/load.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { presentRelease } from './present.ts'
import type { Release } from './release.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { announce } from '../../events/webhooks/announce.ts'
import { presentPerson, viewPlace } from '../../repositories/repository/webhook-payload.ts'

/** Told before a release goes, and after any other change. Of drafts nobody hears. */
export async function announceRelease(
  ctx: Context,
  tx: Executor,
  actor: Account,
  release: Release,
  action: 'published' | 'updated' | 'deleted',
): Promise<void> {
  if (release.isDraft || release.isTag) return
  const payload = async () => {
    const place = await viewPlace(ctx, tx, release.repositoryId)
    return {
      action,
      release: await presentNow(ctx, tx, place, release),
      repository: presentRepository(ctx.config, place),
      sender: presentPerson(ctx, actor),
    }
  }
  await announce(ctx, tx, release.repositoryId, [{ kind: 'release', payload }])
}

async function presentNow(ctx: Context, tx: Executor, place: RepositoryView, release: Release) {
  const authors = await findAllById(tx, release.authorId === undefined ? [] : [release.authorId])
  const files = (await attachmentsOfReleases(tx, [release.id])).get(release.id) ?? []
  return presentRelease(ctx.config, place, release, {
    author: authors.get(release.authorId ?? 0),
    files,
    showDigest: false,
  })
}
