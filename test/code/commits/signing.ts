import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GitClient } from '../../platform/git/support.ts'

export const skipWithoutSshKeygen =
  spawnSync('ssh-keygen', ['-?']).error === undefined ? false : 'ssh-keygen is not installed'

/** A new key on the client's machine; gives its public line. */
export function makeSshKey({ home }: GitClient, name: string, ...type: readonly string[]): string {
  const file = join(home, name)
  const kind = type.length === 0 ? ['-t', 'ed25519'] : type
  spawnSync('ssh-keygen', ['-q', ...kind, '-N', '', '-C', name, '-f', file])
  return readFileSync(`${file}.pub`, 'utf8').trim()
}

/** From now on git can sign, and does so with this key unless told otherwise. */
export async function signWith(client: GitClient, name: string): Promise<void> {
  await client.git(['config', '--global', 'gpg.format', 'ssh'])
  await client.git(['config', '--global', 'user.signingKey', join(client.home, name)])
}

export interface CommitParts {
  readonly tree: string
  readonly committer?: string
  readonly message?: string | Buffer
  /** Each a header with what it holds. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
}

const aMinuteAgo = Math.floor(Date.now() / 1000) - 60

/** A commit in git's own form, byte by byte. */
export function rawCommit({ tree, committer, message = 'x\n', headers = [] }: CommitParts): Buffer {
  const who = `${committer ?? 'Ann <ann@example.org>'} ${aMinuteAgo} +0000`
  const lines = [`tree ${tree}`, `author ${who}`, `committer ${who}`]
  const extra = headers.map(([name, value]) => `${name} ${value.trim().replaceAll('\n', '\n ')}`)
  const head = Buffer.from(`${[...lines, ...extra].join('\n')}\n\n`)
  return Buffer.concat([head, typeof message === 'string' ? Buffer.from(message) : message])
}
