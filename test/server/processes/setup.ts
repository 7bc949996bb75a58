import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { basic } from '../../support/app.ts'
import { startServer, type Running } from '../../support/process.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

export const COUNT = 2
export const ann = basic('ann', 'password-1')
const account = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'password-1']

interface Answer {
  readonly status: number
  // oxlint-disable-next-line no-explicit-any -- a test reads whatever it expects
  readonly body: any
}

export interface Workers {
  readonly machine: Machine
  readonly server: Running
  readonly url: string
  /** Over a connection of its own, so that another worker answers than before. */
  readonly ask: (method: string, path: string, body?: object) => Promise<Answer>
}

/** A server with several workers, and ann who administers it. */
export async function startWorkers(t: TestContext): Promise<Workers> {
  const machine = await startMachine(t)
  assert.equal((await machine.admin(['user', 'create', ...account, '--admin'])).status, 0)
  const { server, url } = await startOn(t, machine)
  const ask: Workers['ask'] = async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: ann, connection: 'close', 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  return { machine, server, url, ask }
}

/** The same on a machine that is there, and with whoever is there. */
export async function startOn(
  t: TestContext,
  { environment }: Machine,
): Promise<Pick<Workers, 'server' | 'url'>> {
  const server = startServer(t, { ...environment, CODESTEAD_SERVER_WORKERS: String(COUNT) })
  const [, url = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
  await until(() => pidsOf(server, 'listening at').length === COUNT)
  return { server, url }
}

interface Line {
  readonly pid: number
  readonly msg: string
}

/** Who has written a line that begins so, each once. */
export function pidsOf({ out }: Running, beginning: string): readonly number[] {
  // The last one may have come in part.
  const lines = out.split('\n').slice(0, -1)
  const found = lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg.startsWith(beginning))
  return [...new Set(found.map(({ pid }) => pid))]
}

/** Many at once. */
export function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}
