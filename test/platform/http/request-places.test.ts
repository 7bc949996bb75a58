// One database is enough: processes do not pass through it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { Slots } from '../../../src/platform/git/slots.ts'
import { RequestWork } from '../../../src/platform/concurrency/request-work.ts'
import { WeighedCache } from '../../../src/platform/caches/weighed-cache.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { Pause, startFailingGit } from '../../support/failing-git.ts'
import { until } from '../../support/until.ts'

/** What one client gets of the places, and of those to wait in. */
const SHARE = 8
const WAITING = 256

/** A repository whose commits git lists when it is let. */
async function start(t: TestContext) {
  const { host, failAt, started } = await startFailingGit(t)
  const ann = await host.app.addCaller('ann')
  const bob = await host.app.addCaller('bob')
  await host.app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  const pause = new Pause(host)
  failAt('rev-list', { begins: pause.lines }, 'each time')
  const count = () => started().filter((line) => / --max-count=20001 .*none-/.test(line)).length
  const ask = (who: TestCaller, wanted: string) => {
    const asked = get(host.url(wanted), { headers: who.headers, agent: false })
    return asked.on('error', () => undefined)
  }
  let asked = 0
  // What is asked for twice at once, git is asked for once.
  const listing = () => `api/v1/repos/ann/one/commits?path=none-${++asked}`
  const askForCommits = (who: TestCaller, times: number) =>
    Array.from({ length: times }, () => ask(who, listing()))
  // What was to be started before is started by then.
  const look = async () =>
    assertStatus(await host.app.get(bob, '/repos/ann/one/git/trees/main?recursive=1'), 200)
  return { host, ann, bob, pause, count, ask, askForCommits, listing, look }
}

async function answerTo(asked: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

suite('requests for which git works', () => {
  test('wait for each other, and leave places for other clients', async (t) => {
    const { host, ann, bob, pause, count, askForCommits, look } = await start(t)
    const ofAnn = askForCommits(ann, 20).map(answerTo)
    await until(() => count() >= SHARE)
    await look()
    assert.equal(count(), SHARE)

    const ofBob = askForCommits(bob, 20).map(answerTo)
    await until(() => count() >= 2 * SHARE)
    assertStatus(await host.app.get(ann, '/repos/ann/one'), 200)
    assert.equal(count(), 2 * SHARE)
    pause.end()

    // There is no such file.
    for (const { statusCode } of await Promise.all([...ofAnn, ...ofBob]))
      assert.equal(statusCode, 404)
    assert.equal(count(), 40)
  })

  test('are sent away where too many wait, and told when to come again', async (t) => {
    const { host, ann, bob, pause, count, askForCommits, look } = await start(t)
    const asked = askForCommits(ann, SHARE + WAITING + 1)
    const answers = asked.map(answerTo)
    const { statusCode, headers } = await Promise.any(answers)

    assert.equal(statusCode, 503)
    assert.ok(Number(headers['retry-after']) > 0)
    await look()
    assert.equal(count(), SHARE)
    for (const one of asked) one.destroy()
    await Promise.allSettled(answers)
    pause.end()
    assertStatus(await host.app.get(bob, '/repos/ann/one/commits'), 200)
  })

  test('are dropped with their clients, which is no fault of the server', async (t) => {
    const { host, ann, pause, count, ask, askForCommits, listing, look } = await start(t)
    const faults = t.mock.method(host.app.ctx.log, 'error')
    const asked = askForCommits(ann, 30)
    await until(() => count() >= SHARE)
    const closed = Promise.all(
      asked.map((one) => new Promise((resolve) => one.once('close', resolve))),
    )

    for (const one of asked) one.destroy()
    await closed
    await look()
    pause.end()

    const { statusCode } = await answerTo(ask(ann, listing()))
    assert.equal(statusCode, 404)
    assert.equal(count(), SHARE + 1)
    assert.deepEqual(
      faults.mock.calls.map((call) => call.arguments),
      [],
    )
  })
})

suite('a read whose client leaves while git works for it', () => {
  test('is no fault of the server, though git ends', async (t) => {
    const { host, failAt } = await startFailingGit(t)
    const ann = await host.app.addCaller('ann')
    await host.app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    const pause = new Pause(host)
    failAt('rev-list', { begins: `${pause.lines}; exit 128` })
    const faults = t.mock.method(host.app.ctx.log, 'error')
    const notes = t.mock.method(host.app.ctx.log, 'info')
    const asked = get(host.url('api/v1/repos/ann/one/commits?path=none'), {
      headers: ann.headers,
      agent: false,
    })
    const closed = new Promise((resolve) =>
      asked.on('error', () => undefined).once('close', resolve),
    )
    await pause.begun()
    asked.destroy()
    await closed
    const connections = () =>
      new Promise<number>((resolve) => {
        host.app.server.server.getConnections((_error, count) => resolve(count))
      })
    await until(async () => (await connections()) === 0)
    pause.end()

    await until(() =>
      notes.mock.calls.some((call) => call.arguments[1] === 'request failed, unheard'),
    )
    assert.equal(faults.mock.callCount(), 0)
  })
})

suite('the work of requests', () => {
  const workWith = (slots: Slots, goneReason: () => Error | undefined = () => undefined) =>
    new RequestWork({ takePlace: (letIn) => slots.take(letIn), goneReason, isRead: true })
  const found = (value: string) => ({ value, weight: 1 })

  test('is let in by who has a place and waits for what it finds out', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 5, patienceMs: 600_000 })
    const cache = new WeighedCache<string>('test', 10)
    const [first, second, third] = [workWith(slots), workWith(slots), workWith(slots)]
    const find = async () => {
      await RequestWork.current?.enter()
      return found('it')
    }
    await first.run(() => RequestWork.current?.enter())

    // The third waits for the second, which waits for a place; then the first waits for the third.
    const deep = second.run(() => cache.get('deep', find))
    const shallow = third.run(() =>
      cache.get('shallow', async () => found(await cache.get('deep', find))),
    )
    const found3 = await first.run(() => cache.get('shallow', find))

    assert.deepEqual([await deep, await shallow, found3], ['it', 'it', 'it'])
    for (const work of [third, second, first]) work.end()
    ;(await slots.take(new AbortController().signal))()
  })

  test('is done by who waits for it where the other one gets no place', async () => {
    const slots = new Slots({ atOnce: 1, waiting: 0, patienceMs: 600_000 })
    const cache = new WeighedCache<string>('test', 10)
    const [first, second] = [workWith(slots), workWith(slots)]
    const begun = Promise.withResolvers<void>()
    const find = async () => {
      await begun.promise
      await RequestWork.current?.enter()
      return found('it')
    }
    await first.run(() => RequestWork.current?.enter())

    const refused = assert.rejects(second.run(() => cache.get('it', find)))
    const waited = workWith(new Slots({ atOnce: 1, waiting: 0, patienceMs: 1 })).run(() =>
      cache.get('it', find),
    )
    begun.resolve()

    await refused
    assert.equal(await waited, 'it')
  })
})
