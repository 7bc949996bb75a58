import { setTimeout as delay } from 'node:timers/promises'
import { loadInTurns } from './load.ts'
import { startBare, startCodestead } from './servers.ts'
import { printTable } from './table.ts'

/** Long enough for a server to have come to rest after its start. */
const REST_MS = 2000

/**
 * Small reads beside a bare route that sends the same record; start-up time; memory at rest and
 * after the load.
 */
export async function apiBench(): Promise<void> {
  const codestead = await startCodestead()
  await delay(REST_MS)
  const atRest = codestead.memory()
  const api = `${codestead.url}/api/v1`
  const token = { authorization: `token ${codestead.token}` }
  const record: unknown = await (await fetch(`${api}/user`, { headers: token })).json()
  const bare = await startBare(record)
  await loadInTurns('requests', [
    { route: 'bare Fastify route, the record of /user', url: `${bare.url}/record` },
    { route: 'GET /version', url: `${api}/version` },
    { route: 'GET /user with a token', url: `${api}/user`, headers: token, target: '>= 0.50' },
    { route: 'GET /users/{name}, anonymous', url: `${api}/users/ann` },
    { route: 'GET /users/{name} with a token', url: `${api}/users/ann`, headers: token },
  ])
  printTable('process', [
    {
      'start to first answer, ms': Math.round(codestead.startMs),
      'MiB at rest': atRest,
      'MiB after the load': codestead.memory(),
      'bare route: start, ms': Math.round(bare.startMs),
      'bare route: MiB': bare.memory(),
    },
  ])
  await codestead.stop()
  await bare.stop()
}
