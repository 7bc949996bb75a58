import assert from 'node:assert/strict'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startServer } from '../support/process.ts'
import { startMachine } from '../support/terminal.ts'

/** Where the scripts in .ci keep the clients that they download. */
export const keptClients = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'codestead-ci',
)

/** A server, and who calls it. */
export interface Host {
  readonly url: string
  readonly token: string
}

/** A server in a process of its own, on an empty folder, as each of those people see it. */
export async function startHosts<Name extends string>(
  t: TestContext,
  names: readonly Name[],
): Promise<Record<Name, Host>> {
  const machine = await startMachine(t)
  const tokens: [Name, string][] = []
  for (const name of names) {
    const person = ['--name', name, '--email', `${name}@example.org`, '--password', 'password1']
    const made = await machine.admin(['user', 'create', ...person, '--access-token', 'build'])
    tokens.push([name, made.lastLine])
  }
  const running = startServer(t, { ...machine.environment, CODESTEAD_LOG_LEVEL: 'error' })
  const [, url = ''] = await running.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
  const hosts = tokens.map(([name, token]) => [name, { url, token }] as const)
  return Object.fromEntries(hosts) as Record<Name, Host>
}

/** What the API answers, which has to succeed. */
export async function call<T>(
  { url, token }: Host,
  path: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}
