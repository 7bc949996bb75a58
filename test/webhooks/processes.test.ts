import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import { makeDatabase, testDialect } from '../support/databases.ts'
import { startAdmin, startServer, type Running } from '../support/process.ts'
import { startReceiver } from './setup.ts'

/** More, and for longer, where that is asked for. */
const EVENTS = Number(process.env['WEBHOOK_EVENTS'] ?? 60)
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 2)

interface Server {
  readonly running: Running
  readonly url: string
}

async function startOne(t: TestContext, environment: Record<string, string>): Promise<Server> {
  const running = startServer(t, environment)
  const [, url = ''] = await running.says(/ is at (http:\/\/\S+)/)
  return { running, url }
}

async function until(condition: () => boolean, seconds: number): Promise<void> {
  for (let tries = 0; tries < seconds * 20 && !condition(); tries++) await delay(50)
}

suite('two servers on one database', () => {
  const isPostgres = testDialect === 'postgres'

  test(
    'deliver every event, in order, though they are killed',
    { skip: !isPostgres },
    async (t) => {
      const data = mkdtempSync(join(tmpdir(), 'codestead-webhooks-'))
      const database = await makeDatabase(data)
      t.after(async () => {
        await database.remove()
        rmSync(data, { recursive: true, force: true })
      })
      const environment = {
        CODESTEAD_DATA: data,
        CODESTEAD_DATABASE_URL: database.url,
        CODESTEAD_NETWORK_ALLOW_PRIVATE: 'true',
        CODESTEAD_WEBHOOKS_TIMEOUT: '1s',
        CODESTEAD_LOG_LEVEL: 'warn',
      }
      const user = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'password-1']
      const made = startAdmin(t, environment, ['user', 'create', ...user])
      assert.equal(await made.end(), 0, made.notes)
      const receiver = await startReceiver(t)
      const servers = [await startOne(t, environment), await startOne(t, environment)]
      const send = async (path: string, body: object) => {
        for (const { url } of [...servers, ...servers]) {
          const answer = await fetch(`${url}/api/v1${path}`, {
            method: 'POST',
            headers: {
              authorization: `Basic ${Buffer.from('ann:password-1').toString('base64')}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify(body),
          }).catch(() => undefined)
          if (answer) return answer.status
        }
        return 0
      }
      await send('/user/repos', { name: 'one' })
      const config = { url: receiver.url, content_type: 'json' }
      await send('/repos/ann/one/hooks', {
        type: 'gitea',
        active: true,
        config,
        events: ['issues'],
      })

      const accepted: number[] = []
      for (let number = 1; number <= EVENTS; number++) {
        if (number % Math.ceil(EVENTS / (KILLS + 1)) === 0) {
          const victim = servers.shift()
          victim?.running.child.kill('SIGKILL')
          servers.push(await startOne(t, environment))
        }
        const status = await send('/repos/ann/one/issues', { title: String(number) })
        if (status === 201) accepted.push(number)
      }
      const received = () => receiver.calls.map(({ body }) => Number(body.issue.title))
      await until(() => accepted.every((number) => received().includes(number)), 60)

      const firsts = [...new Set(received())]
      assert.deepEqual(
        firsts,
        [...firsts].sort((a, b) => a - b),
      )
      assert.deepEqual(
        accepted.filter((number) => !firsts.includes(number)),
        [],
      )
      assert.ok(accepted.length >= EVENTS - KILLS)
    },
  )
})
