import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { importFirstCommit, createRepositoryFolder } from '../src/platform/git/create.ts'
import { prepareGit } from '../src/platform/git/environment.ts'
import { Git } from '../src/platform/git/run.ts'
import { configWith } from '../src/platform/config/config.ts'
import { durableCommit } from './commit.ts'
import { loadInTurns } from './load.ts'
import { startBare, startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'
import { median, timed } from './time.ts'
import { openWire, type Wire } from './wire.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 100)
/** What has run for a while has been compiled. */
const WARM_UP = 50

/** Repositories: reads beside a bare route, writes beside the least that could do the same. */
export async function repositoriesBench(): Promise<void> {
  const codestead = await startCodestead()
  const scratch = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  try {
    await benchReads(codestead)
    await benchWrites(codestead, scratch)
    await benchPatch(codestead, scratch)
  } finally {
    await codestead.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

type Send = (method: string, path: string, body?: object) => Promise<Response>

function clientOf({ url, token }: Codestead): Send {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
}

async function benchReads(codestead: Codestead): Promise<void> {
  const send = clientOf(codestead)
  await send('POST', '/user/repos', { name: 'read', auto_init: true })
  const record: unknown = await (await send('GET', '/repos/ann/read')).json()
  const bare = await startBare(record)
  const address = `${codestead.url}/api/v1/repos/ann/read`
  await loadInTurns('GET /repos/{owner}/{repo}', [
    { route: 'bare Fastify route, the same record', url: `${bare.url}/record` },
    {
      route: 'with a token',
      url: address,
      headers: { authorization: `token ${codestead.token}` },
      target: '>= 0.33',
    },
    { route: 'anonymous', url: address, target: '>= 0.50' },
  ])
  await bare.stop()
}

async function benchWrites(codestead: Codestead, scratch: string): Promise<void> {
  const send = clientOf(codestead)
  const commit = durableCommit(join(scratch, 'commit.db'))
  const git = new Git(prepareGit(configWith(scratch)))
  const options = { branch: 'main', objectFormat: 'sha1' } as const
  let count = 0
  const folder = () => join(scratch, `${++count}.git`)

  await createAndDelete(send, 1000)
  const [commitMs = 0, folderMs = 0, gitMs = 0, emptyMs = 0, initMs = 0, deleteMs = 0] =
    await inTurns([
      async () => commit(),
      async () => createRepositoryFolder(folder(), options),
      async () => {
        const path = folder()
        await createRepositoryFolder(path, options)
        await importFirstCommit(git, path, firstCommit)
      },
      (round) => send('POST', '/user/repos', { name: `empty${round}` }),
      (round) =>
        send('POST', '/user/repos', {
          name: `init${round}`,
          auto_init: true,
          license: 'MIT',
          gitignores: 'Go',
        }),
      (round) => send('DELETE', `/repos/ann/empty${round}`),
    ])
  const row = (work: string, ms: number, beside: string, least: number, target: string) => ({
    work,
    'median ms': ms.toFixed(1),
    beside,
    'least ms': least.toFixed(1),
    ratio: (ms / least).toFixed(2),
    target,
  })
  printTable('writes, one after the other', [
    row(
      'create empty',
      emptyMs,
      'the same files and one durable commit',
      folderMs + commitMs,
      '<= 2',
    ),
    row('create with auto_init', initMs, 'the one git process it needs', gitMs, '<= 2'),
    row('DELETE', deleteMs, 'one durable commit', commitMs, ''),
  ])
}

/** Eight at a time, until the server has compiled what it runs for it. */
async function createAndDelete(send: Send, count: number): Promise<void> {
  let made = 0
  const worker = async () => {
    while (made < count) {
      const name = `warm${made++}`
      await send('POST', '/user/repos', { name })
      await send('DELETE', `/repos/ann/${name}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}

/**
 * Beside nothing else: the jobs that follow the creation of a repository would meet only one of
 * them.
 */
async function benchPatch(codestead: Codestead, scratch: string): Promise<void> {
  const { url, token } = codestead
  const record: unknown = await (await clientOf(codestead)('GET', '/repos/ann/read')).json()
  const bare = await startBare(record, join(scratch, 'bare.db'))
  const commit = durableCommit(join(scratch, 'patch.db'))
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  // First those at once, thousands of them: by then both servers are compiled.
  await patchesAtOnce(`${bare.url}/record`, headers)
  const manyMs = await patchesAtOnce(`${url}/api/v1/repos/ann/read`, headers)
  const [wire, bareWire] = [await openWire(url, headers), await openWire(bare.url, headers)]
  const [commitMs = 0, bareMs = 0, patchMs = 0] = await inTurns(
    [
      async () => commit(),
      (round) => patchOver(bareWire, '/record', round),
      (round) => patchOver(wire, '/api/v1/repos/ann/read', round),
    ],
    PATCHES,
  )
  wire.close()
  bareWire.close()
  await bare.stop()
  const row = (work: string, ms: number, target = '') => ({
    work,
    'ms each': ms.toFixed(2),
    ratio: (ms / commitMs).toFixed(2),
    target,
    'to the bare route': (ms / bareMs).toFixed(2),
  })
  printTable('PATCH of the description', [
    row('one durable commit', commitMs),
    row('bare Fastify route, one durable commit', bareMs),
    row('PATCH, one after the other', patchMs, '<= 3'),
    row('PATCH, eight at a time', manyMs, '<= 3'),
  ])
}

async function patchOver(wire: Wire, path: string, round: number): Promise<void> {
  const status = await wire.send('PATCH', path, JSON.stringify({ description: `d${round}` }))
  if (status !== 200) throw new Error(`PATCH ${path}: ${status}`)
}

const PATCHES = 1000

async function patchesAtOnce(url: string, headers: Record<string, string>): Promise<number> {
  let count = 0
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    body: JSON.stringify({ description: `e${count++}` }),
  })
  const { requests, duration, non2xx } = await autocannon({
    url,
    method: 'PATCH',
    headers,
    connections: 8,
    duration: 4,
    requests: [{ setupRequest }],
  })
  if (non2xx > 0) throw new Error(`${non2xx} of the edits were refused`)
  return (duration * 1000) / requests.total
}

/**
 * The median of each, after a warm-up. They take turns, so that what else the machine does meets
 * all alike.
 */
async function inTurns(
  works: readonly ((round: number) => Promise<unknown>)[],
  rounds = ROUNDS,
): Promise<number[]> {
  const times: number[][] = works.map(() => [])
  for (let round = 0; round < WARM_UP + rounds; round++) {
    for (const [index, work] of works.entries()) {
      const ms = await timed(() => work(round))
      if (round >= WARM_UP) times[index]?.push(ms)
    }
  }
  return times.map(median)
}

const firstCommit = {
  branch: 'main',
  message: 'Initial commit\n',
  author: { name: 'ann', email: 'ann@example.org' },
  at: 1,
  files: [
    { path: 'README.md', content: '# demo\n' },
    { path: 'LICENSE', content: 'x'.repeat(1000) },
    { path: '.gitignore', content: 'x\n'.repeat(20) },
  ],
}
