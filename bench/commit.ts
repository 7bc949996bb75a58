import { DatabaseSync } from 'node:sqlite'

/** One row, committed as durably as the server commits. */
export function durableCommit(path: string): () => void {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE note (words TEXT)')
  const insert = db.prepare('INSERT INTO note VALUES (?)')
  return () => insert.run('x')
}
