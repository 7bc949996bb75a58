import type { AccessLevel } from './db/columns.ts'

const ranks: Record<AccessLevel, number> = { none: 0, read: 1, write: 2, admin: 3, owner: 4 }

export function reaches(level: AccessLevel, wanted: AccessLevel): boolean {
  return ranks[level] >= ranks[wanted]
}

export function higher(a: AccessLevel, b: AccessLevel): AccessLevel {
  return reaches(a, b) ? a : b
}
