// Runs the tests on SQLite, then on PostgreSQL those that do not say "One database is enough".
// Files to run may be named:
//   npm test -- test/identity/users/users.test.ts        npm test -- --database sqlite
import { spawn } from 'node:child_process'
import { accessSync, constants, globSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleTests } from './support/bundles.ts'
import { startPostgres } from './support/postgres.ts'
import { setTrap } from './support/trap.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: 'string' }, coverage: { type: 'boolean', default: false } },
})
const diskFolder = tmpdir()
process.env['TMPDIR'] ??= memoryFolder() ?? tmpdir()
const cache = join(diskFolder, 'codestead-compile-cache')
const all = globSync('test/**/*.test.ts')
const onBoth = all.filter((file) => !readFileSync(file, 'utf8').startsWith('// One database'))

const coverage = [
  '--experimental-test-coverage',
  '--test-coverage-include=src/**',
  '--test-coverage-lines=90',
  '--test-coverage-branches=90',
]

/**
 * One more than there are cores, since tests also wait: for git, for PostgreSQL, for servers to
 * start.
 */
const atOnce = availableParallelism() + 1

const settings = [
  // Room for young objects: a test makes a whole server, and most of it is garbage soon after.
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
  // Every core is busy with tests: threads that help one process to collect garbage take them from
  // another.
  '--single-threaded-gc',
  `--import=${new URL('support/untracked.ts', import.meta.url).href}`,
  '--test',
  `--test-concurrency=${atOnce}`,
]

async function runTests(
  files: readonly string[],
  environment: Record<string, string>,
  flags: readonly string[],
): Promise<boolean> {
  const bundles = positionals.length > 0 ? undefined : bundleTests(files, atOnce)
  const parameters = [...flags, ...(bundles?.files ?? positionals)]
  const child = spawn(process.execPath, [...settings, ...parameters], {
    stdio: 'inherit',
    env: { ...process.env, ...compileCache(flags), TEST_COMPILE_CACHE: cache, ...environment },
  })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  child.on('exit', (code) => resolve(code === 0))
  const passed = await promise
  if (bundles) rmSync(bundles.folder, { recursive: true })
  return passed
}

/** What tests write is thrown away, so it need not reach a disk where there is memory to spare. */
function memoryFolder(): string | undefined {
  const folder = '/dev/shm'
  try {
    accessSync(folder, constants.W_OK)
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize > 4 * 2 ** 30 ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * Each file is a process that loads everything; kept compiled, that takes a third of the time.
 * Coverage needs it fresh.
 */
function compileCache(flags: readonly string[]): Record<string, string> {
  return flags.length > 0 ? {} : { NODE_COMPILE_CACHE: cache }
}

async function onSqlite(): Promise<boolean> {
  console.log('# on SQLite')
  return runTests(all, { TEST_POSTGRES_URL: '' }, values.coverage ? coverage : [])
}

async function onPostgres(): Promise<boolean> {
  console.log('# on PostgreSQL')
  const postgres = await startPostgres()
  try {
    return await runTests(onBoth, { TEST_POSTGRES_URL: postgres.url }, [])
  } finally {
    await postgres.stop()
  }
}

const runs = { sqlite: onSqlite, postgres: onPostgres }
const wanted = Object.entries(runs).filter(([name]) => (values.database ?? name) === name)
// Named in requests of all kinds: whoever comes was led there by a server under test.
const trap = await setTrap()
process.env['TEST_TRAP_PORT'] = String(trap.port)
let passed = true
for (const [, run] of wanted) passed = (await run()) && passed
for (const said of trap.caught()) console.error(`a server called an address inside: ${said}`)
process.exit(passed && trap.caught().length === 0 ? 0 : 1)
