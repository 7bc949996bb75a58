import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'
import { median, timed } from './time.ts'

const FILES = 10_000
const ROUNDS = Number(process.env['BENCH_GIT_ROUNDS'] ?? 7)
const AT_ONCE = 8
/**
 * What has run for a while has been compiled. Small clones are quick, so that there can be more of
 * them.
 */
const WARM_UP = 2
const SMALL_ROUNDS = 15
const SMALL_WARM_UP = 10
/** Most repositories that are cloned were pushed to longer ago. */
const SETTLED_MS = 3000

/** Clones and pushes beside plain git on a path of the same disk. */
export async function gitBench(): Promise<void> {
  const codestead = await startCodestead()
  const scratch = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  try {
    await benchLarge(codestead, scratch)
    await benchSmall(codestead, scratch)
  } finally {
    await codestead.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function benchLarge(codestead: Codestead, scratch: string): Promise<void> {
  const work = join(scratch, 'large')
  await makeRepository(work, FILES)
  const pushes = await bothWays(async (round, isOurs) => {
    const target = isOurs ? await makeHosted(codestead, `large${round}`) : join(scratch, `${round}`)
    if (!isOurs) await git(['init', '--quiet', '--bare', '--initial-branch=main', target])
    return () => git(['-C', work, 'push', '--quiet', target, 'main'])
  })
  const clones = await bothWays(async (round, isOurs) => {
    const source = isOurs ? hostedUrl(codestead, 'large0') : join(scratch, '0')
    const copy = join(scratch, `copy-${round}-${isOurs}`)
    return () => git(['clone', '--quiet', '--no-local', source, copy])
  })
  printTable(`${FILES} files`, [row('push', pushes, '<= 1.3'), row('clone', clones, '<= 1.2')])
}

async function benchSmall(codestead: Codestead, scratch: string): Promise<void> {
  const work = join(scratch, 'small')
  await makeRepository(work, 10)
  await git(['-C', work, 'push', '--quiet', await makeHosted(codestead, 'small'), 'main'])
  await delay(SETTLED_MS)
  const figures = await bothWays(
    async (round, isOurs) => {
      const source = isOurs ? hostedUrl(codestead, 'small') : work
      const copies = Array.from({ length: AT_ONCE }, (_, index) =>
        join(scratch, `small-${round}-${isOurs}-${index}`),
      )
      return () =>
        Promise.all(copies.map((copy) => git(['clone', '--quiet', '--no-local', source, copy])))
    },
    SMALL_ROUNDS,
    SMALL_WARM_UP,
  )
  printTable('small clones', [row(`${AT_ONCE} at once`, figures, '<= 1.3')])
}

interface Figures {
  readonly ours: number
  readonly plain: number
  /** The median of those of each round, in which the machine did to both what else it does. */
  readonly ratio: number
}

type Prepare = (round: number, isOurs: boolean) => Promise<() => Promise<unknown>>

/** The two in turns, so that both see the same disk. */
async function bothWays(prepare: Prepare, rounds = ROUNDS, warmUp = WARM_UP): Promise<Figures> {
  const times: Record<keyof Figures, number[]> = { ours: [], plain: [], ratio: [] }
  for (let round = 0; round < warmUp + rounds; round++) {
    const plain = await timed(await prepare(round, false))
    const ours = await timed(await prepare(round, true))
    if (round < warmUp) continue
    times.plain.push(plain)
    times.ours.push(ours)
    times.ratio.push(ours / plain)
  }
  return { ours: median(times.ours), plain: median(times.plain), ratio: median(times.ratio) }
}

function row(work: string, { ours, plain, ratio }: Figures, target: string) {
  return {
    work,
    'median ms': ours.toFixed(0),
    'plain git ms': plain.toFixed(0),
    ratio: ratio.toFixed(2),
    target,
  }
}

function hostedUrl({ url, token }: Codestead, name: string): string {
  return `${url.replace('://', `://ann:${token}@`)}/ann/${name}.git`
}

async function makeHosted(codestead: Codestead, name: string): Promise<string> {
  const answer = await fetch(`${codestead.url}/api/v1/user/repos`, {
    method: 'POST',
    headers: { authorization: `token ${codestead.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
  return hostedUrl(codestead, name)
}

async function makeRepository(folder: string, files: number): Promise<void> {
  await git(['init', '--quiet', '--initial-branch=main', folder])
  for (let index = 0; index < files; index++) {
    const place = join(folder, `folder-${index % 100}`)
    if (index < 100) mkdirSync(place, { recursive: true })
    writeFileSync(join(place, `file-${index}.txt`), `${index} `.repeat(200))
  }
  await git(['-C', folder, 'add', '.'])
  const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
  await git(['-C', folder, ...author, 'commit', '--quiet', '-m', 'all of it'])
}

async function git(parameters: readonly string[]): Promise<void> {
  const child = spawn('git', parameters, { stdio: ['ignore', 'ignore', 'inherit'] })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  const code = await promise
  if (code !== 0) throw new Error(`git ${parameters.join(' ')}: ${code}`)
}
