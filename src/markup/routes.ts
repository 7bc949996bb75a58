import type { Context } from '../context.ts'
import { ok, type Answer } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import { findMode, isMarkdownFile } from './modes.ts'
import { renderMarkdown } from './render.ts'
import {
  MarkdownOption,
  MarkupOption,
  renderMarkdownEndpoint,
  renderMarkdownRaw,
  renderMarkup,
} from './schema.ts'

const MAX_RAW_BYTES = 8 * 1024 * 1024

export function markupRoutes(api: Api, _ctx: Context): void {
  api.post('/markdown', renderMarkdownEndpoint, async (call) =>
    renderInMode(await call.body(MarkdownOption)),
  )

  api.post('/markdown/raw', renderMarkdownRaw, async (call) =>
    html(await renderMarkdown(await call.text(MAX_RAW_BYTES))),
  )

  api.post('/markup', renderMarkup, async (call) => {
    const body = await call.body(MarkupOption)
    return body.Mode === 'file' && !body.Wiki ? renderFile(body) : renderInMode(body)
  })
}

async function renderInMode({ Text = '', Mode = '', Wiki }: MarkupOption): Promise<Answer<string>> {
  const mode = Wiki ? 'wiki' : Mode
  const options = findMode(mode)
  if (!options) return refused(`unsupported render mode: ${mode}`)
  return html(await renderMarkdown(Text, options))
}

async function renderFile({ Text = '', FilePath = '' }: MarkupOption): Promise<Answer<string>> {
  if (!isMarkdownFile(FilePath)) return refused(`unsupported file to render: ${FilePath}`)
  return html(await renderMarkdown(Text))
}

function html(body: string): Answer<string> {
  return ok(body, { 'content-type': 'text/html; charset=utf-8' })
}

/** In these places the contract has a plain text where errors elsewhere are records. */
function refused(body: string): Answer<string> {
  return { status: 422, body, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}
