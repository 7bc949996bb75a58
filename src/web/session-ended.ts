import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { UploadError } from '../platform/storage/upload-error.ts'
import type { Config } from '../platform/config/config.ts'
import { basePath, baseUrl } from '../platform/config/urls.ts'
import { AppError } from '../platform/errors.ts'
import { readForm } from '../platform/http/body.ts'
import { boundaryOf, MAX_FIELDS, readParts } from '../platform/http/form-parts.ts'
import { isMultipart, limited } from '../platform/http/multipart.ts'
import { pathOf } from '../platform/http/path.ts'
import { html, type Html, type Part } from '../platform/html.ts'
import { sendPage, type Page, type Site } from './layout.ts'
import { localPath } from './local-path.ts'
import { isOfScript } from './of-script.ts'

/** The longest text that a page shows in a form, however it is encoded. */
const MAX_BYTES = 4 * 1_048_576

const HEADING = 'Your session has ended'

/**
 * To who sent a form without a session: the texts that they wrote, and the way to sign in and back.
 */
export async function sendSessionEnded(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site,
): Promise<FastifyReply> {
  if (isOfScript(request)) {
    const message = `${HEADING}. Sign in on another page, then send it again here.`
    return reply.status(401).send({ message })
  }
  const texts = textsIn(await readSent(request.raw))
  const back = pageOfForm(site, request)
  return sendPage(reply, site, sessionEndedPage(site.config, back, texts), 401)
}

/** As far as it can be read. */
async function readSent(request: IncomingMessage): Promise<URLSearchParams> {
  const form = new URLSearchParams()
  try {
    if (!isMultipart(request.headers['content-type'] ?? '')) {
      return await readForm(request, MAX_BYTES)
    }
    await readTextParts(request, form)
  } catch (error) {
    if (!(error instanceof AppError || error instanceof UploadError)) throw error
    request.resume()
  }
  return form
}

async function readTextParts(request: IncomingMessage, form: URLSearchParams): Promise<void> {
  const boundary = boundaryOf(request.headers['content-type'] ?? '')
  for await (const part of readParts(limited(request, MAX_BYTES), boundary, MAX_FIELDS)) {
    if (part.filename !== '') continue
    form.append(part.name, Buffer.concat(await Array.fromAsync(part.content)).toString())
  }
}

interface Text {
  readonly label: string
  readonly value: string
}

/** What people write at length. Nothing else is sent back: it may be a secret. */
const labels: Readonly<Record<string, string>> = {
  title: 'Title',
  tree_path: 'Path',
  body: 'Text',
  content: 'Text',
  description: 'Description',
  message: 'Message',
  commit_summary: 'What the commit does',
  commit_message: 'More about the commit',
}

function textsIn(form: URLSearchParams): readonly Text[] {
  return [...form].flatMap(([name, value]) => {
    const label = labelOf(name)
    return label === undefined || value.trim() === '' ? [] : [{ label, value }]
  })
}

function labelOf(name: string): string | undefined {
  return name.startsWith('form-field-') ? 'Answer' : labels[name]
}

/**
 * Where it was sent from. Browsers that do not say so are led to what is closest to its address.
 */
function pageOfForm({ config, hasPage }: Site, request: FastifyRequest): string {
  const { referer = '' } = request.headers
  const from = URL.canParse(referer) ? new URL(referer) : undefined
  if (from?.origin === new URL(baseUrl(config)).origin) {
    return localPath(config, from.pathname + from.search)
  }
  let path = pathOf(request)
  while (path !== '' && !hasPage(path)) path = path.slice(0, path.lastIndexOf('/'))
  return localPath(config, `${basePath(config)}${path}`)
}

function sessionEndedPage(config: Config, back: string, texts: readonly Text[]): Page {
  const signIn = `${basePath(config)}/user/login?redirect_to=${encodeURIComponent(back)}`
  return {
    title: HEADING,
    narrow: true,
    content: html`
<h1>${HEADING}</h1>
<p class="lede">Nothing was saved. Sign in and send it again.</p>
${texts.length > 0 && renderTexts(texts)}
<p><a class="button main" href="${signIn}">Sign in</a> <a class="button" href="${back}">Back to the page</a></p>`,
  }
}

function renderTexts(texts: readonly Text[]): Part {
  return html`
<section class="sheet form">
<p>This is what you wrote. Copy it before you leave this page.</p>
${texts.map(renderText)}
</section>`
}

/** Browsers leave out the line break that it begins with. */
function renderText({ label, value }: Text, index: number): Html {
  const rows = Math.min(value.split('\n').length + 1, 20)
  const id = `written-${index}`
  return html`<p class="field"><label for="${id}">${label}</label><textarea id="${id}" rows="${rows}" readonly>
${value}</textarea></p>`
}
