/** Where all attachments lie in the storage. */
export const ATTACHMENTS = 'attachments'

export function keyOf(uuid: string): string {
  return `${ATTACHMENTS}/${uuid.slice(0, 2)}/${uuid}`
}

export function uuidOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1)
}
