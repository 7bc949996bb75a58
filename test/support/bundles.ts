import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * For each process at a time: enough that all stay busy until the end, few enough that loading
 * counts for little.
 */
const PER_PROCESS = 3

/**
 * The runner gives each file a process of its own, which loads and warms up the whole program
 * again. A bundle is a file that imports several test files, so that they share one.
 */
export function bundleTests(
  files: readonly string[],
  atOnce: number,
): { folder: string; files: string[] } {
  const count = atOnce * PER_PROCESS
  const folder = mkdtempSync(join(tmpdir(), 'codestead-tests-'))
  const bySize = files.toSorted((a, b) => weightOf(b) - weightOf(a))
  const bundles = Array.from({ length: count }, (_, index) =>
    bySize.filter((_file, place) => place % count === index),
  )
  return { folder, files: bundles.map((members, index) => writeBundle(folder, index, members)) }
}

/**
 * Longer files take longer, but for the short ones that do the same hundreds of times or with very
 * much: those begin.
 */
function weightOf(file: string): number {
  return /mutations|large|crash/.test(file) ? Number.MAX_SAFE_INTEGER : statSync(file).size
}

function writeBundle(folder: string, index: number, members: readonly string[]): string {
  const path = join(folder, `${index}.test.mjs`)
  const imports = members.map((file) => `import '${pathToFileURL(resolve(file)).href}'\n`)
  writeFileSync(path, imports.join(''))
  return path
}
