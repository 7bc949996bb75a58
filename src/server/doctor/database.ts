import { findDriftFromNew } from '../../platform/db/migrate.ts'
import type { Check } from './check.ts'
import { findBrokenReferences, findDamage } from './queries.ts'

/** SQLite alone keeps its file beside us; PostgreSQL has tools of its own. */
export const databaseChecks: readonly Check[] = [
  { name: 'the tables are those of a new database', find: findDriftFromNew },
  {
    name: 'the database file is undamaged',
    find: async (db) => (db.dialect === 'sqlite' ? findDamage(db) : []),
  },
  {
    name: 'every reference leads to a row',
    find: async (db) => (db.dialect === 'sqlite' ? findBrokenReferences(db) : []),
  },
]
