// One database is enough: what is held up does not pass through it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startGitHost } from '../../platform/git/support.ts'
import { assertStatus } from '../../support/expect.ts'

suite('answers that git makes for as long as they are taken', () => {
  test('are so many at once, with some left for other clients and repositories', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    const work = await client.makeRepository()
    // More than the buffers of a connection hold.
    writeFileSync(join(work, 'large'), randomBytes(16_000_000))
    await client.commit(work, 'much')
    await client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main'], work)
    const url = host.url('api/v1/repos/ann/one/raw/large')

    const held = Array.from({ length: 50 }, () => get(url, { agent: false }))
    for (const asked of held) asked.on('error', () => undefined)
    const answers = held.map((asked) => once(asked, 'response') as Promise<[IncomingMessage]>)
    const refused = await Promise.any(
      answers.map(async (answer) => {
        const [{ statusCode, headers }] = await answer
        assert.equal(statusCode, 503)
        return headers
      }),
    )

    assert.ok(Number(refused['retry-after']) > 0)
    assertStatus(await app.get(ann, '/repos/ann/two/archive/main.zip'), 200)
    const served = [
      'archive/main.zip',
      'bundle/main',
      'git/commits/main.diff',
      'git/commits/main.patch',
    ]
    for (const place of served)
      assertStatus(await app.get(undefined, `/repos/ann/one/${place}`), 503)
    for (const asked of held) asked.destroy()
    await Promise.allSettled(answers)
    // Some leave before they have a place.
    for (let count = 0; count < 40; count++) {
      const asked = get(url, { agent: false })
      asked.on('error', () => undefined)
      await delay(count / 4)
      asked.destroy()
    }
    const again = Array.from({ length: 8 }, () => get(url, { agent: false }))
    const places = again.map((asked) => once(asked, 'response') as Promise<[IncomingMessage]>)
    for (const [{ statusCode }] of await Promise.all(places)) assert.equal(statusCode, 200)
    for (const asked of again) asked.on('error', () => undefined).destroy()
  })

  test('end where they are taken slowly and others wait for their places', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const work = await client.makeRepository()
    writeFileSync(join(work, 'large'), randomBytes(16_000_000))
    await client.commit(work, 'much')
    await client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main'], work)
    const ask = async () => {
      const asked = get(host.url('api/v1/repos/ann/one/raw/large'), { agent: false })
      asked.on('error', () => undefined)
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      return answer.on('error', () => undefined)
    }

    const slow = await Promise.all(Array.from({ length: 8 }, ask))
    const next = await ask()

    assert.equal(next.statusCode, 200)
    assert.equal(Buffer.concat(await next.toArray()).length, 16_000_000)
    for (const answer of slow) answer.destroy()
  })
})
