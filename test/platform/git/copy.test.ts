// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { link } from 'node:fs/promises'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { copyObjects } from '../../../src/platform/git/copy-live.ts'

const COMMITS = 50

/** A bare repository of loose objects. */
function makeLoose(t: TestContext): { readonly from: string; readonly to: string } {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-copy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [from, to] = [join(folder, 'from.git'), join(folder, 'to.git')]
  for (const path of [from, to])
    execFileSync('git', ['init', '--quiet', '--bare', '-b', 'main', path])
  const commits = Array.from(
    { length: COMMITS },
    (_, at) => `commit refs/heads/main
committer Ann <ann@example.org> ${1_700_000_000 + at} +0000
data 1
x
M 100644 inline f${at}
data ${String(at).length}
${at}
`,
  )
  const loosely = ['-c', 'fastimport.unpackLimit=100000', 'fast-import', '--quiet']
  execFileSync('git', ['-C', from, ...loosely], { input: commits.join('') })
  return { from, to }
}

function assertWhole({ from, to }: { readonly from: string; readonly to: string }): void {
  const tip = execFileSync('git', ['-C', from, 'rev-parse', 'refs/heads/main'], {
    encoding: 'utf8',
  }).trim()
  execFileSync('git', ['-C', to, 'update-ref', 'refs/heads/main', tip])
  assert.equal(
    execFileSync('git', ['-C', to, 'fsck', '--full', '--strict', '--no-dangling']).toString(),
    '',
  )
  const count = execFileSync('git', ['-C', to, 'rev-list', '--count', 'main']).toString().trim()
  assert.equal(count, String(COMMITS))
}

/** Links files, and does `work` before the first whose name fits. */
function linkingWhile(fits: RegExp, work: () => void) {
  let isDone = false
  return async (from: string, to: string) => {
    if (!isDone && fits.test(from)) {
      isDone = true
      work()
    }
    await link(from, to)
  }
}

suite('a copy of objects', () => {
  test('is whole when git packs them meanwhile', async (t) => {
    const place = makeLoose(t)
    const gc = () => void execFileSync('git', ['-C', place.from, 'gc', '--quiet', '--prune=now'])
    const copy = linkingWhile(/./, gc)

    await copyObjects(join(place.from, 'objects'), join(place.to, 'objects'), { copy })

    assertWhole(place)
  })

  test('is whole when another pack takes the place of one meanwhile', async (t) => {
    const place = makeLoose(t)
    const repack = (...how: string[]) =>
      execFileSync('git', ['-C', place.from, 'repack', '-adq', ...how])
    repack()
    const copy = linkingWhile(/\.pack$/, () => {
      // One object more makes it another pack.
      execFileSync('git', ['-C', place.from, 'update-ref', 'refs/tags/x', 'refs/heads/main'])
      const blob = execFileSync('git', ['-C', place.from, 'hash-object', '-w', '--stdin'], {
        input: 'more',
      })
      execFileSync('git', ['-C', place.from, 'update-ref', 'refs/tags/y', blob.toString().trim()])
      repack('-f')
    })

    await copyObjects(join(place.from, 'objects'), join(place.to, 'objects'), { copy })

    assertWhole(place)
  })
})
