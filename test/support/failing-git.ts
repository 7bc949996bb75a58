import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../src/platform/config/config.ts'
import { startGitHost, type GitHost } from '../platform/git/support.ts'
import { until } from './until.ts'

/**
 * Killed when its work is done, or instead of doing it; or a text that it says instead, and fails;
 * or lines of a shell before.
 */
export type Failure =
  | 'killed after'
  | 'killed before'
  | { readonly says: string }
  | { readonly begins: string }

const program = (folder: string, path: string) => `#!/bin/sh
echo "$*" >> '${folder}/started'
if [ -e '${folder}/command' ]; then
  case " $* " in *" $(cat '${folder}/command') "*)
    [ -e '${folder}/stays' ] || rm '${folder}/command'
    if [ -s '${folder}/lines' ]; then . '${folder}/lines'; PATH='${path}'; exec git "$@"; fi
    if [ -s '${folder}/words' ]; then cat '${folder}/words' >&2; exit 128; fi
    [ -e '${folder}/after' ] && PATH='${path}' git "$@"
    kill -9 $$
  esac
fi
PATH='${path}'
exec git "$@"
`

/** Lines with which git begins that waits until it is let go on. */
export class Pause {
  readonly #begun: string
  readonly #over: string

  constructor({ app }: GitHost) {
    this.#begun = join(app.ctx.config.data, 'pause-begun')
    this.#over = join(app.ctx.config.data, 'pause-over')
  }

  get lines(): string {
    return `touch '${this.#begun}'; until [ -e '${this.#over}' ]; do sleep 0.01; done`
  }

  async begun(): Promise<void> {
    await until(() => existsSync(this.#begun))
  }

  end(): void {
    writeFileSync(this.#over, '')
  }
}

/** A server whose git fails where it is told to. */
export async function startFailingGit(
  t: TestContext,
  changes: ConfigChanges = {},
): Promise<{
  readonly host: GitHost
  /** At the next start of this command of git's, or at each. */
  readonly failAt: (command: string, failure: Failure, stays?: 'each time') => void
  /** The commands for which the server has started git since this was asked last, in any order. */
  readonly takeStarted: () => readonly string[]
  /** With all that git was told, since it was last taken. */
  readonly started: () => readonly string[]
}> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-git-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = process.env['PATH'] ?? ''
  writeFileSync(join(folder, 'git'), program(folder, path))
  chmodSync(join(folder, 'git'), 0o755)
  process.env['PATH'] = `${folder}:${path}`
  try {
    const host = await startGitHost(t, changes)
    const failAt = (command: string, failure: Failure, stays?: 'each time') => {
      rmSync(join(folder, 'after'), { force: true })
      rmSync(join(folder, 'stays'), { force: true })
      if (stays) writeFileSync(join(folder, 'stays'), '')
      if (failure === 'killed after') writeFileSync(join(folder, 'after'), '')
      const { says = '', begins = '' } =
        typeof failure === 'object' ? (failure as { says?: string; begins?: string }) : {}
      writeFileSync(join(folder, 'words'), says)
      writeFileSync(join(folder, 'lines'), begins)
      writeFileSync(join(folder, 'command'), command)
    }
    const log = join(folder, 'started')
    const started = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
    const takeStarted = () => {
      const lines = started()
      rmSync(log, { force: true })
      return lines.map((line) => line.replace(/^(?:(?:--git-dir|-c) \S+ )*(\S+).*$/, '$1')).sort()
    }
    return { host, failAt, takeStarted, started }
  } finally {
    process.env['PATH'] = path
  }
}
