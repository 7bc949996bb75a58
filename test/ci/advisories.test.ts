// One database is enough: nothing is stored.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'

const script = join(import.meta.dirname, '../../.ci/audit')

/** What CI says of the packages when the registry answers so to who asks for advisories. */
async function auditWith(t: TestContext, status: number, answer: object) {
  const registry = createServer((request, response) => {
    response.writeHead(request.method === 'POST' ? status : 404).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  t.after(() => registry.close())
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  const environment = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}` }
  const child = execFile('bash', [script], { env: environment })
  let said = ''
  child.stdout?.on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

suite('advisories about packages', () => {
  test('fail CI when there are any', async (t) => {
    const advisory = {
      id: 1,
      url: 'https://example.org/1',
      title: 'Anybody may do anything',
      severity: 'high',
      vulnerable_versions: '*',
      cwe: [],
      cvss: { score: 8, vectorString: null },
    }

    const { code, said } = await auditWith(t, 200, { fastify: [advisory] })

    assert.equal(code, 1)
    assert.match(said, /^advisories: .*fastify \(high\)/)
  })

  test('are none, or the registry does not tell', async (t) => {
    assert.deepEqual(await auditWith(t, 200, {}), { code: 0, said: 'advisories: none\n' })
    const untold = 'advisories: skipped, the registry answered 405\n'
    assert.deepEqual(await auditWith(t, 405, {}), { code: 0, said: untold })
  })
})
