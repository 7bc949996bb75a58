import { baseUrl } from '../../platform/config/urls.ts'
import { sshUrl } from '../../repositories/repository/present.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import type { Visit } from './visit.ts'

/** Where git finds the repository, or its wiki, by the ways that are open. */
export function cloneUrls({ ctx: { config }, view: { owner, repo } }: Visit, ending = '') {
  const path = `${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}${ending}`
  return {
    http: config.repositories.http_git ? `${baseUrl(config)}/${path}.git` : undefined,
    ssh: config.ssh.enabled ? sshUrl(config, path) : undefined,
  }
}

export function renderClone(visit: Visit, ending = ''): Part {
  const { http, ssh } = cloneUrls(visit, ending)
  if (http === undefined && ssh === undefined) return undefined
  return html`<h2>Clone</h2>
${http !== undefined && renderCopied(http, 'the address for HTTP')}
${ssh !== undefined && renderCopied(ssh, 'the address for SSH')}`
}

/** A text to be copied; the button comes with the script. */
function renderCopied(text: string, what: string): Html {
  return html`<div class="clone"><code tabindex="0">${text}</code><copy-button value="${text}" label="Copy ${what}">${icon('copy')}</copy-button></div>`
}

/** What to type, line by line. */
export function renderCommands(lines: readonly string[]): Html {
  const text = lines.join('\n')
  return html`<div class="commands"><pre tabindex="0"><code>${text}</code></pre><copy-button value="${text}" label="Copy the commands"></copy-button></div>`
}
