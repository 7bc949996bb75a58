import type { Context } from '../platform/context.ts'
import { ok, type Answer } from '../platform/http/answer.ts'
import type { Api } from '../platform/http/api.ts'
import type { Call } from '../platform/http/call.ts'
import { loadOfPath } from '../repositories/repository/routes.ts'
import { findMode, isMarkdownFile } from '../platform/markup/modes.ts'
import { renderMarkdown } from '../platform/markup/render.ts'
import {
  MarkdownOption,
  MarkupOption,
  renderMarkdownEndpoint,
  renderMarkdownRaw,
  renderMarkup,
  repoRenderMarkdown,
  repoRenderMarkdownRaw,
  repoRenderMarkup,
} from '../platform/markup/schema.ts'

const MAX_RAW_BYTES = 8 * 1024 * 1024

const repository = '/repos/:owner/:repo'

export function markupRoutes(api: Api, ctx: Context): void {
  const markdown: Handle = async (call) => renderInMode(await call.body(MarkdownOption))
  api.post('/markdown', renderMarkdownEndpoint, markdown)
  api.post(`${repository}/markdown`, repoRenderMarkdown, ofVisible(ctx, markdown))

  const raw: Handle = async (call) => html(await renderMarkdown(await call.text(MAX_RAW_BYTES)))
  api.post('/markdown/raw', renderMarkdownRaw, raw)
  api.post(`${repository}/markdown/raw`, repoRenderMarkdownRaw, ofVisible(ctx, raw))

  const markup: Handle = async (call) => {
    const body = await call.body(MarkupOption)
    return body.Mode === 'file' && !body.Wiki ? renderFile(body) : renderInMode(body)
  }
  api.post('/markup', renderMarkup, markup)
  api.post(`${repository}/markup`, repoRenderMarkup, ofVisible(ctx, markup))
}

type Handle = (call: Call) => Promise<Answer<string>>

/** For who is signed in and may see the repository; what is rendered does not depend on it. */
function ofVisible(ctx: Context, handle: Handle): Handle {
  return async (call) => {
    await loadOfPath(ctx, call)
    call.signedIn()
    return handle(call)
  }
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
