import { setTimeout as delay } from 'node:timers/promises'
import { load, type Figures } from './load.ts'
import { startBare, startCodestead } from './servers.ts'
import { printTable } from './table.ts'

/** Long enough for a server to have come to rest after its start. */
const REST_MS = 2000

/** Small reads beside a bare route that sends the same record; start-up time; memory at rest and after the load. */
export async function apiBench(): Promise<void> {
  const codestead = await startCodestead()
  await delay(REST_MS)
  const atRest = codestead.memory()
  const api = `${codestead.url}/api/v1`
  const token = { authorization: `token ${codestead.token}` }
  const record: unknown = await (await fetch(`${api}/user`, { headers: token })).json()
  const bare = await startBare(record)
  const routes: [string, string, Record<string, string>][] = [
    ['bare Fastify route, the record of /user', `${bare.url}/record`, {}],
    ['GET /version', `${api}/version`, {}],
    ['GET /user with a token', `${api}/user`, token],
    ['GET /users/{name}, anonymous', `${api}/users/ann`, {}],
    ['GET /users/{name} with a token', `${api}/users/ann`, token],
  ]

  const figures: [string, Figures][] = []
  for (const [name, url, headers] of routes) figures.push([name, await load(url, headers)])
  const base = figures[0]?.[1].perSecond ?? 1
  printTable(
    'requests, 8 connections',
    figures.map(([name, { perSecond, p50, p99, failed }]) => ({
      route: name,
      'per second': perSecond,
      'p50 ms': p50,
      'p99 ms': p99,
      failed,
      'ratio to bare': (perSecond / base).toFixed(2),
    })),
  )
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
