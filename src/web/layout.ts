import type { FastifyReply } from 'fastify'
import type { Config } from '../config/config.ts'
import { basePath } from '../config/urls.ts'
import type { Assets } from './assets.ts'
import { html, type Html } from './html.ts'

/** What every page knows. */
export interface Site {
  readonly config: Config
  readonly assets: Assets
}

export interface Page {
  readonly title: string
  readonly content: Html
  /** A column for reading and for forms; the whole width otherwise. */
  readonly narrow?: boolean
}

/** Nothing but our own style sheet, icon and forms: no script, no other site, no frame elsewhere. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

export function sendPage(reply: FastifyReply, site: Site, page: Page, status = 200): FastifyReply {
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    })
    .send(renderPage(site, page).toString())
}

function renderPage({ config, assets }: Site, { title, content, narrow }: Page): Html {
  const root = basePath(config)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Codestead</title>
<link rel="stylesheet" href="${root}/assets/${assets.styles.name}">
<link rel="icon" type="image/svg+xml" href="${root}/assets/${assets.icon.name}">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="mark" href="${root}/"><img src="${root}/assets/${assets.icon.name}" alt="" width="20" height="20">Codestead</a>
${config.api.swagger && html`<nav class="end" aria-label="Site"><a href="${root}/api/swagger">API</a></nav>`}
</header>
<main id="content"${narrow ? html` class="narrow"` : ''}>
${content}
</main>
</body>
</html>
`
}
