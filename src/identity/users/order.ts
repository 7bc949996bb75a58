import { sql } from 'kysely'
import type { OrderKey } from '../../platform/db/keyset.ts'

export type AccountOrder = 'name' | 'newest'

/** Names are unique. */
const byName: OrderKey = {
  by: sql.ref('account.lower_name'),
  kind: 'text',
  direction: 'asc',
}

export function keysOf(order: AccountOrder): readonly OrderKey[] {
  if (order === 'name') return [byName]
  return ['account.created_at', 'account.id'].map((column) => ({
    by: sql.ref(column),
    kind: 'number',
    direction: 'desc',
  }))
}
