// Runs the tests on SQLite, then the same again on PostgreSQL. Files to run may be named:
//   npm test -- test/users/emails.test.ts        npm test -- --database sqlite
import { spawn } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleTests } from './support/bundles.ts'
import { startPostgres } from './support/postgres.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string' }, coverage: { type: 'boolean', default: false } },
})
const bundles = positionals.length > 0 ? undefined : bundleTests(globSync('test/**/*.test.ts'))
const files = bundles?.files ?? positionals

const coverage = [
  '--experimental-test-coverage',
  '--test-coverage-include=src/**',
  '--test-coverage-lines=90',
  '--test-coverage-branches=90',
]

async function runTests(
  environment: Record<string, string>,
  flags: readonly string[],
): Promise<boolean> {
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...flags, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...compileCache(flags), ...environment },
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.on('exit', (code) => resolve(code === 0))
  return promise
}

/** Each file is a process that loads everything; kept compiled, that takes a third of the time. Coverage needs it fresh. */
function compileCache(flags: readonly string[]): Record<string, string> {
  if (flags.length > 0) return {}
  return { NODE_COMPILE_CACHE: join(tmpdir(), 'codestead-compile-cache') }
}

async function onSqlite(): Promise<boolean> {
  console.log('# on SQLite')
  return runTests({ TEST_POSTGRES_URL: '' }, values.coverage ? coverage : [])
}

async function onPostgres(): Promise<boolean> {
  console.log('# on PostgreSQL')
  const postgres = await startPostgres()
  try {
    return await runTests({ TEST_POSTGRES_URL: postgres.url }, [])
  } finally {
    await postgres.stop()
  }
}

const runs = { sqlite: onSqlite, postgres: onPostgres }
const wanted = Object.entries(runs).filter(([name]) => (values.database ?? name) === name)
let passed = true
for (const [, run] of wanted) passed = (await run()) && passed
if (bundles) rmSync(bundles.folder, { recursive: true })
process.exit(passed ? 0 : 1)
