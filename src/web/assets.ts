import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PageServer } from './page-server.ts'

const styles = [
  'codestead.css',
  'frame.css',
  'lists.css',
  'repository.css',
  'code.css',
  'source.css',
  'prose.css',
  'history.css',
  'releases.css',
  'issues.css',
  'conversation.css',
  'pulls.css',
  'projects.css',
  'settings.css',
  'forms.css',
]
const islands = [
  'chosen-files.js',
  'keyboard-shortcuts.js',
  'copy-button.js',
  'current-tab.js',
  'file-finder.js',
  'line-comment.js',
  'markdown-preview.js',
  'menu-closer.js',
  'project-board.js',
  'security-key.js',
  'upload-files.js',
]

interface Asset {
  readonly name: string
  readonly type: string
  readonly content: string
}

/** What pages load besides themselves. */
export interface Assets {
  readonly styles: Asset
  readonly script: Asset
  readonly icon: Asset
}

export function loadAssets(): Assets {
  const css = styles.map((part) => read(`styles/${part}`)).join('\n')
  const script = islands.map(loadIsland).join('\n')
  return {
    styles: toAsset('codestead.css', 'text/css; charset=utf-8', css),
    script: toAsset('codestead.js', 'text/javascript; charset=utf-8', script),
    icon: toAsset('icon.svg', 'image/svg+xml', read('styles/icon.svg')),
  }
}

/** A name changes with its content, so that browsers may keep what they have for good. */
export function addAssets(server: PageServer, assets: Assets): void {
  for (const { name, type, content } of [assets.styles, assets.script, assets.icon]) {
    server.get(`/assets/${name}`, (_request, reply) => {
      reply
        .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
        .send(content)
    })
  }
}

/** Islands import nothing; each has its names for itself. */
function loadIsland(file: string): string {
  return `{\n${read(`islands/${file}`)}}`
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

function toAsset(file: string, type: string, content: string): Asset {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return { name: file.replace('.', `-${digest}.`), type, content }
}
