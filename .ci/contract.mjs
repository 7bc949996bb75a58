// Runs the acceptance suite for the areas delivered so far: node .ci/contract.mjs SUITE_FOLDER
// BASE_URL A scenario that needs a later feature is named in contract-pending.json, with what it
// waits for, and left out.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const [suite, base] = process.argv.slice(2)
const { areas, pending } = JSON.parse(
  readFileSync(new URL('contract-pending.json', import.meta.url), 'utf8'),
)

const folder = mkdtempSync(join(tmpdir(), 'codestead-contract-'))
const files = areas.map((area) => {
  const source = resolve(suite, 'scenarios', `${area}.mjs`)
  const left = JSON.stringify(Object.keys(pending[area] ?? {}))
  const file = join(folder, `${area}.mjs`)
  writeFileSync(
    file,
    `import all from ${JSON.stringify(source)}\nexport default all.filter(({ title }) => !${left}.includes(title))\n`,
  )
  return file
})
for (const [area, titles] of Object.entries(pending)) {
  for (const [title, reason] of Object.entries(titles))
    console.log(`pending ${area}: ${title} (needs ${reason})`)
}
const { status } = spawnSync(
  process.execPath,
  [
    join(suite, 'run.mjs'),
    '--base',
    base,
    '--admin',
    'root1:password1',
    '--parallel',
    '3',
    ...files,
  ],
  { stdio: 'inherit' },
)
rmSync(folder, { recursive: true, force: true })
process.exit(status ?? 1)
