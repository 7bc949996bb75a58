import type { Context } from '../context.ts'
import { countOrganizations } from './queries.ts'

export async function organizationCount({ db }: Context): Promise<number> {
  return countOrganizations(db)
}
