import { notFound } from '../../platform/errors.ts'
import type { MailNews } from '../../platform/db/columns.ts'
import { editProfile } from '../../identity/users/edit.ts'
import { mailNewsChoices } from '../../identity/users/mail-news.ts'
import { FormFields, formOfValues, type FormState } from '../forms/fields.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

const labels: Readonly<Record<MailNews, string>> = {
  all: 'Everything I watch or take part in',
  mentions: 'Only when I am mentioned',
  none: 'Nothing',
}

/** What somebody is mailed of what happens. */
export async function showNotifications(look: SignedInLook, state?: FormState): Promise<Page> {
  if (!look.ctx.mailer.isSetUp) throw notFound()
  const { mailNews, email } = look.viewer.account
  const fields = new FormFields(state ?? { form: formOfValues({ mail_news: mailNews }) })
  const choices = mailNewsChoices.map((value) => ({ value, label: labels[value] }))
  return inSection(
    look,
    'notifications',
    html`
<h2>Mail</h2>
<p class="lede">News of issues, pull requests and releases go to ${email}. Your list of notifications stays as it is.</p>
<form class="sheet form" method="post" action="${settingsPath(look, 'notifications')}">
${fields.select('mail_news', 'Mail me', choices)}
<button class="button main" type="submit">Save</button>
</form>`,
  )
}

export async function saveNotifications(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const mailNews = mailNewsChoices.find((choice) => choice === form.get('mail_news'))
  if (mailNews === undefined) {
    const problem = { field: 'mail_news', message: 'Choose one of those that are offered.' }
    return again(await showNotifications(submitted, { form, problem }))
  }
  await editProfile(ctx, viewer.account, { mailNews })
  return saved(submitted, 'notifications')
}
