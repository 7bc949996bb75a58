import { UploadError } from '../storage/upload-error.ts'
import { essence, tableType } from './media-type.ts'

/**
 * Whether a setting of extensions and types lets a file in; one without entries lets in everything.
 */
export function isAllowedType(setting: string, name: string, head: Uint8Array): boolean {
  const entries = readEntries(setting)
  if (entries.length === 0) return true
  const extension = extensionOf(name)
  const type = head.length > 1 ? essence(tableType(head)) : undefined
  return entries.some((entry) => matches(entry, extension, type))
}

export function forbiddenType(): UploadError {
  return new UploadError(
    'forbidden_type',
    'This file cannot be uploaded or modified due to a forbidden file extension or type.',
  )
}

function readEntries(setting: string): readonly string[] {
  return setting
    .replaceAll('|', ',')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '')
}

function matches(entry: string, extension: string, type: string | undefined): boolean {
  if (entry === '*/*') return true
  if (entry.startsWith('.')) return entry === extension
  if (type === undefined) return false
  const [, group] = /^([a-z]+)\/\*$/.exec(entry) ?? []
  return group === undefined ? entry === type : type.startsWith(`${group}/`)
}

/** With its dot, in lower case. */
function extensionOf(name: string): string {
  const [, extension = ''] = /(\.[^./]*)$/.exec(name) ?? []
  return extension.toLowerCase()
}
