import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { until } from '../../support/until.ts'
import { COUNT, pidsOf, startWorkers, times } from './setup.ts'

const ascending = (one: number, other: number) => one - other

suite('server.workers', () => {
  test('are processes that serve one port, and see at once what another has written', async (t) => {
    const { server, ask } = await startWorkers(t)
    assert.equal((await ask('POST', '/user/repos', { name: 'demo' })).status, 201)

    for (let round = 0; round < 20; round++) {
      const description = `round ${round}`
      assert.equal((await ask('PATCH', '/repos/ann/demo', { description })).status, 200)
      for (let worker = 0; worker < COUNT; worker++) {
        assert.equal((await ask('GET', '/repos/ann/demo')).body.description, description)
      }
    }

    await until(() => pidsOf(server, 'request').length === COUNT)
    assert.ok(!pidsOf(server, 'request').includes(server.child.pid ?? 0))
  })

  test('decide together: one of twenty creates wins, and numbers are given once', async (t) => {
    const { ask } = await startWorkers(t)

    const created = await times(20, () => ask('POST', '/user/repos', { name: 'demo' }))
    const opened = await times(30, (index) =>
      ask('POST', '/repos/ann/demo/issues', { title: `issue ${index}` }),
    )
    const starred = await times(20, () => ask('PUT', '/user/starred/ann/demo'))

    const statuses = created.map(({ status }) => status).toSorted(ascending)
    assert.deepEqual(statuses, [201, ...Array.from({ length: 19 }, () => 409)])
    const numbers = opened.map(({ body }) => Number(body.number)).toSorted(ascending)
    assert.deepEqual(
      numbers,
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
    assert.ok(starred.every(({ status }) => status === 204))
    const { body } = await ask('GET', '/repos/ann/demo')
    assert.deepEqual([body.open_issues_count, body.stars_count], [30, 1])
  })
})
