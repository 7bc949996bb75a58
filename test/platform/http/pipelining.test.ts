// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import type { GitHost } from '../git/support.ts'
import { assertStatus } from '../../support/expect.ts'
import { Pause, startFailingGit } from '../../support/failing-git.ts'
import { startGitHost } from '../git/support.ts'
import { until } from '../../support/until.ts'

const COUNT = 20

function dial({ app }: GitHost): Socket {
  const { port } = app.server.server.address() as AddressInfo
  return connect(port, '127.0.0.1').on('error', () => undefined)
}

/** How many answers of success have come. */
function countAnswers(socket: Socket): () => number {
  let said = ''
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
  return () => said.split('HTTP/1.1 200 OK\r\n').length - 1
}

/**
 * A connection that has asked for the refs of a repository many times, of which one of the first
 * is not answered yet.
 */
async function askOften(t: TestContext) {
  const { host, failAt, takeStarted } = await startFailingGit(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  const pause = new Pause(host)
  failAt('upload-pack', { begins: pause.lines })
  takeStarted()
  const socket = dial(host)
  const answers = countAnswers(socket)
  const line = 'GET /ann/one/info/refs?service=git-upload-pack HTTP/1.1\r\nhost: x\r\n\r\n'
  socket.write(line.repeat(COUNT))
  await pause.begun()
  const started = () => takeStarted().filter((command) => command === 'upload-pack').length
  // Git is started for others, after all that it was started for before.
  const look = async () => {
    const path = '/repos/ann/one/git/trees/main'
    assertStatus(await host.app.get(ann, path), 200)
    assertStatus(await host.app.get(ann, `${path}?recursive=1`), 200)
  }
  return { host, pause, socket, answers, started, look }
}

suite('requests that do not wait for answers', () => {
  test('are worked on a few at a time, and all of them answered', async (t) => {
    const { pause, socket, answers, started, look } = await askOften(t)

    await look()
    // Four, and one more for each that was answered before the one that is held up.
    const begun = started()
    assert.ok(begun >= 4 && begun <= 7, String(begun))
    pause.end()

    await until(() => answers() === COUNT)
    assert.equal(started(), COUNT - begun)
    socket.destroy()
  })

  test('are dropped with their connection where they have not begun', async (t) => {
    const { host, pause, socket, started, look } = await askOften(t)
    await look()
    started()

    const closed = once(socket, 'close')
    socket.destroy()
    await closed
    pause.end()

    await look()
    assert.equal((await fetch(host.url('api/v1/version'))).status, 200)
    assert.equal(started(), 0)
  })

  test('are all answered, whatever they are', async (t) => {
    const host = await startGitHost(t)
    const ann = await host.app.addCaller('ann')
    const socket = dial(host)
    const answers = countAnswers(socket)
    const get = 'GET /api/v1/version HTTP/1.1\r\nhost: x\r\n\r\n'
    const body = '{"text": "a *b* c"}'
    const post = [
      'POST /api/v1/markdown HTTP/1.1',
      'host: x',
      `authorization: ${ann.headers['authorization']}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
    socket.write((get.repeat(9) + post).repeat(300))

    await until(() => answers() === 3000)
    socket.destroy()
  })
})
