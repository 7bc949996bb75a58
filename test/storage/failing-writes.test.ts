// One database is enough: files do not pass through it.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readdirSync, rmdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { FORM, formBody } from '../attachments/form.ts'
import type { Counted, Fault } from '../support/failing-writes.ts'
import { startServerWith, type Running } from '../support/process.ts'
import { startMachine, type Machine } from '../support/terminal.ts'

const OCTETS = { 'content-type': 'application/octet-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }
const module = new URL('../support/failing-writes.ts', import.meta.url)

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A server whose writes fail when they are told to, with a repository, a release, an issue and a comment. */
class Failing {
  readonly machine: Machine
  readonly #server: Running
  readonly #url: string
  readonly #token: string
  #count = 0

  constructor(machine: Machine, server: Running, url: string, token: string) {
    this.machine = machine
    this.#server = server
    this.#url = url
    this.#token = token
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

  /** What has been written since the last time. */
  async tell(fault: Fault | null): Promise<readonly string[]> {
    const answered = once(this.#server.child, 'message') as Promise<[Counted]>
    this.#server.child.send(fault as Fault)
    const [{ writes }] = await answered
    return writes
  }

  nextName(): string {
    return `n${++this.#count}`
  }
}

async function startFailing(t: TestContext): Promise<Failing> {
  const machine = await startMachine(t)
  const words = '--name ann --email ann@example.org --password password1 --access-token t'
  const made = await machine.admin(['user', 'create', '--admin', ...words.split(' ')])
  const server = startServerWith(t, module, {
    ...machine.environment,
    CODESTEAD_LFS_ENABLED: 'true',
    CODESTEAD_LOG_LEVEL: 'silent',
  })
  const [, url = ''] = await server.says(/ is at (http:\S+)/)
  const failing = new Failing(machine, server, url, made.lastLine)
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

/** Something that writes files, and is one record when it succeeds: a fork also has what its base has of Git LFS. */
interface Write {
  readonly what: string
  readonly fails: number
  readonly succeeds: number
  readonly run: (server: Failing) => Promise<Answer>
}

const content = () => randomBytes(300_000)
const form = () => formBody([{ name: 'attachment', filename: 'x.txt', content: content() }])
const api = '/api/v1/repos/ann/one'

const kinds: readonly Write[] = [
  {
    what: 'a file of a release',
    fails: 500,
    succeeds: 201,
    run: (server) => server.send('POST', `${api}/releases/1/assets?name=x`, content(), OCTETS),
  },
  {
    what: 'a file of an issue',
    fails: 500,
    succeeds: 201,
    run: (server) => server.send('POST', `${api}/issues/1/assets`, form(), FORM),
  },
  {
    what: 'a file of a comment',
    fails: 507,
    succeeds: 201,
    run: (server) => server.send('POST', `${api}/issues/comments/1/assets`, form(), FORM),
  },
  {
    what: 'a fork',
    fails: 507,
    succeeds: 202,
    run: (server) => server.send('POST', `${api}/forks`, { organization: 'team' }),
  },
  {
    what: 'an object of Git LFS',
    fails: 507,
    succeeds: 200,
    run: (server) => {
      const bytes = content()
      const oid = createHash('sha256').update(bytes).digest('hex')
      return server.send(
        'PUT',
        `/ann/one.git/info/lfs/objects/${oid}/${bytes.length}`,
        bytes,
        OCTETS,
      )
    },
  },
  {
    what: 'a repository',
    fails: 507,
    succeeds: 201,
    run: (server) =>
      server.send('POST', '/api/v1/user/repos', { name: server.nextName(), auto_init: true }),
  },
]

suite('when the n-th write to a file fails', () => {
  for (const code of ['ENOSPC', 'EIO'] as const) {
    test(`with ${code}, it is told, and nothing is half there`, async (t) => {
      const server = await startFailing(t)

      for (const { what, fails, succeeds, run } of kinds) {
        for (let failAt = 1, isReached = true; isReached; failAt++) {
          removeEmptyFolders(server.machine)
          const before = countAll(server)
          await server.tell({ failAt, code })
          const { status } = await run(server)
          const writes = await server.tell(null)
          isReached = writes.length >= failAt
          const when = `${what}, write ${failAt} of ${writes.join(', ')}`
          assert.equal(status, isReached ? fails : succeeds, when)
          assert.equal(countAll(server), before + (isReached ? 0 : 1), when)
          assert.ok(isReached || failAt > 4, when)
        }
      }

      await sweep(server)
      await assertMatching(server)
    })
  }
})

/** So that each upload has to make its folder, as the first one. */
function removeEmptyFolders({ data }: Machine): void {
  for (const folder of globSync('files/**/', { cwd: data }).toSorted().toReversed()) {
    if (readdirSync(join(data, folder)).length === 0) rmdirSync(join(data, folder))
  }
}

/** All that has a record. */
function countAll({ machine }: Failing): number {
  const db = new DatabaseSync(join(machine.data, 'codestead.db'), { readOnly: true })
  const tables = ['attachment', 'lfs_object', 'repository']
  const count = (table: string) =>
    Number(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
  const sum = tables.reduce((total, table) => total + count(table), 0)
  db.close()
  return sum
}

/** A day later. */
async function sweep(server: Failing): Promise<void> {
  const { data } = server.machine
  for (const path of globSync(['files/**/*', 'repositories/*/*'], { cwd: data })) {
    utimesSync(join(data, path), 1, 1)
  }
  for (const task of ['sweep_attachments', 'sweep_lfs', 'sweep_repository_folders']) {
    assert.equal((await server.send('POST', `/api/v1/admin/cron/${task}`)).status, 204)
  }
}

/** The sweeps go on after they are answered. */
async function assertMatching(server: Failing): Promise<void> {
  const wanted = countAll(server)
  for (let turn = 0; turn < 500 && listAll(server).length !== wanted; turn++) await delay(20)
  assert.equal(listAll(server).length, wanted, listAll(server).join('\n'))
  const doctor = await server.machine.admin(['doctor'])
  assert.equal(doctor.status, 0, doctor.out)
}

/** All that lies on the disk. */
function listAll({ machine: { data } }: Failing): readonly string[] {
  const files = globSync('files/**/*', { cwd: data, withFileTypes: true })
  return [
    ...files.filter((file) => file.isFile()).map(({ name }) => name),
    ...globSync('repositories/*/*', { cwd: data }),
  ]
}
