import type { Second } from '../../identity/auth/authenticate.ts'
import type { KeyAnswer } from '../../identity/auth/security-keys/answer.ts'
import { holderOf, type Holder } from '../../identity/auth/security-keys/challenges.ts'
import type { NewKeyAnswer } from '../../identity/auth/security-keys/enrol.ts'
import type { PasskeyAnswer } from '../../identity/auth/security-keys/passkey.ts'
import { hasSecondFactor, type Account } from '../../identity/users/account.ts'
import { html, type Html } from '../../platform/html.ts'
import type { SignedInLook, Submitted } from '../look.ts'
import type { FormFields } from './fields.ts'

/** More than any key answers. */
const MAX_TEXT_LENGTH = 8192

/** What a security key is asked when the form around it is sent. */
export interface KeyPrompt {
  /** Where the script gets what it asks a key that is enrolled. */
  readonly question?: string | undefined
  /** Where the script gets what it asks a new key. */
  readonly offer?: string | undefined
  /** The field that is filled in by who does not use a key. */
  readonly code?: string | undefined
  /** What the script says beside it. */
  readonly hint?: string | undefined
  /** Of a form that has no other button. */
  readonly button?: string | undefined
}

/** Without script it says that it needs it. */
export function renderKeyPrompt({ question, offer, code, hint, button }: KeyPrompt): Html {
  const attributes = Object.entries({ question, offer, code, hint, button }).map(
    ([name, value]) => value !== undefined && html` ${name}="${value}"`,
  )
  return html`<security-key${attributes}><p class="hint">A security key needs script, which does not run here.</p></security-key>`
}

/** Beside a form that does without script: where that does not run, there is nothing of it. */
export function renderPasskeyButton(question: string): Html {
  return html`<security-key question="${question}" button="Sign in with a passkey" look="button"></security-key>`
}

/**
 * Beside the password: a code or the key of who has a second factor, and a new key where one is
 * offered.
 */
export function renderSecondFactor(
  look: SignedInLook,
  fields: FormFields,
  { question, offer, code = 'one_time_code' }: KeyPrompt,
): Html {
  const { account } = look.viewer
  const hasKey = account.securityKeys > 0
  const hints = [
    ...(hasKey ? ['Leave the code empty to use your security key.'] : []),
    ...(offer === undefined ? [] : ['Your browser asks for the new key in the end.']),
  ]
  const prompt = { offer, hint: hints.join(' '), ...(hasKey && { question, code }) }
  return html`
${hasSecondFactor(account) && renderCode(account, fields, code)}
${hints.length > 0 && renderKeyPrompt(prompt)}`
}

function renderCode({ totpSecret, securityKeys }: Account, fields: FormFields, name: string): Html {
  const isApp = totpSecret !== ''
  return fields.text(name, isApp ? 'One-time code' : 'Recovery code', {
    autocomplete: 'one-time-code',
    secret: true,
    optional: securityKeys > 0,
    hint: isApp ? 'Or a recovery code, which is used up then.' : 'It is used up then.',
  })
}

/** What came of it. */
export function readSecondFactor(
  { request, viewer, form }: Submitted,
  name = 'one_time_code',
): Second {
  return {
    address: request.ip,
    oneTimeCode: form.get(name) || undefined,
    keyAnswer: readKeyAnswer(form, holderOf(viewer)),
  }
}

export function readKeyAnswer(form: URLSearchParams, holder: Holder): KeyAnswer | undefined {
  return form.get('key_id') ? { holder, ...readAnswer(form) } : undefined
}

export function readPasskeyAnswer(form: URLSearchParams): PasskeyAnswer {
  return { ...readAnswer(form), userHandle: bytesIn(form, 'key_user_handle') }
}

function readAnswer(form: URLSearchParams): Omit<KeyAnswer, 'holder'> {
  return {
    credentialId: bytesIn(form, 'key_id'),
    clientData: bytesIn(form, 'key_client_data'),
    authenticatorData: bytesIn(form, 'key_authenticator_data'),
    signature: bytesIn(form, 'key_signature'),
  }
}

export function readNewKeyAnswer({ viewer, form }: Submitted): NewKeyAnswer {
  return {
    holder: holderOf(viewer),
    clientData: bytesIn(form, 'new_key_client_data'),
    authenticatorData: bytesIn(form, 'new_key_authenticator_data'),
    publicKey: bytesIn(form, 'new_key_public_key'),
  }
}

function bytesIn(form: URLSearchParams, name: string): Buffer {
  const text = form.get(name) ?? ''
  return Buffer.from(text.length > MAX_TEXT_LENGTH ? '' : text, 'base64url')
}
