import { shortened } from '../../platform/parsing/beginning.ts'
import type { Authors } from '../../code/commits/authors.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { Refer } from '../../platform/markup/references.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { avatar } from '../avatar.ts'
import { avatarOfStranger, personLink } from '../person.ts'
import { linkReferences } from './references.ts'
import { pathTo, type Visit } from './visit.ts'

const SHORT_ID = 10
/** A line on a page; the rest is on the page of the commit. */
const MAX_SUBJECT = 300
const MAX_NAME = 100

/** The first line of its message, or what stands for one. */
export function subjectOf({ message }: Pick<Commit, 'message'>): string {
  const [line = ''] = message.trimStart().split('\n', 1)
  return shortened(line.trim(), MAX_SUBJECT) || 'No message'
}

function commitPath(visit: Pick<Visit, 'home'>, id: string): string {
  return pathTo(visit, 'commit', id)
}

export function subjectLink(visit: Visit, commit: Commit): Html {
  return subjectPart(visit, commit, subjectOf(commit))
}

/** Like `subjectLink`, but for what it refers to: that leads there. */
export function referringSubject(visit: Visit, commit: Commit, refer: Refer): Part {
  return linkReferences(subjectOf(commit), refer, (text) => subjectPart(visit, commit, text))
}

function subjectPart(visit: Visit, { id }: Commit, text: string): Html {
  return html`<a class="subject" href="${commitPath(visit, id)}">${text}</a>`
}

export function idLink(visit: Pick<Visit, 'home'>, id: string): Html {
  return html`<a class="id" href="${commitPath(visit, id)}">${id.slice(0, SHORT_ID)}</a>`
}

export function authorOf(
  { ctx }: Visit,
  { author }: Pick<Commit, 'author'>,
  authors: Authors,
): Html {
  const account = authors(author.email)
  if (!account)
    return html`<b class="person">${shortened(author.name || author.email, MAX_NAME)}</b>`
  return personLink(ctx.config, account)
}

export function pictureOf(
  { ctx }: Visit,
  { author }: Pick<Commit, 'author'>,
  authors: Authors,
): Html {
  const account = authors(author.email)
  return account ? avatar(ctx.config, account, 24) : avatarOfStranger(ctx.config, author)
}

export function commitTime({ ctx }: Visit, { committer }: Commit): Html {
  return timeAgo(ctx.now(), committer.at)
}
