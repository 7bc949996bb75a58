import { invalid } from '../../platform/errors.ts'

/** What stands in a repository in place of the bytes. */
export interface Pointer {
  /** SHA-256 of the bytes, in lower-case hexadecimal. */
  readonly oid: string
  readonly size: number
}

/** Where all files of Git LFS lie in the storage. */
export const LFS_FILES = 'lfs'

export function lfsKey(uuid: string): string {
  return `${LFS_FILES}/${uuid.slice(0, 2)}/${uuid}`
}

export function isOid(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function isPointer({ oid, size }: Pointer): boolean {
  return isOid(oid) && Number.isSafeInteger(size) && size >= 0
}

/** Of all of them, in bytes. */
export function sizeOf(pointers: readonly Pointer[]): number {
  return pointers.reduce((sum, { size }) => sum + size, 0)
}

export function assertPointer(pointer: Pointer): void {
  if (!isPointer(pointer)) throw invalid('Oid or size are invalid')
}

/** Longer ones are not written by any client. */
export const MAX_POINTER_BYTES = 1024

/** The pointer that a committed file is, if it is one. */
export function parsePointer(content: Buffer): Pointer | undefined {
  if (content.length > MAX_POINTER_BYTES) return undefined
  const lines = content.toString('latin1').split('\n')
  if (!/^version https:\/\/(git-lfs|hawser)\.github\.com\/spec\/v1$/.test(lines[0] ?? '')) {
    return undefined
  }
  const valueOf = (key: string) =>
    lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? ''
  const digits = valueOf('size')
  if (!/^\d{1,16}$/.test(digits)) return undefined
  const pointer = { oid: valueOf('oid').replace(/^sha256:/, ''), size: Number(digits) }
  return isPointer(pointer) ? pointer : undefined
}
