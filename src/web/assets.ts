import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'

/** The first file gives its name to what is made of all of them. */
const files = {
  styles: { parts: ['codestead.css', 'repository.css'], type: 'text/css; charset=utf-8' },
  icon: { parts: ['icon.svg'], type: 'image/svg+xml' },
} as const

interface Asset {
  readonly name: string
  readonly type: string
  readonly content: string
}

/** What pages load besides themselves. */
export type Assets = Readonly<Record<keyof typeof files, Asset>>

export function loadAssets(): Assets {
  return { styles: load(files.styles), icon: load(files.icon) }
}

/** A name changes with its content, so that browsers may keep what they have for good. */
export function addAssets(server: FastifyInstance, assets: Assets): void {
  for (const { name, type, content } of Object.values(assets)) {
    server.get(`/assets/${name}`, (_request, reply) => {
      reply
        .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
        .send(content)
    })
  }
}

function load({ parts, type }: { parts: readonly [string, ...string[]]; type: string }): Asset {
  const read = (part: string) => readFileSync(new URL(`styles/${part}`, import.meta.url), 'utf8')
  const content = parts.map(read).join('\n')
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { name: parts[0].replace('.', `-${digest}.`), type, content }
}
