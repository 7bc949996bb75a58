import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import { basePath } from '../platform/config/urls.ts'
import type { Assets } from './assets.ts'
import { renderBar, renderKeys } from './frame.ts'
import { html, type Html } from '../platform/html.ts'
import { themeOf } from './theme.ts'

/** What every page knows. */
export interface Site {
  readonly config: Config
  readonly assets: Assets
  /** Whether there is a page at a path. */
  readonly hasPage: (path: string) => boolean
  /** Whether it is that of a copy which leaves to the original what reaches others. */
  readonly isCopy: () => boolean
}

export interface Page {
  readonly title: string
  readonly content: Html
  /** A column for reading and for forms; the whole width otherwise. */
  readonly narrow?: boolean
  /** After so many seconds it is loaded again, by what is no script. */
  readonly reloadsAfter?: number | undefined
  /** The path of what it shows, which has news for programs that collect them. */
  readonly newsOf?: string | undefined
  /** Another site that its form may lead to in the end. */
  readonly leadsOutTo?: string | undefined
}

/**
 * Nothing but our own style sheet, script, icon and forms, and pictures from the host of files: no
 * other site, no frame elsewhere, no script without the number of this answer.
 */
function policyFor({ server }: Config, nonce: string, leadsOutTo: string | undefined): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    withOrigin("img-src 'self'", server.files_url),
    withOrigin("form-action 'self'", leadsOutTo),
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
}

function withOrigin(directive: string, origin: string | undefined): string {
  return origin ? `${directive} ${origin}` : directive
}

/** For whoever `request.caller` is: pages ask `viewerOf` first. */
export function sendPage(reply: FastifyReply, site: Site, page: Page, status = 200): FastifyReply {
  const { request } = reply
  const nonce = randomBytes(16).toString('hex')
  // What somebody sees who is signed in is for nobody else, and for no cache.
  if (request.caller?.account) reply.headers({ 'cache-control': 'private, no-store' })
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyFor(site.config, nonce, page.leadsOutTo),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      vary: 'Cookie',
    })
    .send(renderPage(site, request, page, nonce).toString())
}

function renderPage(
  site: Site,
  request: FastifyRequest,
  { title, content, narrow, reloadsAfter, newsOf }: Page,
  nonce: string,
): Html {
  const { config, assets } = site
  const root = basePath(config)
  return html`<!doctype html>
<html lang="en" data-theme="${themeOf(request)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${reloadsAfter && html`<meta http-equiv="refresh" content="${String(reloadsAfter)}">`}
<title>${title} · Codestead</title>
<link rel="stylesheet" href="${root}/assets/${assets.styles.name}">
<link rel="icon" type="image/svg+xml" href="${root}/assets/${assets.icon.name}">
${newsOf && html`<link rel="alternate" type="application/atom+xml" href="${newsOf}.atom">`}
<script type="module" src="${root}/assets/${assets.script.name}" nonce="${nonce}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${renderBar(site, request)}
${site.isCopy() && html`<p class="sheet notice" role="status">This server is a copy that was made from a backup: it sends nothing and starts nothing by itself.</p>`}
<main id="content"${narrow ? html` class="narrow"` : ''}>
${content}
</main>
${renderKeys()}
</body>
</html>
`
}
