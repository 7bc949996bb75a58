import { isNotFound } from '../../platform/errors.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { readInteger } from '../../platform/http/query.ts'
import {
  addGpgKey,
  gpgKeysOf,
  removeGpgKey,
  verificationToken,
} from '../../identity/keys/gpg-keys.ts'
import { readNewPublicKey } from '../../identity/keys/present.ts'
import { addPublicKey, publicKeysOf, removePublicKey } from '../../identity/keys/public-keys.ts'
import { CreateGpgKeyOption, CreateKeyOption } from '../../identity/keys/schema.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations, type FormProblem } from '../forms/problem.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import { gpgKeyRow, SSH_LOSS, sshKeyRow } from '../key-rows.ts'
import type { Page } from '../layout.ts'
import { traceIn, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import {
  FACTOR_MISSING,
  confirmProblems,
  confirmUnlessFresh,
  renderUnlessFresh,
} from './confirm.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

const MAX_KEYS = 1000
const all = { number: 1, limit: MAX_KEYS, offset: 0 }

const explanations: Explanations = {
  ...confirmProblems,
  title_taken: { field: 'title', message: 'You have a key of this title.' },
  key_taken: { field: 'key', message: 'This key is in use already.' },
  key_invalid: { field: 'key', message: 'This is no public key as ssh-keygen writes it.' },
}

/** Those of the other form have their usual names. */
const gpgFactors = { password: 'gpg_password', code: 'gpg_one_time_code' } as const

interface KeysState {
  readonly ssh?: FormState
  readonly gpg?: FormState
}

const nothingTyped: FormState = { form: new URLSearchParams() }

export async function showKeys(look: SignedInLook, state: KeysState = {}): Promise<Page> {
  return inSection(
    look,
    'keys',
    html`
<h2>SSH keys</h2>
<p class="lede">With one of these, git comes in over SSH, and commits that are signed with it are verified.</p>
${await renderSshKeys(look)}
${await renderNewSshKey(look, state.ssh ?? nothingTyped)}
<h2>GPG keys</h2>
<p class="lede">Commits that are signed with one of these are verified.</p>
${await renderGpgKeys(look)}
${await renderNewGpgKey(look, state.gpg ?? nothingTyped)}`,
  )
}

async function renderSshKeys(look: SignedInLook): Promise<Html> {
  const { ctx, viewer } = look
  const { items } = await publicKeysOf(ctx, viewer.account, all)
  const removal = settingsPath(look, 'keys/ssh/delete')
  const rows = items.map((key) => {
    const loss = { name: key.title, warning: SSH_LOSS }
    return sshKeyRow(ctx, key, renderLoss(removal, loss, { id: key.id }))
  })
  return renderRows(rows, 'You have none yet. Make one with: ssh-keygen -t ed25519')
}

async function renderNewSshKey(look: SignedInLook, state: FormState): Promise<Html> {
  const fields = new FormFields(state)
  return html`
<form class="sheet form" method="post" action="${settingsPath(look, 'keys/ssh')}">
${fields.complaint}
${fields.text('title', 'Title', { hint: 'Such as the name of the machine.' })}
${fields.area('key', 'Public key', { hint: 'One line, such as that of ~/.ssh/id_ed25519.pub.' })}
${await renderUnlessFresh(look, fields)}
<button class="button main" type="submit">Add SSH key</button>
</form>`
}

async function renderGpgKeys(look: SignedInLook): Promise<Html> {
  const { ctx, viewer } = look
  const { items } = await gpgKeysOf(ctx, viewer.account, all)
  const removal = settingsPath(look, 'keys/gpg/delete')
  const rows = items.map((ring) => {
    const { id, keyId } = ring.primary
    const loss = { name: keyId, warning: 'What was signed with it is no longer verified.' }
    return gpgKeyRow(ctx, ring, renderLoss(removal, loss, { id }))
  })
  return renderRows(rows, 'You have none yet. Write one out with: gpg --armor --export')
}

async function renderNewGpgKey(look: SignedInLook, state: FormState): Promise<Html> {
  const fields = new FormFields(state)
  const token = verificationToken(look.ctx, look.viewer.account)
  return html`
<form class="sheet form" method="post" action="${settingsPath(look, 'keys/gpg')}">
${fields.complaint}
${fields.area('armored_key', 'Armored public key', { rows: 6 })}
<details${fields.value('signature') !== '' && html` open`}><summary>The key names none of your addresses</summary>
<p>Then show within two minutes that it is yours: <code>echo ${token} | gpg --armor --detach-sig</code></p>
${fields.area('signature', 'Signature', { rows: 6 })}
</details>
${await renderUnlessFresh(look, fields, gpgFactors)}
<button class="button main" type="submit">Add GPG key</button>
</form>`
}

export async function addSshKey(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    await confirmUnlessFresh(submitted)
    const key = readNewPublicKey(bindForm(CreateKeyOption, form))
    const by = { trace: traceIn(submitted), adder: viewer.credential }
    await addPublicKey(ctx, viewer.account, key, by)
  } catch (error) {
    return again(
      await showKeys(submitted, { ssh: { form, problem: problemOf(error, explanations) } }),
    )
  }
  return saved(submitted, 'keys')
}

export async function dropSshKey(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  await removePublicKey(ctx, viewer, readInteger(form.get('id') ?? ''), traceIn(submitted))
  return saved(submitted, 'keys')
}

export async function addOwnGpgKey(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  try {
    const body = bindForm(CreateGpgKeyOption, form)
    const key = { armored: body.armored_public_key, signature: body.armored_signature ?? '' }
    await confirmUnlessFresh(submitted, gpgFactors)
    await addGpgKey(ctx, viewer.account, key, traceIn(submitted))
  } catch (error) {
    return again(await showKeys(submitted, { gpg: { form, problem: gpgProblem(error) } }))
  }
  return saved(submitted, 'keys')
}

function gpgProblem(error: unknown): FormProblem {
  if (isNotFound(error)) {
    const message = 'It names none of your addresses, and no signature shows that it is yours.'
    return { field: 'armored_key', message }
  }
  return problemOf(error, {
    second_factor_missing: { field: gpgFactors.code, message: FACTOR_MISSING },
    password_wrong: {
      field: gpgFactors.password,
      message: 'The password or the second factor is wrong.',
    },
    key_taken: { field: 'armored_key', message: 'This key is in use already.' },
    key_invalid: { field: 'armored_key', message: 'This is no public key that can be used.' },
  })
}

export async function dropGpgKey(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const id = readInteger(form.get('id') ?? '')
  await removeGpgKey(ctx, viewer.account, id, traceIn(submitted))
  return saved(submitted, 'keys')
}
