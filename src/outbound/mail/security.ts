import type { SecurityChange, Trace } from '../../identity/auth/security-news.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { formatTime } from '../../platform/time.ts'
import { deliver } from './deliver.ts'
import { messageIdOf, oneLine, type Mail } from './mail.ts'

type News = Jobs['mail_security']

/** What has happened, and where to undo it: a path below the settings of an account. */
const told: Readonly<Record<SecurityChange, readonly [string, string]>> = {
  email_added: ['an e-mail address was added', 'Remove the address: /emails'],
  email_removed: ['an e-mail address was removed', 'Add the address again: /emails'],
  email_replaced: [
    'the primary e-mail address was replaced',
    'Ask an administrator to set it again.',
  ],
  ssh_key_added: ['an SSH key was added', 'Remove the key: /keys'],
  ssh_key_removed: ['an SSH key was removed', 'Add the key again: /keys'],
  gpg_key_added: ['a GPG key was added', 'Remove the key: /keys'],
  gpg_key_removed: ['a GPG key was removed', 'Add the key again: /keys'],
  password_changed: ['the password was changed', ''],
  token_added: ['an access token was made', 'Remove the token: /tokens'],
  token_removed: ['an access token was removed', 'Make another one: /tokens'],
  codes_on: ['one-time codes were switched on', 'Switch them off: /two-factor'],
  codes_off: ['one-time codes were switched off', 'Switch them on again: /two-factor'],
  second_factor_off: [
    'two-factor authentication was switched off',
    'Switch it on again: /two-factor',
  ],
  security_key_added: ['a security key was added', 'Remove the key: /two-factor'],
  security_key_removed: ['a security key was removed', 'Add the key again: /two-factor'],
  recovery_codes_renewed: ['new recovery codes were made', 'Make others: /two-factor'],
  identity_linked: ['single sign-on was linked', 'Unlink it: /openid'],
  identity_unlinked: ['single sign-on was unlinked', 'Link it again: /openid'],
}

/** As much as a mail shows of what others call their things and themselves. */
const MAX_SHOWN = 200

export async function mailSecurity(ctx: Context, news: News, run: JobRun): Promise<void> {
  await deliver(ctx, run, async () => compose(ctx, news, run))
}

function compose(ctx: Context, news: News, { id }: JobRun): Mail {
  const [what, undo] = told[news.what]
  const root = baseUrl(ctx.config)
  const settings = `${root}/user/settings`
  const named = news.named === '' ? '' : `: ${shown(news.named)}`
  return {
    to: news.to,
    subject: `Security of your account: ${what}`,
    text: `Of the account ${news.account} at ${root}, ${what}${named}

Time: ${formatTime(news.at)}
${describe(news.trace)}
If it was you, there is nothing to do. If it was not, somebody else has got in:

${undo === '' ? '' : `- ${undo.replace(' /', ` ${settings}/`)}\n`}- Set a new password, which ends all sessions: ${root}/user/forgot_password
- Remove the tokens, keys and applications that you do not know: ${settings}/tokens, ${settings}/keys, ${settings}/applications
- If you do not get in any more, tell an administrator of the server.
${news.isLast ? '\nMuch has changed within an hour. You are not mailed about more of it: look at your settings.\n' : ''}`,
    messageId: messageIdOf(ctx.config, `security-${id}`),
  }
}

function describe({ actor, by, address, client }: Trace): string {
  const lines = [
    ['Done by', actor],
    ['With', by],
    ['Address', address],
    ['Client', client],
  ]
  return lines
    .filter(([, value]) => value !== '')
    .map(([label, value = '']) => `${label}: ${shown(value)}\n`)
    .join('')
}

function shown(text: string): string {
  const line = oneLine(text)
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line
}
