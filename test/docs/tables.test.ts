// One database is enough: none is used.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { commands } from '../../src/server/cli/run.ts'
import { eachSetting, variableOf } from '../../src/platform/config/config.ts'
import { routesOf } from '../support/routes.ts'

/**
 * Write the tables anew with: UPDATE_DOCS=1 npm test -- test/docs/tables.test.ts --database sqlite
 */
const update = process.env['UPDATE_DOCS'] === '1'

function settingsTable(): string {
  const rows = eachSetting().map(({ section, key, setting }) => {
    const fallback = Array.isArray(setting.fallback)
      ? setting.fallback.join(', ')
      : (setting.show?.(setting.fallback) ?? String(setting.fallback))
    const shown = fallback === '' ? 'empty' : `\`${shorten(fallback)}\``
    return `| \`${section}.${key}\` | \`${variableOf(section, key)}\` | ${shown} | ${setting.about} |`
  })
  return ['| setting | variable | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}…` : text)

function commandTable(): string {
  const rows = commands.map(({ name, usage, about }) => {
    const typed = `${name} ${usage}`.trimEnd().replaceAll('|', '\\|')
    return `| \`${typed}\` | ${about} |`
  })
  return ['| command | what |', '|---|---|', ...rows].join('\n')
}

function endpointTable(): string {
  const rows = routesOf().map(({ method, path, endpoint }) => {
    const scope = endpoint.scope.flat().join(', ') || 'none'
    const answers = Object.keys(endpoint.answers).join(', ')
    const address = path.replace(/[:*](\w+)/g, '{$1}')
    return `| ${method} | \`${address}\` | ${endpoint.access} | ${scope} | ${answers} | ${endpoint.summary} |`
  })
  return [
    '| method | path | access | scope | answers | what |',
    '|---|---|---|---|---|---|',
    ...rows.sort((a, b) => pathOf(a).localeCompare(pathOf(b)) || a.localeCompare(b)),
  ].join('\n')
}

const pathOf = (row: string) => row.split('|')[2] ?? ''

/** The table between the two marks of `name` in a document is the one that the code would make. */
function assertTable(file: string, name: string, table: string): void {
  const path = new URL(`../../docs/${file}`, import.meta.url)
  const text = readFileSync(path, 'utf8')
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const from = text.indexOf(begin) + begin.length
  const to = text.indexOf(end)
  assert.ok(from >= begin.length && to >= from, `${file} has no place for ${name}`)
  if (update) writeFileSync(path, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`)
  else assert.equal(text.slice(from, to).trim(), table)
}

suite('the tables in the documents', () => {
  test('of settings are made from the schema', () => {
    assertTable('operating.md', 'settings', settingsTable())
  })

  test('of commands are made from the commands', () => {
    assertTable('operating.md', 'commands', commandTable())
  })

  test('of endpoints are made from the routes', () => {
    assertTable('api.md', 'endpoints', endpointTable())
  })
})
