// One database is enough: it is about the memory of the process.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { basic } from '../../support/app.ts'
import { startServer } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'

const LIMIT = 1024 * 1024
const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'canary-password']

suite('what a server keeps in memory', () => {
  test('reaches its limit, holds it, and is shown part by part', async (t) => {
    const machine = await startMachine(t)
    assert.equal((await machine.admin(['user', 'create', ...ann, '--admin'])).status, 0)
    const settings = { ...machine.environment, CODESTEAD_SERVER_CACHE_MEMORY: '1MiB' }
    const server = startServer(t, settings)
    const [, url = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
    const authorization = basic('ann', 'canary-password')
    const headers = { authorization, 'content-type': 'application/json' }
    const send = async (path: string, body: object) => {
      const sent = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await fetch(`${url}/api/v1${path}`, sent)
      await answer.arrayBuffer()
      assert.ok(answer.ok, `${path} ${answer.status}`)
    }

    const held: number[] = []
    const parts = new Set<string>()
    for (let round = 0; round < 20; round++) {
      await send('/user/repos', { name: `r${round}`, auto_init: true })
      await (await fetch(`${url}/ann/r${round}`)).arrayBuffer()
      await send('/markdown', { Text: `# ${round}\n\n${'some words\n'.repeat(3000)}` })
      const figures = await (await fetch(`${url}/metrics`)).text()
      const found = [...figures.matchAll(/^codestead_cache_bytes\{cache="(\w+)"\} (\d+)$/gm)]
      held.push(found.reduce((sum, [, , bytes]) => sum + Number(bytes), 0))
      for (const [, name = '', bytes] of found) if (Number(bytes) > 0) parts.add(name)
      assert.match(figures, new RegExp(`^codestead_cache_limit_bytes ${LIMIT}$`, 'm'))
    }

    assert.ok(Math.max(...held) <= LIMIT, held.join(' '))
    assert.ok(Math.max(...held) > LIMIT * 0.9, held.join(' '))
    for (const name of ['markdown', 'objects', 'repositories', 'documents'])
      assert.ok(parts.has(name), `${name} is not among ${[...parts].join(' ')}`)
  })
})
