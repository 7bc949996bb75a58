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

/** Where git pushes to. */
export function remoteFor({ url, token }: Host, repository: string): string {
  return `${url.replace('//', `//ann:${token}@`)}/${repository}.git`
}

export interface Release {
  readonly tag_name: string
  readonly body: string
  readonly draft: boolean
  readonly prerelease: boolean
  readonly assets: readonly { readonly name: string; readonly browser_download_url: string }[]
}

/** What anybody can download of a release. */
export async function downloadOf(release: Release): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {}
  for (const { name, browser_download_url: url } of release.assets) {
    const answer = await fetch(url)
    assert.equal(answer.status, 200)
    files[name] = Buffer.from(await answer.arrayBuffer())
  }
  return files
}
