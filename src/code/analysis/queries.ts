import type { Executor } from '../../platform/db/database.ts'
import { statement } from '../../platform/db/statement.ts'
import { toRepository, type Repository } from '../../repositories/repository/repository.ts'
import type { LanguageTotals } from './count.ts'

export async function findAnalysed(db: Executor, id: number): Promise<Repository | undefined> {
  const row = await db.selectFrom('repository').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRepository(row)
}

export interface LanguageCount {
  readonly language: string
  readonly bytes: number
}

const languagesOf = statement<LanguageCount>(`
  SELECT language, bytes FROM repository_language
  WHERE repository_id = ?
  ORDER BY bytes DESC, language`)

/** Most bytes first. */
export async function findLanguages(
  db: Executor,
  repositoryId: number,
): Promise<readonly LanguageCount[]> {
  return languagesOf(db, repositoryId)
}

export async function replaceLanguages(
  db: Executor,
  repositoryId: number,
  languages: readonly LanguageCount[],
): Promise<void> {
  await db.deleteFrom('repository_language').where('repository_id', '=', repositoryId).execute()
  if (languages.length === 0) return
  await db
    .insertInto('repository_language')
    .values(languages.map((count) => ({ repository_id: repositoryId, ...count })))
    .execute()
}

/** From what the languages of the next tree are counted. */
export async function findLanguageTotals(
  db: Executor,
  repositoryId: number,
): Promise<LanguageTotals | undefined> {
  const row = await db
    .selectFrom('repository_language_total')
    .selectAll()
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  if (!row) return undefined
  const totals = JSON.parse(row.totals) as Record<string, number>
  return { treeId: row.tree_id, rules: row.rules, totals }
}

export async function saveLanguageTotals(
  db: Executor,
  repositoryId: number,
  { treeId, rules, totals }: LanguageTotals,
): Promise<void> {
  const values = { tree_id: treeId, rules, totals: JSON.stringify(totals) }
  await db
    .insertInto('repository_language_total')
    .values({ repository_id: repositoryId, ...values })
    .onConflict((conflict) => conflict.column('repository_id').doUpdateSet(values))
    .execute()
}

/** What the record of the repository shows of it. */
export async function updateFindings(
  db: Executor,
  repositoryId: number,
  { language, licenses }: { readonly language: string; readonly licenses: readonly string[] },
): Promise<void> {
  await db
    .updateTable('repository')
    .set({ language, licenses: JSON.stringify(licenses) })
    .where('id', '=', repositoryId)
    .execute()
}
