// One database is enough: packs do not pass through it.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { suite, test } from 'node:test'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { Pause, startFailingGit } from '../../support/failing-git.ts'
import { until } from '../../support/until.ts'
import { isBusy } from './processes.ts'

suite('a large push that git is slow to read', () => {
  test('ends with its client in the middle of the body', async (t) => {
    const { host, failAt } = await startFailingGit(t)
    const ann = await host.app.addCaller('ann')
    await host.app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    const pause = new Pause(host)
    failAt('receive-pack', { begins: pause.lines })
    const folder = await host.folderOf('ann/one')
    const line = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/new\0report-status`
    const push = request(host.url('ann/one.git/git-receive-pack'), {
      method: 'POST',
      agent: false,
      headers: { ...ann.headers, 'content-type': 'application/x-git-receive-pack-request' },
    })
    push.on('error', () => undefined)
    push.write(`${pktLine(line)}0000PACK`)
    await pause.begun()
    for (let sent = 0; sent < 8; sent++) {
      if (!push.write(randomBytes(1024 * 1024))) await once(push, 'drain')
    }

    push.destroy()

    // Nobody lets it go on.
    await until(() => !isBusy(folder))
  })
})
