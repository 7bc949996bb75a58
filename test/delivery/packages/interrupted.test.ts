import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { filesOnDisk } from '../../repositories/attachments/listening.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { withRegistry } from './support.ts'
import { until } from '../../support/until.ts'

suite('a file of a package that is being sent', () => {
  test('leaves nothing where it breaks off, or who sends it may do so no longer', async (t) => {
    const { app, ann, bob, put, get } = await withRegistry(t)
    await app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.server.address() as AddressInfo
    const begin = async (who: TestCaller, file: string) => {
      const sent = request(`http://127.0.0.1:${port}/api/packages/acme/generic/tool/1/${file}`, {
        method: 'PUT',
        headers: { ...who.headers, 'content-length': 20_000 },
      })
      sent.on('error', () => undefined)
      sent.write(randomBytes(10_000))
      await until(() => filesOnDisk(app).length > 0)
      return sent
    }

    const left = await begin(ann, 'left')
    left.destroy()
    await until(() => filesOnDisk(app).length === 0)

    const { body } = await app.post(ann, '/orgs/acme/teams', {
      name: 'publishers',
      units_map: { 'repo.packages': 'write' },
    })
    await app.put(ann, `/teams/${body.id}/members/bob`)
    const late = await begin(bob, 'late')
    assertStatus(await app.delete(ann, `/teams/${body.id}/members/bob`), 204)
    const answered = once(late, 'response') as Promise<[IncomingMessage]>
    late.end(randomBytes(10_000))
    const [{ statusCode }] = await answered
    assert.equal(statusCode, 403)
    await until(() => filesOnDisk(app).length === 0)

    assert.deepEqual((await app.get(ann, '/packages/acme')).body, [])
    for (const file of ['left', 'late']) {
      assertStatus(await get(ann, `acme/generic/tool/1/${file}`), 404)
      assertStatus(await put(ann, `acme/generic/tool/1/${file}`, 'x'), 201)
    }
  })
})
