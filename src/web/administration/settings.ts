import { describeConfig, type ShownSetting } from '../../platform/config/config.ts'
import { renderRows, type SettingsRow } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { SignedInLook } from '../look.ts'
import { inSection } from './section.ts'

/** With what the server runs: those that somebody has chosen first. */
export async function showSettings(look: SignedInLook): Promise<Page> {
  const all = describeConfig(look.ctx.config)
  const chosen = all.filter(({ source }) => source !== 'default')
  const others = all.filter(({ source }) => source === 'default')
  return inSection(
    look,
    'settings',
    html`
<h2>Settings</h2>
<p class="lede">They come from <code>codestead.toml</code> and from the environment, and are read when the server starts.</p>
${renderRows(
  chosen.map((setting) => renderSetting(setting, html` · ${setting.source}`)),
  'All have their defaults.',
)}
<h2>Defaults</h2>
${renderRows(
  others.map((setting) => renderSetting(setting)),
  'There is none.',
)}`,
  )
}

function renderSetting({ name, value }: ShownSetting, more = html``): SettingsRow {
  const shown = value === '' ? 'empty' : html`<code>${value}</code>`
  return { title: name, about: html`${shown}${more}` }
}
