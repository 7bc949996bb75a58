import * as accounts from './0001-accounts.ts'
import * as repositories from './0002-repositories.ts'

/** The words in which the two databases differ. */
export interface Words {
  /** A primary key that the database counts up and never gives twice. */
  readonly id: string
  readonly integer: string
  /** Compared byte by byte, so that both databases sort alike. */
  readonly text: string
}

export interface Migration {
  readonly name: string
  /** Numbered, and never edited once released. */
  readonly statements: (words: Words) => readonly string[]
}

export const migrations: readonly Migration[] = [accounts, repositories]
