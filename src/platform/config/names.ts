import type { Setting } from './setting.ts'
import { settings } from './settings.ts'

export function variableOf(section: string, key: string): string {
  return `CODESTEAD_${section}_${key}`.toUpperCase()
}

/** Names a file with the value of a setting. */
export function fileVariableOf(section: string, key: string): string {
  return `${variableOf(section, key)}_FILE`
}

/** What systemd calls a credential with the value of a setting. */
export function credentialOf(section: string, key: string): string {
  return `codestead.${section}.${key}`
}

/** Every setting with its place, in the order of the schema. */
export function eachSetting(): { section: string; key: string; setting: Setting<unknown> }[] {
  return Object.entries(settings).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, setting]) => ({ section, key, setting })),
  )
}
