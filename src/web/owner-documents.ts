import type { Context } from '../platform/context.ts'
import type { Page } from '../platform/db/page.ts'
import { notFound } from '../platform/errors.ts'
import { gpgKeysOf } from '../identity/keys/gpg-keys.ts'
import { publicKeysOf } from '../identity/keys/public-keys.ts'
import type { Account } from '../identity/users/account.ts'
import { loadVisibleAccount } from '../identity/users/load.ts'
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
  for (const [ending, listKeys] of Object.entries(keysByEnding)) {
    if (!asked.endsWith(ending)) continue
    const account = await loadVisibleAccount(look.ctx, look.viewer, asked.slice(0, -ending.length))
    if (account.kind === 'organization') throw notFound()
    const keys = await listKeys(look.ctx, account)
    return { type: PLAIN, text: keys.map((key) => `${key}\n`).join('') }
  }
  return undefined
}

const keysByEnding = { '.keys': sshKeysOf, '.gpg': armoredKeysOf }

/**
 * As `authorized_keys` has them. The words behind a key are often an address, and for its owner
 * alone.
 */
async function sshKeysOf(ctx: Context, person: Account): Promise<readonly string[]> {
  const { items } = await publicKeysOf(ctx, person, ALL)
  return items.map(({ content }) => content.split(' ', 2).join(' '))
}

async function armoredKeysOf(ctx: Context, person: Account): Promise<readonly string[]> {
  const { items } = await gpgKeysOf(ctx, person, ALL)
  return items.map(({ primary }) => primary.content.trim())
}
