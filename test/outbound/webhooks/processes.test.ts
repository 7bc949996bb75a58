import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { testDialect } from '../../support/databases.ts'
import { startCluster, type Cluster } from './cluster.ts'
import { startReceiver, type Received, type Receiver } from './setup.ts'
import { until } from '../../support/until.ts'
import { randomOf } from '../../support/random.ts'

/** `npm run test:endurance` asks for all of it. */
const isFull = process.env['ENDURANCE'] === 'full'
const EVENTS = isFull ? 1000 : 60
const SECONDS = isFull ? 60 : 3
const KILLS = isFull ? 20 : 2
const SCHEDULES = 5
const REPOSITORIES = ['one', 'two'] as const
const SEED = Number(process.env['ENDURANCE_SEED'] ?? Date.now() % 1_000_000)

interface Hooks {
  readonly one: Receiver
  readonly two: Receiver
  /** Hears of both. */
  readonly both: Receiver
}

/**
 * Two repositories that bob watches, each with somebody who listens, and one who listens to both.
 */
async function addRepositories(t: TestContext, { post }: Cluster): Promise<Hooks> {
  const bob = { username: 'bob', email: 'bob@example.org', password: 'password-1' }
  assert.equal((await post('/admin/users', { ...bob, must_change_password: false }))?.status, 201)
  const hooks = {
    one: await startReceiver(t),
    two: await startReceiver(t),
    both: await startReceiver(t),
  }
  const listen = async (path: string, { url }: Receiver) => {
    const hook = { type: 'gitea', active: true, config: { url, content_type: 'json' } }
    assert.equal((await post(path, { ...hook, events: ['issues'] }))?.status, 201)
  }
  for (const name of REPOSITORIES) {
    assert.equal((await post('/user/repos', { name }))?.status, 201)
    await listen(`/repos/ann/${name}/hooks`, hooks[name])
  }
  await listen('/user/hooks', hooks.both)
  return hooks
}

/** Workflows whose time comes only when `makeDue` says so. */
async function addSchedules({ post, query }: Cluster): Promise<void> {
  const text = 'on: {schedule: [{cron: "1 1 1 1 *"}]}'
  for (let number = 1; number <= SCHEDULES; number++) {
    const content = Buffer.from(text).toString('base64')
    const path = `/repos/ann/one/contents/.gitea/workflows/w${number}.yml`
    assert.equal((await post(path, { content }))?.status, 201)
  }
  await until(async () => (await query('SELECT id FROM action_schedule')).length === SCHEDULES)
}

/** Makes issues, one after the other; those that were acknowledged, as repository and number. */
async function makeEvents({ post }: Cluster): Promise<readonly string[]> {
  const acknowledged: string[] = []
  const began = Date.now()
  for (let event = 0; event < EVENTS; event++) {
    const name = event % 3 === 0 ? 'two' : 'one'
    const answer = await post(`/repos/ann/${name}/issues`, { title: `event ${event}` })
    if (answer?.status === 201) acknowledged.push(`${name} ${answer.body.number}`)
    const next = began + (event * SECONDS * 1000) / EVENTS
    await delay(Math.max(0, next - Date.now()))
  }
  return acknowledged
}

/**
 * Both servers are asked at once to start what is due, and one of them may be killed at it; how
 * often it was due.
 */
async function disturb(cluster: Cluster): Promise<number> {
  const random = randomOf(SEED)
  const { query } = cluster
  for (let kill = 0; kill < KILLS; kill++) {
    await delay(random() * 2 * ((SECONDS * 1000) / KILLS))
    await query('UPDATE action_schedule SET next_at = 1')
    const asked = cluster.postToAll('/admin/cron/start_schedule_tasks')
    await delay(random() * 20)
    await cluster.replace(random() < 0.5 ? 0 : 1)
    await asked
    await until(async () => {
      await cluster.postToAll('/admin/cron/start_schedule_tasks')
      return (await query('SELECT id FROM action_schedule WHERE next_at = 1')).length === 0
    })
  }
  return KILLS
}

const eventOf = ({ body }: Received) => `${body.repository.name} ${body.issue.number}`

/** Each once, as it first came. */
function firstsOf({ calls }: Receiver): readonly string[] {
  return [...new Set(calls.map(eventOf))]
}

suite('two servers on one database', { skip: testDialect !== 'postgres' }, () => {
  test('lose nothing and do nothing out of turn, though they are killed', async (t) => {
    t.diagnostic(`ENDURANCE_SEED=${SEED}`)
    const cluster = await startCluster(t)
    const { query } = cluster
    const hooks = await addRepositories(t, cluster)
    await addSchedules(cluster)
    await query(`INSERT INTO watch (repository_id, account_id, created_at)
      SELECT repository.id, account.id, 1 FROM repository, account WHERE account.name = 'bob'`)

    const [acknowledged, times] = await Promise.all([makeEvents(cluster), disturb(cluster)])

    const made = (
      await query<{ event: string }>(`SELECT repository.name || ' ' || number AS event
        FROM issue INNER JOIN repository ON repository.id = repository_id ORDER BY issue.id`)
    ).map(({ event }) => event)
    const isMade = new Set(made)
    assert.deepEqual(
      acknowledged.filter((event) => !isMade.has(event)),
      [],
    )
    for (const name of REPOSITORIES) {
      const ofIt = made.filter((event) => event.startsWith(`${name} `))
      await until(async () => firstsOf(hooks[name]).length >= ofIt.length)
      assert.deepEqual(firstsOf(hooks[name]), ofIt)
    }
    await until(async () => firstsOf(hooks.both).length >= made.length)
    const isAcknowledged = new Set(acknowledged)
    const heard = firstsOf(hooks.both)
    assert.deepEqual(heard.toSorted(), made.toSorted())
    // Of what was broken off nobody can say when it happened.
    assert.deepEqual(
      heard.filter((event) => isAcknowledged.has(event)),
      acknowledged,
    )

    // What a killed server was at is taken up when its lease is over: now.
    await query('UPDATE job SET lease_until = 0, run_at = 0')
    await until(async () => {
      const left = await query(
        `SELECT id FROM job WHERE kind IN ('notify_of_issue', 'deliver_webhook')`,
      )
      return left.length === 0
    })
    const [notified] = await query<{ count: number }>(`SELECT count(DISTINCT issue_id)::int AS count
      FROM notification INNER JOIN account ON account.id = account_id WHERE account.name = 'bob'`)
    assert.equal(notified?.count, made.length)

    const runs = await query<{ workflow: string; count: number }>(
      'SELECT workflow, count(*)::int AS count FROM action_run GROUP BY workflow ORDER BY workflow',
    )
    assert.equal(runs.length, SCHEDULES)
    for (const { workflow, count } of runs) assert.equal(count, times, workflow)
  })
})
