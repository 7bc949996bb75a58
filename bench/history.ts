import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'
import { quantile, timed } from './time.ts'

const COMMITS = Number(process.env['BENCH_HISTORY_COMMITS'] ?? 25_000)
const FILES = 5_000
const FOLDERS = 60
const TAG_EVERY = Math.ceil(COMMITS / 50)
/** Files of the root that no commit but the first has touched. */
const OLD_ENTRIES = 30
const LOOKS = 20

/** Looks at a long history, beside plain git on the same repository. */
export async function historyBench(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  const codestead = await startCodestead()
  try {
    const folder = join(scratch, 'big.git')
    await makeHistory(folder)
    await git(['--git-dir', folder, 'repack', '-adq', '--window=5'])
    await git(['--git-dir', folder, 'commit-graph', 'write', '--reachable', '--changed-paths'])
    await host(codestead, folder)
    const before = codestead.memory()
    const rows = [
      ...(await benchLooks(codestead, folder)),
      ...(await benchCompare(codestead, folder)),
      ...(await benchArchives(codestead, folder)),
    ]
    printTable(`a history of ${COMMITS} commits and ${FILES} files, in milliseconds`, rows)
    printTable('resident memory', [{ 'before MiB': before, 'after MiB': codestead.memory() }])
  } finally {
    await codestead.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function benchLooks(codestead: Codestead, folder: string) {
  const ids = await everyCommit(folder)
  const old = Array.from({ length: LOOKS }, (_, index) => ids[index * 40 + 100] ?? '')
  const roots = old.map((id) => `/ann/big/src/commit/${id}`)
  const paths = Array.from({ length: LOOKS }, (_, index) => pathOf(index * 211))
  const commits = paths.map((path) => `/api/v1/repos/ann/big/commits?path=${path}`)
  return [
    await compared('root of an old commit', codestead, roots, (index) =>
      lastCommitsOf(folder, old[index] ?? ''),
    ),
    await compared('commits of a path', codestead, commits, (index) =>
      git(['--git-dir', folder, 'rev-list', 'main', '--', paths[index] ?? '']),
    ),
  ]
}

async function benchCompare(codestead: Codestead, folder: string) {
  const last = Math.floor((COMMITS - 1) / TAG_EVERY)
  const near = Array.from({ length: 8 }, (_, index) => [`v${index + 2}`, `v${index + 3}`] as const)
  const far = Array.from(
    { length: 4 },
    (_, index) => [`v${index + 1}`, `v${last - index}`] as const,
  )
  const rows = []
  for (const [what, pairs] of [
    ['neighbouring tags', near],
    ['distant tags', far],
  ] as const) {
    const plain = async (index: number) => {
      const [from = '', to = ''] = pairs[index] ?? []
      await git(['--git-dir', folder, 'diff', '-M', from, to])
    }
    const at = (root: string) => pairs.map(([from, to]) => `${root}/${from}...${to}`)
    rows.push(await compared(`page of ${what}`, codestead, at('/ann/big/compare'), plain))
    const api = at('/api/v1/repos/ann/big/compare')
    rows.push(await compared(`API of ${what}`, codestead, api, plain))
  }
  return rows
}

async function benchArchives(codestead: Codestead, folder: string) {
  const path = '/api/v1/repos/ann/big/archive/v20.tar.gz'
  const plain = await timed(() => git(['--git-dir', folder, 'archive', '--format=tar.gz', 'v20']))
  const four = await timed(() => Promise.all([1, 2, 3, 4].map(() => get(codestead, path))))
  const again = await timed(() => get(codestead, path))
  const figures = { 'first p50': four.toFixed(0), 'first p95': '', again: again.toFixed(0) }
  return [{ what: 'archive, four at once', ...figures, 'plain git': plain.toFixed(0) }]
}

/** Each address is looked at twice, and plain git asked the same once. */
async function compared(
  what: string,
  codestead: Codestead,
  addresses: readonly string[],
  plainly: (index: number) => Promise<unknown>,
) {
  const times: Record<'first' | 'again' | 'plain', number[]> = { first: [], again: [], plain: [] }
  for (const [index, address] of addresses.entries()) {
    times.plain.push(await timed(() => plainly(index)))
    times.first.push(await timed(() => get(codestead, address)))
    times.again.push(await timed(() => get(codestead, address)))
  }
  return {
    what,
    'first p50': quantile(times.first, 0.5).toFixed(0),
    'first p95': quantile(times.first, 0.95).toFixed(0),
    again: quantile(times.again, 0.95).toFixed(0),
    'plain git': quantile(times.plain, 0.5).toFixed(0),
  }
}

/** What a page of a folder tells beside each entry. */
async function lastCommitsOf(folder: string, id: string): Promise<void> {
  const names = await git(['--git-dir', folder, 'ls-tree', '--name-only', id])
  for (const name of names.trim().split('\n')) {
    await git(['--git-dir', folder, 'log', '-1', '--format=%H', id, '--', name])
  }
}

async function everyCommit(folder: string): Promise<readonly string[]> {
  return (await git(['--git-dir', folder, 'rev-list', '--reverse', 'main'])).trim().split('\n')
}

async function get({ url, token }: Codestead, path: string): Promise<void> {
  const headers = path.startsWith('/api/') ? { authorization: `token ${token}` } : {}
  const answer = await fetch(url + path, { headers })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
}

/** Pushes it, and waits until what follows a push is done. */
async function host({ url, token }: Codestead, folder: string): Promise<void> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'big' })
  await fetch(`${url}/api/v1/user/repos`, { method: 'POST', headers, body })
  const target = `${url.replace('://', `://ann:${token}@`)}/ann/big.git`
  await git(['--git-dir', folder, 'push', '--quiet', '--mirror', target])
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${url}/api/v1/repos/ann/big/languages`, { headers })
    if (Object.keys((await answer.json()) as object).length > 0) return
    await delay(100)
  }
}

/** The same on every machine. */
async function makeHistory(folder: string): Promise<void> {
  await git(['init', '--quiet', '--bare', '--initial-branch=main', folder])
  const child = spawn('git', ['--git-dir', folder, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  await pipeline(Readable.from(instructions()), child.stdin)
  if ((await closed) !== 0) throw new Error('git fast-import failed')
}

function* instructions(): Generator<string> {
  let state = 1
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let count = 0; count < COMMITS; count++) {
    const who = `Ann <ann@example.org> ${1_500_000_000 + count * 600} +0000`
    const message = `Change ${count}`
    yield `commit refs/heads/main\ncommitter ${who}\ndata ${message.length}\n${message}\n`
    if (count === 0) yield* firstFiles()
    else for (let file = 0; file <= random(4); file++) yield fileOf(random(FILES), `${random(1e9)}`)
    if (count % TAG_EVERY === 0)
      yield `reset refs/tags/v${count / TAG_EVERY}\nfrom refs/heads/main\n`
  }
}

function* firstFiles(): Generator<string> {
  for (let old = 0; old < OLD_ENTRIES; old++) yield written(`OLD-${old}.txt`, `old ${old}\n`)
  for (let file = 0; file < FILES; file++) yield fileOf(file, '0')
}

function fileOf(file: number, word: string): string {
  const lines = Array.from({ length: 40 }, (_, line) => `export const a${line} = ${file}\n`)
  return written(pathOf(file), `${lines.join('')}export const word = ${word}\n`)
}

function pathOf(file: number): string {
  return `folder-${file % FOLDERS}/part-${file % 7}/file-${file}.ts`
}

function written(path: string, text: string): string {
  return `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`
}

async function git(parameters: readonly string[]): Promise<string> {
  const options = { maxBuffer: 2 ** 30, encoding: 'latin1' as const }
  return (await promisify(execFile)('git', [...parameters], options)).stdout
}
