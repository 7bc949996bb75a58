import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { launch } from '../../../src/platform/git/launcher.ts'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { startApp, PASSWORD, type TestApp } from '../../support/app.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  /** What git wrote for people, also what the server let it show. */
  readonly notes: string
}

/** Somebody's machine: a home without settings, and the real git. */
export class GitClient {
  readonly home: string
  /** The machine's clock, in seconds; that of the test unless it is set. */
  now: number | undefined
  /** Whether it knows how to talk with git on the other side; else it fetches plain files. */
  isSmart = true

  constructor(t: TestContext) {
    this.home = mkdtempSync(join(tmpdir(), 'codestead-client-'))
    t.after(() => rmSync(this.home, { recursive: true, force: true }))
    const settings =
      '[user]\n\tname = Ann\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n'
    writeFileSync(join(this.home, '.gitconfig'), settings)
  }

  start(parameters: readonly string[], folder = this.home) {
    return spawn('git', parameters, { cwd: folder, detached: true, env: this.#environment() })
  }

  #environment(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: 'true',
      LC_ALL: 'C',
      GIT_SMART_HTTP: this.isSmart ? '1' : '0',
      ...(this.now === undefined ? {} : { GIT_COMMITTER_DATE: `${this.now} +0000` }),
    }
  }

  /** Ends git and the helpers that it has started, as if the machine had lost power. */
  kill({ pid }: ChildProcess): void {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  }

  async run(parameters: readonly string[], folder = this.home): Promise<Ran> {
    const child = await launch({
      program: 'git',
      parameters,
      environment: this.#environment(),
      folder,
      hasInput: false,
      leader: false,
      timeLimitMs: 120_000,
    })
    const [out, { code, complaint }] = await Promise.all([text(child.stdout), child.ended])
    return { code, out: out.trim(), notes: complaint }
  }

  /** Like `run`, where git has to succeed: what it wrote. */
  async git(parameters: readonly string[], folder?: string): Promise<string> {
    const { code, out, notes } = await this.run(parameters, folder)
    assert.equal(code, 0, `git ${parameters.join(' ')}: ${notes}`)
    return out
  }

  /** A repository with one commit, the folder of which is given. */
  async makeRepository(name = 'work', format = 'sha1'): Promise<string> {
    const folder = join(this.home, name)
    await this.git(['init', '--quiet', `--object-format=${format}`, folder])
    await this.commit(folder, 'first')
    return folder
  }

  /** A commit of one file that says the same as the message. */
  async commit(folder: string, message: string): Promise<string> {
    writeFileSync(join(folder, 'file.txt'), `${message}\n`)
    await this.git(['add', '.'], folder)
    await this.git(['commit', '--quiet', '-m', message], folder)
    return this.git(['rev-parse', 'HEAD'], folder)
  }
}

/** A server with a port, and a client for it. */
export class GitHost {
  readonly app: TestApp
  readonly client: GitClient
  readonly #address: string

  constructor(app: TestApp, client: GitClient, address: string) {
    this.app = app
    this.client = client
    this.#address = address
  }

  /** The address of a path, with these credentials in it. */
  url(path: string, credentials = ''): string {
    return `http://${credentials === '' ? '' : `${credentials}@`}${this.#address}/${path}`
  }

  /** Like `url`, for somebody who signs in with the password that all test accounts have. */
  urlFor(name: string, path: string): string {
    return this.url(path, `${name}:${PASSWORD}`)
  }

  /** The directory of a repository on the server. */
  async folderOf(path: string): Promise<string> {
    const [owner = '', name = ''] = path.split('/')
    const { folder } = await this.app.ctx.db
      .selectFrom('repository')
      .innerJoin('account', 'account.id', 'repository.owner_id')
      .select('repository.folder')
      .where('account.lower_name', '=', owner)
      .where('repository.lower_name', '=', name)
      .executeTakeFirstOrThrow()
    return repositoryFolder(this.app.ctx.config, folder)
  }

  /** What is wrong with a repository on the server: nothing. */
  async assertSound(path: string): Promise<void> {
    const folder = await this.folderOf(path)
    await this.client.git(['--git-dir', folder, 'fsck', '--strict'])
    const objects = await this.client.git(['--git-dir', folder, 'count-objects', '-v'])
    assert.match(objects, /^garbage: 0$/m)
  }
}

export async function startGitHost(t: TestContext, changes: ConfigChanges = {}): Promise<GitHost> {
  const app = await startApp(t, changes)
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  return new GitHost(app, new GitClient(t), `127.0.0.1:${port}`)
}

/** The secret of a token with these scopes. */
export async function tokenOf(
  { app }: GitHost,
  name: string,
  scopes: readonly string[],
): Promise<string> {
  const answer = await app.post(
    undefined,
    `/users/${name}/tokens`,
    { name: scopes.join(), scopes },
    {
      authorization: `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`,
    },
  )
  return answer.body.sha1 as string
}
