import type { Words } from './index.ts'

export const name = '0018-keys-for-git'

/** A key that a token has added opens no more by git than the token does. */
export function statements({ integer }: Words): readonly string[] {
  return [`ALTER TABLE public_key ADD COLUMN opens_git ${integer} NOT NULL DEFAULT 1`]
}
