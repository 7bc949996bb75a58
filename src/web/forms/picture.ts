import type { Config } from '../../platform/config/config.ts'
import type { Account } from '../../identity/users/account.ts'
import { avatar } from '../avatar.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { FormProblem } from './problem.ts'
import { renderLoss } from './settings.ts'

/** The picture of an account, and the forms at `path` that change it. */
export function renderPicture(
  config: Config,
  account: Account,
  path: string,
  problem?: FormProblem,
): Html {
  const isOwn = account.avatar !== ''
  return renderPictureForms({ shown: avatar(config, account, 96), isOwn, path, problem })
}

export interface PictureForms {
  readonly shown: Part
  /** One that was uploaded, and can be removed. */
  readonly isOwn: boolean
  readonly path: string
  readonly problem?: FormProblem | undefined
}

/** A picture of whatever has one, and the forms at `path` that change it. */
export function renderPictureForms({ shown, isOwn, path, problem }: PictureForms): Html {
  return html`
<h2>Picture</h2>
<div class="sheet form">
${shown && html`<p>${shown}</p>`}
<form method="post" enctype="multipart/form-data" action="${path}">
<p class="field"><label for="avatar">PNG, JPEG, GIF or WebP, at most 1 MB</label>
<input type="file" id="avatar" name="avatar" accept="image/png,image/jpeg,image/gif,image/webp" required${problem && html` aria-invalid="true" aria-describedby="avatar-problem" autofocus`}>
${problem && html`<span class="problem" id="avatar-problem" role="alert">${problem.message}</span>`}</p>
<p><button class="button" type="submit">Upload</button></p>
</form>
${isOwn && renderLoss(`${path}/delete`, { label: 'Remove the picture', warning: 'The picture is lost. You can upload another.' })}
</div>`
}
