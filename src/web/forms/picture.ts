import type { Config } from '../../config/config.ts'
import type { Account } from '../../users/account.ts'
import { avatar } from '../avatar.ts'
import { html, type Html } from '../html.ts'
import type { FormProblem } from './problem.ts'
import { renderAction } from './settings.ts'

/** The picture of an account, and the forms at `path` that change it. */
export function renderPicture(
  config: Config,
  account: Account,
  path: string,
  problem?: FormProblem,
): Html {
  return html`
<h2>Picture</h2>
<div class="sheet form">
<p>${avatar(config, account, 96)}</p>
<form method="post" enctype="multipart/form-data" action="${path}">
<p class="field"><label for="avatar">PNG, JPEG, GIF or WebP, at most 1 MB</label>
<input type="file" id="avatar" name="avatar" accept="image/png,image/jpeg,image/gif,image/webp" required${problem && html` aria-invalid="true" aria-describedby="avatar-problem" autofocus`}>
${problem && html`<span class="problem" id="avatar-problem" role="alert">${problem.message}</span>`}</p>
<p><button class="button" type="submit">Upload</button></p>
</form>
${account.avatar !== '' && renderAction(`${path}/delete`, 'Remove the picture')}
</div>`
}
