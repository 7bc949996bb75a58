import { baseHostname, baseUrl, encodeSegment } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { namesKnownTo } from '../../collaboration/issues/mentions.ts'
import type { Refer } from '../../platform/markup/references.ts'
import { renderMarkdown } from '../../platform/markup/render.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { html, trusted, type Html } from '../../platform/html.ts'
import { messageIdOf, type Mail } from './mail.ts'
import type { Recipient } from './recipient.ts'

/** More than anybody reads in a mail; the rest is on the page. */
const MAX_CHARACTERS = 65_536

/** What has happened in a repository, for one of those who hear of it. */
export interface News {
  readonly actorName: string
  /** A sentence without its subject, such as `commented on #1`. */
  readonly deed: string
  readonly subject: string
  readonly text: string
  /** Where to see it. */
  readonly url: string
  /** Absent: the reader watches the repository or takes part in it. */
  readonly why?: string
  readonly id: string
  /** What it goes on with. */
  readonly threadId?: string
}

export async function composeNews(
  ctx: Context,
  { caller, address }: Recipient,
  view: RepositoryView,
  news: News,
): Promise<Mail> {
  const { config } = ctx
  const path = `${view.owner.name}/${view.repo.name}`
  const text = news.text.slice(0, MAX_CHARACTERS)
  const choice = `${baseUrl(config)}/user/settings/notifications`
  const intro = `${news.actorName} ${news.deed} in ${path}`
  const why = news.why ?? `You get this because you watch ${path} or take part in it.`
  const known = await namesKnownTo(ctx, caller, [text])
  const rendered = await renderMarkdown(text, {
    hardBreaks: true,
    refer: referIn(ctx, view, known),
    resolve: (written, of) => (of === 'image' ? undefined : URL.parse(written, news.url)?.href),
  })
  return {
    to: address,
    fromName: news.actorName,
    subject: `${news.threadId === undefined ? '' : 'Re: '}[${path}] ${news.subject}`,
    text: `${intro}:\n\n${text === '' ? '' : `${text}\n\n`}-- \nSee it: ${news.url}\n${why} Choose what you are mailed: ${choice}\n`,
    html: page(html`
<p>${intro}:</p>
${trusted(rendered)}
<hr>
<p><a href="${news.url}">See it</a>. ${why} <a href="${choice}">Choose what you are mailed</a>.</p>`),
    messageId: messageIdOf(config, news.id),
    ...(news.threadId === undefined ? {} : { replyTo: messageIdOf(config, news.threadId) }),
    headers: {
      'List-ID': `${path} <${view.repo.name}.${view.owner.name}.${baseHostname(config)}>`,
      'List-Archive': `<${baseUrl(config)}/${path}>`,
      'List-Unsubscribe': `<${choice}>`,
      'X-Auto-Response-Suppress': 'All',
    },
  }
}

function page(content: Html): Html {
  return html`<!doctype html>
<html><head><meta charset="utf-8"></head><body>${content}
</body></html>
`
}

/** As on pages, with whole addresses: people only of whom the reader knows. */
function referIn({ config }: Context, view: RepositoryView, people: ReadonlySet<string>): Refer {
  const root = baseUrl(config)
  const home = `${root}/${view.owner.name}/${view.repo.name}`
  return (named) => {
    if (named.kind === 'commit') return `${home}/commit/${named.id}`
    if (named.kind === 'issue') {
      const { repository, number } = named
      if (repository === undefined) return `${home}/issues/${number}`
      return `${root}/${repository.split('/').map(encodeSegment).join('/')}/issues/${number}`
    }
    return people.has(named.name.toLowerCase()) ? `${root}/${encodeSegment(named.name)}` : undefined
  }
}
