import { issueRules } from '../../platform/files/receive.ts'
import type { Context } from '../../platform/context.ts'
import { sizeText } from '../figures.ts'
import { html, type Html } from '../../platform/html.ts'

/** Without script one file at a time; with it any number, by choosing, dropping or pasting. */
export function renderUpload(action: string, to: string): Html {
  return html`
<upload-files>
<form method="post" enctype="multipart/form-data" action="${action}">
<ul class="attach plain" aria-live="polite"></ul>
<p class="drop"><label>Attach to the ${to} <input type="file" name="attachment" required></label> <button class="button">Upload</button></p>
</form>
</upload-files>`
}

/** Part of a form: files that are sent with it. */
export function renderChoice(ctx: Context): Html {
  const limit = `Up to ${ctx.config.attachment.max_files}, ${sizeText(issueRules(ctx).maxBytes)} each; they are sent with the text.`
  return html`
<chosen-files>
<ul class="attach plain" aria-live="polite"></ul>
<p class="drop"><label>Attach files <input type="file" name="attachment" multiple aria-describedby="files-hint"></label> <span class="hint" id="files-hint">${limit}</span></p>
</chosen-files>`
}
