import { baseUrl, encodePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { loadRelease } from '../../delivery/releases/load.ts'
import { loadVisibleById, readsUnit } from '../../repositories/repository/load.ts'
import { ghost } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import { deliver } from './deliver.ts'
import type { Mail } from './mail.ts'
import { findRecipient } from './recipient.ts'
import { composeNews } from './repository-mail.ts'
import { unlessHidden } from './unless-hidden.ts'

export async function mailRelease(
  ctx: Context,
  news: Jobs['mail_release'],
  run: JobRun,
): Promise<void> {
  await deliver(ctx, run, () => unlessHidden(() => compose(ctx, news)))
}

async function compose(ctx: Context, news: Jobs['mail_release']): Promise<Mail | undefined> {
  const recipient = await findRecipient(ctx, news)
  if (!recipient) return undefined
  const view = await loadVisibleById(ctx, recipient.caller, news.repositoryId)
  const release = await loadRelease(ctx, recipient.caller, view, news.releaseId)
  if (release.isDraft || !readsUnit(view, 'repo.releases')) return undefined
  const actor = (await findById(ctx, news.actorId)) ?? ghost
  const { title, tagName } = release
  return composeNews(ctx, recipient, view, {
    actorName: actor.name,
    deed: `published ${tagName}`,
    subject: title === '' || title === tagName ? tagName : `${tagName}: ${title}`,
    text: release.note,
    url: `${baseUrl(ctx.config)}/${view.owner.name}/${view.repo.name}/releases/tag/${encodePath(tagName)}`,
    id: `release-${release.id}`,
  })
}
