import { sql } from 'kysely'
import type { OrderKey } from '../db/keyset.ts'

/** Names are unique. */
export const byName: OrderKey = {
  by: sql.ref('account.lower_name'),
  kind: 'text',
  direction: 'asc',
}
