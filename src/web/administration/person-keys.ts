import { readInteger } from '../../platform/http/query.ts'
import { gpgKeysOf } from '../../identity/keys/gpg-keys.ts'
import { publicKeysOf, removePublicKeyOf } from '../../identity/keys/public-keys.ts'
import type { Account } from '../../identity/users/account.ts'
import { loadPerson } from '../../identity/users/load.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import { gpgKeyRow, SSH_LOSS, sshKeyRow } from '../key-rows.ts'
import { traceIn, type Look, type Shown, type Submitted } from '../look.ts'
import { adminPath, saved } from './section.ts'

const all = { number: 1, limit: 1000, offset: 0 }

/** With which keys somebody comes in and signs. */
export async function renderKeys(look: Look, person: Account): Promise<Html> {
  const { ctx } = look
  const ssh = await publicKeysOf(ctx, person, all)
  const gpg = await gpgKeysOf(ctx, person, all)
  const removal = adminPath(look, 'users', person.name, 'keys', 'delete')
  return html`
<h2>SSH keys</h2>
${renderRows(
  ssh.items.map((key) => {
    const loss = { name: key.title, warning: SSH_LOSS }
    return sshKeyRow(ctx, key, renderLoss(removal, loss, { id: key.id }))
  }),
  'There is none.',
)}
<h2>GPG keys</h2>
${renderRows(
  gpg.items.map((ring) => gpgKeyRow(ctx, ring)),
  'There is none.',
)}`
}

export async function dropKey(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form, param } = submitted
  const person = await loadPerson(ctx, viewer, param('name'))
  await removePublicKeyOf(ctx, person, readInteger(form.get('id') ?? ''), traceIn(submitted))
  return saved(submitted, 'users', person.name)
}
