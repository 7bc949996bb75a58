import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import { readWhitespace, type Whitespace } from '../../platform/git/whitespace.ts'
import { Query } from '../../platform/http/query.ts'
import { cookieOf, writeCookie } from '../../identity/callers/cookies.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Visit } from './visit.ts'

const STYLE_COOKIE = 'codestead_diff'

const styles = ['unified', 'split'] as const
/** One side below the other, or beside it. */
export type PatchStyle = (typeof styles)[number]

const labels: Readonly<Record<PatchStyle, string>> = { unified: 'Unified', split: 'Side by side' }

function readStyle(text: string | undefined): PatchStyle | undefined {
  return styles.find((style) => style === text)
}

/** As the address says, or as it was chosen last in this browser. */
export function patchStyleOf({ query, request }: Visit): PatchStyle {
  return readStyle(query.text('style')) ?? readStyle(cookieOf(request, STYLE_COOKIE)) ?? 'unified'
}

export function whitespaceOf({ query }: Visit): Whitespace {
  return readWhitespace(query.text('whitespace'))
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Has the browser keep what is chosen, unless it was another site that led here. */
export function keepingStyle(config: Config, handle: Handler): Handler {
  return async (request, reply) => {
    const style = readStyle(new Query(request.query).text('style'))
    if (style && request.headers['sec-fetch-site'] !== 'cross-site')
      reply.header('set-cookie', writeCookie(config, STYLE_COOKIE, style, { isHidden: true }))
    return handle(request, reply)
  }
}

/** The ways to show the same difference; `page` is where it is shown. */
export function renderStyles(visit: Visit, page: string): Html {
  const current = patchStyleOf(visit)
  const whitespace = visit.query.text('whitespace')
  const chosen = readStyle(visit.query.text('style'))
  const link = (style: PatchStyle) =>
    html`<a href="${addressOf(page, { style, whitespace })}"${style === current && html` aria-current="true"`}>${labels[style]}</a>`
  const other =
    whitespaceOf(visit) === 'show-all'
      ? html`<a href="${addressOf(page, { style: chosen, whitespace: 'ignore-all' })}">Hide changes of white space</a>`
      : html`<a href="${addressOf(page, { style: chosen })}">Show changes of white space</a>`
  return html`<nav class="switch" aria-label="How changes are shown">${styles.map((style) => [link(style), ' '])}${other}</nav>`
}

function addressOf(page: string, wishes: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(wishes).flatMap(([name, value = '']) =>
    value === '' ? [] : `${name}=${encodeURIComponent(value)}`,
  )
  if (given.length === 0) return page
  return `${page}${page.includes('?') ? '&' : '?'}${given.join('&')}`
}
