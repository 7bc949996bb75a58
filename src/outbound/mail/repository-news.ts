import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import { viewRepository, type RepositoryView } from '../../repositories/repository/view.ts'
import { isOfferedTo, ownsFor } from '../../code/transfers/transfer.ts'
import { ghost } from '../../identity/users/account.ts'
import { findById } from '../../identity/users/load.ts'
import { deliver } from './deliver.ts'
import type { Mail } from './mail.ts'
import { findRecipient, type Recipient } from './recipient.ts'
import { composeNews, type News } from './repository-mail.ts'

type Asked = Jobs['mail_repository_news']

export async function mailRepositoryNews(ctx: Context, news: Asked, run: JobRun): Promise<void> {
  await deliver(ctx, run, () => compose(ctx, news, run))
}

async function compose(ctx: Context, news: Asked, { id }: JobRun): Promise<Mail | undefined> {
  const recipient = await findRecipient(ctx, news)
  const repo = (await repositoriesById(ctx.db, [news.repositoryId])).get(news.repositoryId)
  if (!recipient || !repo) return undefined
  const view = await viewRepository(ctx, recipient.caller, repo)
  if (!(await isTrueStill(ctx, recipient, view, news))) return undefined
  const actor = (await findById(ctx, news.actorId)) ?? ghost
  const home = `${baseUrl(ctx.config)}/${view.owner.name}/${repo.name}`
  const told = news.kind === 'offer' ? tellOffer(view, home) : tellFork(home)
  return composeNews(ctx, recipient, view, {
    ...told,
    actorName: actor.name,
    id: `repository-${repo.id}-${id}`,
  })
}

async function isTrueStill(
  ctx: Context,
  { caller }: Recipient,
  view: RepositoryView,
  { kind }: Asked,
): Promise<boolean> {
  if (kind === 'offer') return isOfferedTo(ctx, caller, view)
  return view.repo.isPrivate && (await ownsFor(ctx, caller.account, view.owner.id))
}

type Told = Pick<News, 'deed' | 'subject' | 'text' | 'url' | 'why'>

function tellOffer({ transfer, owner, repo }: RepositoryView, home: string): Told {
  const recipient = transfer?.recipient.name ?? ''
  return {
    deed: `offers this repository to ${recipient}`,
    subject: `Transfer to ${recipient}`,
    text: `${owner.name}/${repo.name} belongs to ${recipient} once it is accepted. Accept or decline it here: ${home}/transfer`,
    url: `${home}/transfer`,
    why: `You get this because you are asked to decide for ${recipient}.`,
  }
}

function tellFork(home: string): Told {
  return {
    deed: 'made the repository that this one was forked from private, and with it this fork,',
    subject: 'Your fork is private now',
    text: 'A fork is as visible as the repository that it was forked from. The stars and watches of your fork are gone, also your own.',
    url: home,
    why: 'You get this because the fork is yours.',
  }
}
