import { loadInTurns, type LoadedRoute } from './load.ts'
import { startCodestead, type Codestead } from './servers.ts'

const COUNTS = [1, 2]

interface Work extends Pick<LoadedRoute, 'write'> {
  readonly name: string
  readonly path: string
}

const works: readonly Work[] = [
  { name: 'GET /repos/{owner}/{repo}', path: '/repos/ann/demo' },
  { name: 'GET /repos/search', path: '/repos/search?q=demo&sort=updated' },
  {
    name: 'PATCH /repos/{owner}/{repo}',
    path: '/repos/ann/demo',
    write: { method: 'PATCH', body: (count) => ({ description: `d${count}` }) },
  },
  {
    name: 'POST /repos/{owner}/{repo}/issues',
    path: '/repos/ann/demo/issues',
    write: { method: 'POST', body: (count) => ({ title: `t${count}` }) },
  },
]

/**
 * The same work of one process and of several on one port. Whoever loads them needs a core of its
 * own.
 */
export async function workersBench(): Promise<void> {
  const servers: Codestead[] = []
  try {
    for (const count of COUNTS) servers.push(await startWorkers(count))
    for (const { name, path, write } of works) {
      await loadInTurns(
        name,
        servers.map(({ url, token }, index) => ({
          route: `workers = ${COUNTS[index]}`,
          url: `${url}/api/v1${path}`,
          headers: { authorization: `token ${token}` },
          ...(write ? { write } : {}),
        })),
      )
    }
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function startWorkers(count: number): Promise<Codestead> {
  const settings = { CODESTEAD_SERVER_WORKERS: String(count) }
  const codestead = await startCodestead({ settings })
  const answer = await fetch(`${codestead.url}/api/v1/user/repos`, {
    method: 'POST',
    headers: {
      authorization: `token ${codestead.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'demo' }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return codestead
}
