import type { Context } from '../context.ts'
import { countAllRepositories } from './queries.ts'

export async function repositoryCount({ db }: Context): Promise<number> {
  return countAllRepositories(db)
}
