import type { Setup } from './setup.ts'

export const keysOf = ({ app }: Setup) =>
  app.ctx.db.selectFrom('security_key').selectAll().execute()

export const codesOf = ({ app }: Setup) =>
  app.ctx.db.selectFrom('recovery_code').selectAll().execute()

export async function countOf({ app, ann }: Setup): Promise<number> {
  const row = await app.ctx.db
    .selectFrom('account')
    .select('security_keys')
    .where('id', '=', ann.id)
    .executeTakeFirstOrThrow()
  return row.security_keys
}
