import assert from 'node:assert/strict'
import { once } from 'node:events'
import { globSync, utimesSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../../../src/platform/config/config.ts'
import { withDatabase } from '../../../src/platform/db/database.ts'
import type { Counted, Fault } from '../../support/failing-writes.ts'
import { endFirstDay } from '../../support/first-day.ts'
import type { Left } from '../../support/scarce-descriptors.ts'
import { startServerWith, startServerWithin, type Running } from '../../support/process.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const failingWrites = new URL('../../support/failing-writes.ts', import.meta.url)
const scarceDescriptors = new URL('../../support/scarce-descriptors.ts', import.meta.url)

/** What it can be made to lack: writes, or descriptors, of which it has so many in all. */
export type Lack = 'writes' | { readonly descriptors: number }

export interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/**
 * A server that lacks what it is told to lack, with a repository, a release, an issue and a
 * comment.
 */
export class Failing {
  readonly machine: Machine
  readonly #t: TestContext
  readonly #token: string
  readonly #lack: Lack
  #server: Running
  #url = ''
  #count = 0

  constructor(t: TestContext, machine: Machine, token: string, lack: Lack) {
    this.machine = machine
    this.#t = t
    this.#token = token
    this.#lack = lack
    this.#server = this.#serve()
  }

  #serve(): Running {
    const environment = {
      ...this.machine.environment,
      CODESTEAD_LFS_ENABLED: 'true',
      CODESTEAD_LOG_LEVEL: 'silent',
    }
    return this.#lack === 'writes'
      ? startServerWith(this.#t, failingWrites, environment)
      : startServerWithin(this.#t, this.#lack.descriptors, scarceDescriptors, environment)
  }

  async isThere(): Promise<void> {
    const [, url = ''] = await this.#server.says(/ is at (http:\S+)/)
    this.#url = url
  }

  /** Another one with the same data, after this one has ended. */
  async restart(): Promise<void> {
    await this.#server.end()
    this.#server = this.#serve()
    await this.isThere()
  }

  async send(
    method: string,
    path: string,
    body?: Buffer | object,
    headers?: object,
  ): Promise<Answer> {
    const answer = await fetch(this.#url + path, {
      method,
      headers: { authorization: `token ${this.#token}`, ...(headers ?? JSON_TYPE) },
      ...(body
        ? { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }
        : {}),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      body: text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {},
    }
  }

  /** What has been written since the last time; nothing when it has been killed meanwhile. */
  async tell(fault: Fault | null): Promise<readonly string[] | undefined> {
    const { child } = this.#server
    const answered = once(child, 'message') as Promise<[Counted]>
    child.send(fault as Fault, () => undefined)
    const counted = await Promise.race([answered, this.#server.end()])
    return Array.isArray(counted) ? counted[0].writes : undefined
  }

  /** How many descriptors it can still open. */
  async leave(left: Left): Promise<void> {
    const { child } = this.#server
    const done = once(child, 'message')
    child.send(left as number)
    await done
  }

  nextName(): string {
    return `n${++this.#count}`
  }
}

export async function startFailing(t: TestContext, lack: Lack = 'writes'): Promise<Failing> {
  const machine = await startMachine(t)
  const words = '--name ann --email ann@example.org --password password1 --access-token t'
  const made = await machine.admin(['user', 'create', '--admin', ...words.split(' ')])
  const failing = new Failing(t, machine, made.lastLine, lack)
  await failing.isThere()
  const fill: [path: string, body: object][] = [
    ['user/repos', { name: 'one', auto_init: true }],
    ['orgs', { username: 'team' }],
    ['repos/ann/one/releases', { tag_name: 'v1' }],
    ['repos/ann/one/issues', { title: 'x' }],
    ['repos/ann/one/issues/1/comments', { body: 'x' }],
  ]
  for (const [path, body] of fill) {
    assert.equal((await failing.send('POST', `/api/v1/${path}`, body)).status, 201, path)
  }
  return failing
}

/** All that has a record. */
export async function countAll(server: Failing): Promise<number> {
  return countRows(server, ['attachment', 'lfs_object', 'repository'])
}

async function countRows(
  { machine }: Failing,
  tables: readonly ('attachment' | 'lfs_object' | 'repository' | 'repository_archive')[],
): Promise<number> {
  return withDatabase(loadConfig(machine.environment), async (db) => {
    const counts = tables.map(async (table) => {
      const query = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
      return (await query.executeTakeFirstOrThrow()).count
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  })
}

/** A day later. */
export async function sweep(server: Failing): Promise<void> {
  const { data } = server.machine
  for (const path of globSync(['files/**/*', 'repositories/*/*'], { cwd: data })) {
    utimesSync(join(data, path), 1, 1)
  }
  await endFirstDay(server.machine)
  await runSweeps(server)
}

async function runSweeps(server: Failing): Promise<void> {
  for (const task of [
    'sweep_attachments',
    'sweep_lfs',
    'sweep_archives',
    'sweep_repository_folders',
  ]) {
    assert.equal((await server.send('POST', `/api/v1/admin/cron/${task}`)).status, 204)
  }
}

/** Much has failed here on purpose: a person says that all of it is rubbish. */
async function allowSweeps({ machine }: Failing): Promise<boolean> {
  const names = ['attachments', 'lfs', 'archives', 'repositories']
  const allowed = names.map((name) => machine.admin(['sweep', 'allow', '--name', name]))
  return (await Promise.all(allowed)).some(({ status }) => status === 0)
}

/** The sweeps go on after they are answered. */
export async function assertMatching(server: Failing): Promise<void> {
  // An archive is kept once it was asked for again.
  const wanted = (await countAll(server)) + (await countRows(server, ['repository_archive']))
  for (let turn = 0; turn < 100 && listAll(server).length !== wanted; turn++) {
    if (await allowSweeps(server)) await runSweeps(server)
    await delay(100)
  }
  assert.equal(listAll(server).length, wanted, listAll(server).join('\n'))
  const doctor = await server.machine.admin(['doctor'])
  assert.equal(doctor.status, 0, doctor.out)
}

/** All that lies on the disk. */
function listAll({ machine: { data } }: Failing): readonly string[] {
  const files = globSync('files/**/*', { cwd: data, withFileTypes: true })
  const isStored = (file: Dirent) =>
    file.isFile() && !/files\/(?:marks|trash)/.test(file.parentPath)
  return [
    ...files.filter(isStored).map(({ name }) => name),
    ...globSync('repositories/[0-9a-f][0-9a-f]/*', { cwd: data }),
  ]
}
