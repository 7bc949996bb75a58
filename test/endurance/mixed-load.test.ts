import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { endFirstDay } from '../support/first-day.ts'
import { until } from '../support/until.ts'
import { skipWithoutSsh } from '../protocols/ssh/support.ts'
import { figuresOf, type Figures } from './figures.ts'
import { startHost, startReceiver, type Host } from './host.ts'
import { Answered } from './promises.ts'
import { visitorsOf, type Visitor } from './visitors.ts'

/** `npm run test:mixed-load` asks for an hour. */
const isFull = process.env['ENDURANCE'] === 'full'
const MINUTES = Number(process.env['ENDURANCE_MINUTES'] ?? 60)
const LIVES = isFull ? MINUTES : 2
const LIFE_MS = isFull ? 55_000 : 4_000
const FULL_DISK_MS = isFull ? 10_000 : 1_500
const DISK_MIB = isFull ? 6000 : 400
const KILLED_BEFORE_MS = 1_000
const IDLE_MS = isFull ? 60_000 : 3_000
const BETWEEN_MS = isFull ? 200 : 50
/** What idle connections and threads that come and go may add. */
const MORE_DESCRIPTORS = 16
/** Those that read objects of git wait a while for more to read. */
const MORE_PROCESSES = 8
const MORE_MEMORY = 150

test(
  'nothing answered is lost by kill -9 and full disks, and nothing is left behind',
  { skip: skipWithoutSsh },
  async (t) => {
    const host = await startHost(t, DISK_MIB)
    const [hook, told] = await startReceiver(t)
    await prepare(host, hook)
    const home = mkdtempSync(join(tmpdir(), 'codestead-visitors-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const answered = new Answered()
    const toTell = new Set<number>()
    const visitors = await visitorsOf(host, answered, toTell, home)

    const load = new Load(visitors)
    for (let life = 0; life < LIVES; life++) await live(host, load, life % 2 === 1)
    await load.run(LIFE_MS / 2)
    const before = await settled(host)
    await load.run(LIFE_MS)
    const after = await settled(host)

    t.diagnostic(JSON.stringify(Object.fromEntries(answered.counts)))
    tell(t, 'before', before)
    tell(t, 'after', after)
    await answered.assertKept()
    await until(() => toTell.isSubsetOf(told))
    assert.ok(after.descriptors <= before.descriptors + MORE_DESCRIPTORS)
    assert.ok(after.processes <= before.processes + MORE_PROCESSES)
    assert.ok(after.memory <= before.memory + MORE_MEMORY)
    await assertSwept(host)
    const doctor = await host.machine.admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
  },
)

function tell(t: TestContext, when: string, { temporaryFiles, ...figures }: Figures): void {
  t.diagnostic(`${when}: ${JSON.stringify(figures)}, ${temporaryFiles.length} temporary files`)
}

async function prepare(host: Host, hook: string): Promise<void> {
  const config = { url: hook, content_type: 'json' }
  const fill: [path: string, body: object][] = [
    ['user/repos', { name: 'one', auto_init: true }],
    ['repos/ann/one/issues', { title: 'first' }],
    ['repos/ann/one/hooks', { type: 'gitea', active: true, events: ['issues'], config }],
  ]
  for (const [path, body] of fill) {
    const { status } = await host.call('POST', `/api/v1/${path}`, body)
    assert.equal(status, 201, path)
  }
}

/** The disk is full for a while, and in every second life still so when it ends. */
async function live(host: Host, load: Load, endsFull: boolean): Promise<void> {
  const going = load.run(LIFE_MS)
  await pause(LIFE_MS - 2 * FULL_DISK_MS)
  host.fillDisk()
  await pause(FULL_DISK_MS)
  if (!endsFull) host.freeDisk()
  await pause(FULL_DISK_MS - KILLED_BEFORE_MS)
  await host.kill()
  host.freeDisk()
  await going
  await host.start()
}

/** Visitors come at once, each again and again. */
class Load {
  readonly #visitors: readonly Visitor[]
  #round = 0

  constructor(visitors: readonly Visitor[]) {
    this.#visitors = visitors
  }

  async run(forMs: number): Promise<void> {
    const end = Date.now() + forMs
    await Promise.all(
      this.#visitors.map(async (visitor) => {
        while (Date.now() < end) {
          // What is refused or not answered is nothing that was promised.
          await visitor(++this.#round).catch(() => undefined)
          await pause(BETWEEN_MS)
        }
      }),
    )
  }
}

/** When nobody asks for anything any more. */
async function settled(host: Host): Promise<Figures> {
  await pause(IDLE_MS)
  return figuresOf(host)
}

/** Everything that is half there was begun a day ago. */
async function assertSwept(host: Host): Promise<void> {
  const { machine } = host
  for (const path of globSync(['files/**/*', 'repositories/**/*'], { cwd: machine.data })) {
    utimesSync(join(machine.data, path), 1, 1)
  }
  await endFirstDay(machine)
  for (const task of ['sweep_attachments', 'sweep_lfs', 'sweep_repository_folders']) {
    assert.equal((await host.call('POST', `/api/v1/admin/cron/${task}`)).status, 204)
  }
  await until(() => figuresOf(host).temporaryFiles.length === 0)
}
