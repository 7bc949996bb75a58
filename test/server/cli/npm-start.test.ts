// One database is enough: it is about processes.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { hasCode } from '../../../src/platform/errors.ts'
import { Running } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'

const root = new URL('../../../', import.meta.url).pathname

/** Whoever of them is left. */
function killAll(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

suite('npm start', () => {
  test('ends the server when npm alone is told to end, and waits for it', async (t) => {
    const machine = await startMachine(t)
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: root,
      detached: true,
      env: { ...process.env, ...machine.environment, CODESTEAD_SERVER_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => killAll(npm.pid ?? 0))
    const running = new Running(npm)
    const [, url = ''] = await running.says(/ is at (http:\S+)/)
    assert.equal((await fetch(`${url}/api/healthz`)).status, 200)

    npm.kill('SIGTERM')
    await once(npm, 'exit')

    await assert.rejects(fetch(`${url}/api/healthz`))
  })
})
