import { formatTime } from '../../platform/time.ts'
import { verbatim } from '../../platform/html.ts'
import type { Document } from '../send-document.ts'

/** Both say the same; programs that collect news read either. */
export type Format = 'atom' | 'rss'

/** Something that happened, or was made. Addresses are whole. */
export interface Entry {
  /** Stays the same wherever it is found, and whatever its place is called later. */
  readonly id: string
  readonly title: string
  readonly leadsTo: string
  readonly at: number
  readonly author: string | undefined
  /** Markup; empty where the title says all. */
  readonly content: string
}

export interface News {
  readonly title: string
  /** The page that shows the same. */
  readonly leadsTo: string
  /** Where this was asked for. */
  readonly self: string
  /** Of what has no entries yet. */
  readonly since: number
  /** Newest first. */
  readonly entries: readonly Entry[]
}

export function writeNews(news: News, format: Format): Document {
  const text = format === 'atom' ? writeAtom(news) : writeRss(news)
  return { type: `application/${format}+xml; charset=utf-8`, text }
}

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>'

function writeAtom({ title, leadsTo, self, since, entries }: News): string {
  return `${DECLARATION}
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(leadsTo)}</id>
<title>${xml(title)}</title>
<updated>${formatTime(entries[0]?.at ?? since)}</updated>
<link rel="alternate" type="text/html" href="${xml(leadsTo)}"/>
<link rel="self" type="application/atom+xml" href="${xml(self)}"/>
${entries.map(writeAtomEntry).join('\n')}
</feed>
`
}

function writeAtomEntry({ id, title, leadsTo, at, author, content }: Entry): string {
  return `<entry>
<id>${xml(id)}</id>
<title>${xml(title)}</title>
<updated>${formatTime(at)}</updated>
<link rel="alternate" type="text/html" href="${xml(leadsTo)}"/>
<author><name>${xml(author ?? 'somebody')}</name></author>
<content type="html">${xml(content)}</content>
</entry>`
}

function writeRss({ title, leadsTo, self, since, entries }: News): string {
  return `${DECLARATION}
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
<title>${xml(title)}</title>
<link>${xml(leadsTo)}</link>
<atom:link rel="self" type="application/rss+xml" href="${xml(self)}"/>
<description>${xml(title)}</description>
<pubDate>${mailTime(entries[0]?.at ?? since)}</pubDate>
${entries.map(writeRssItem).join('\n')}
</channel>
</rss>
`
}

function writeRssItem({ id, title, leadsTo, at, author, content }: Entry): string {
  return `<item>
<guid isPermaLink="false">${xml(id)}</guid>
<title>${xml(title)}</title>
<link>${xml(leadsTo)}</link>
<pubDate>${mailTime(at)}</pubDate>
${author === undefined ? '' : `<dc:creator>${xml(author)}</dc:creator>\n`}<description>${xml(content)}</description>
</item>`
}

/** As mails write it, and with them RSS. */
function mailTime(at: number): string {
  return new Date(at * 1000).toUTCString()
}

/** Characters that no document may hold, however they are written, are left out. */
function xml(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
  return verbatim(allowed).toString()
}
