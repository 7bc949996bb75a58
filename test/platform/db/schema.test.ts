import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'

interface Column {
  readonly name: string
  readonly type: 'integer' | 'text'
  readonly nullable: boolean
}

/** The interfaces of `src/platform/db/tables`, read as text: types are gone when a test runs. */
function declaredTables(): Map<string, Column[]> {
  const folder = new URL('../../../src/platform/db/tables/', import.meta.url)
  const source = readdirSync(folder)
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n')
  const interfaces = new Map(
    [...source.matchAll(/^interface (\w+)Table \{\n([\s\S]*?)\n\}/gm)].map(
      ([, name = '', body = '']) =>
        [name, [...body.matchAll(/^ {2}(\w+): (.+)$/gm)].map(toColumn)] as const,
    ),
  )
  return new Map(
    [...source.matchAll(/^ {2}(\w+): (\w+)Table$/gm)].map(([, table = '', name = '']) => [
      table,
      interfaces.get(name) ?? [],
    ]),
  )
}

function toColumn([, name = '', declared = '']: RegExpMatchArray): Column {
  const type = declared.replace(/^Generated<(.*)>$/, '$1')
  const isNumber = /^(number|Flag)\b/.test(type)
  return { name, type: isNumber ? 'integer' : 'text', nullable: type.includes('null') }
}

const sorted = (columns: readonly Column[]) =>
  [...columns].sort((a, b) => a.name.localeCompare(b.name))

suite('the row types', () => {
  test('match the migrated database', async (t) => {
    const { ctx } = await startApp(t)
    const declared = declaredTables()

    const all = await ctx.db.introspection.getTables()
    // The text index of SQLite keeps itself in tables that nothing else reads.
    const tables = all.filter((table) => !table.name.startsWith('repository_text'))
    const migrated = new Map(
      tables.map((table) => [
        table.name,
        table.columns.map((column): Column => ({
          name: column.name,
          type: /int/i.test(column.dataType) ? 'integer' : 'text',
          // SQLite's introspection calls a counted key nullable; it is not.
          nullable: column.isNullable && column.name !== 'id',
        })),
      ]),
    )

    assert.deepEqual([...declared.keys()].sort(), [...migrated.keys()].sort())
    for (const [table, columns] of declared) {
      assert.deepEqual(sorted(columns), sorted(migrated.get(table) ?? []), table)
    }
  })
})
