/** Booleans are 0 or 1, times are whole seconds since 1970, on both databases. */
export type Flag = 0 | 1

/** What is not said stays so. */
export function flag(value: boolean): Flag
export function flag(value: boolean | undefined): Flag | undefined
export function flag(value: boolean | undefined): Flag | undefined {
  return value === undefined ? undefined : value ? 1 : 0
}

export type Visibility = 'public' | 'limited' | 'private'
/** What somebody is mailed of what happens where they watch or take part. */
export type MailNews = 'all' | 'mentions' | 'none'
export type AccountKind = 'person' | 'organization'
export type AccessLevel = 'none' | 'read' | 'write' | 'admin' | 'owner'
export type ObjectFormat = 'sha1' | 'sha256'
