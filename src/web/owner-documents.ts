import { gpgKeysOf } from '../keys/gpg-keys.ts'
import { publicKeysOf } from '../keys/public-keys.ts'
import type { Page } from '../db/page.ts'
import { loadPerson, loadVisibleAccount } from '../users/load.ts'
import type { Look } from './look.ts'
import type { Document } from './send-document.ts'
import { newsOfOwner } from './syndication/activity-news.ts'
import { splitFormat } from './syndication/address.ts'
import { writeNews } from './syndication/document.ts'

const ALL: Page = { number: 1, limit: 1000, offset: 0 }
const PLAIN = 'text/plain; charset=utf-8'

/** What programs ask for by an ending that no name of an account has. */
export async function findOwnerDocument(look: Look): Promise<Document | undefined> {
  const asked = look.param('name')
  const { name, format } = splitFormat(asked)
  if (format) {
    const account = await loadVisibleAccount(look.ctx, look.viewer, name)
    return writeNews(await newsOfOwner(look, account), format)
  }
  if (asked.endsWith('.keys')) return sshKeysOf(look, asked.slice(0, -'.keys'.length))
  if (asked.endsWith('.gpg')) return armoredKeysOf(look, asked.slice(0, -'.gpg'.length))
  return undefined
}

/** A line each, as `authorized_keys` has them. The words behind a key are often an address, and for its owner alone. */
async function sshKeysOf({ ctx, viewer }: Look, name: string): Promise<Document> {
  const person = await loadPerson(ctx, viewer, name)
  const { items } = await publicKeysOf(ctx, person, ALL)
  const lines = items.map(({ content }) => `${content.split(' ', 2).join(' ')}\n`)
  return { type: PLAIN, text: lines.join('') }
}

async function armoredKeysOf({ ctx, viewer }: Look, name: string): Promise<Document> {
  const person = await loadPerson(ctx, viewer, name)
  const { items } = await gpgKeysOf(ctx, person, ALL)
  return { type: PLAIN, text: items.map(({ primary }) => `${primary.content.trim()}\n`).join('') }
}
