import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { Environment } from '../../../src/platform/config/config.ts'
import { makeDatabase } from '../../support/databases.ts'
import { startAdmin, startServer, type Running } from '../../support/process.ts'

interface Server {
  readonly running: Running
  readonly url: string
}

export interface Answer {
  readonly status: number
  // oxlint-disable-next-line no-explicit-any -- a test reads whatever it expects
  readonly body: any
}

/** Two servers on one PostgreSQL, with ann who administers them. */
export interface Cluster {
  /** By the first server that answers; `undefined` when none does. */
  readonly post: (path: string, body: object) => Promise<Answer | undefined>
  /** To every server at once. */
  readonly postToAll: (path: string) => Promise<void>
  /** Kills one, while the other goes on, and starts another in its place. */
  readonly replace: (place: 0 | 1) => Promise<void>
  readonly query: <Row extends object>(statement: string) => Promise<readonly Row[]>
}

export async function startCluster(t: TestContext): Promise<Cluster> {
  const environment = await prepare(t)
  const token = await addAnn(t, environment)
  const database = new pg.Client({ connectionString: environment['CODESTEAD_DATABASE_URL'] })
  await database.connect()
  t.after(() => database.end())
  const servers = await Promise.all([startOne(t, environment), startOne(t, environment)])
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const ask = async ({ url }: Server, path: string, body: object) => {
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    return fetch(`${url}/api/v1${path}`, request).catch(() => undefined)
  }
  return {
    post: async (path, body) => {
      for (const server of servers) {
        const answer = await ask(server, path, body)
        const text = await answer?.text().catch(() => undefined)
        if (answer && text !== undefined) return { status: answer.status, body: parsed(text) }
      }
      return undefined
    },
    postToAll: async (path) => {
      await Promise.all(servers.map((server) => ask(server, path, {})))
    },
    replace: async (place) => {
      servers[place].running.child.kill('SIGKILL')
      servers[place] = await startOne(t, environment)
    },
    query: async <Row extends object>(statement: string) =>
      (await database.query<Row>(statement)).rows,
  }
}

function parsed(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}

async function prepare(t: TestContext): Promise<Environment> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-webhooks-'))
  const database = await makeDatabase(data)
  t.after(async () => {
    await database.remove()
    rmSync(data, { recursive: true, force: true })
  })
  return {
    CODESTEAD_DATA: data,
    CODESTEAD_DATABASE_URL: database.url,
    CODESTEAD_NETWORK_ALLOW_PRIVATE: 'true',
    CODESTEAD_WEBHOOKS_TIMEOUT: '1s',
    CODESTEAD_JOBS_LEASE: '5s',
    CODESTEAD_LOG_LEVEL: 'warn',
  }
}

async function addAnn(t: TestContext, environment: Environment): Promise<string> {
  const words = '--name ann --email ann@example.org --password password-1 --admin --access-token t'
  const made = startAdmin(t, environment, ['user', 'create', ...words.split(' ')])
  assert.equal(await made.end(), 0, made.notes)
  return made.out.trim().split('\n').at(-1) ?? ''
}

async function startOne(t: TestContext, environment: Environment): Promise<Server> {
  const running = startServer(t, environment)
  const [, url = ''] = await running.says(/ is at (http:\/\/\S+)/)
  return { running, url }
}
