import { html, type Html } from '../html.ts'

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
