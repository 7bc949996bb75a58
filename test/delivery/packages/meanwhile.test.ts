import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doBeforeStatement, doMeanwhile } from '../../support/meanwhile.ts'
import { machineOf } from '../../support/terminal.ts'
import { withRegistry } from './support.ts'

const ROUNDS = 6
const FILES = 6

suite('a package that is removed meanwhile', () => {
  test('is linked to no repository', async (t) => {
    const { app, ann, put } = await withRegistry(t)
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'one' }), 201)
    const remove = () => app.delete(ann, '/packages/acme/generic/tool/1')

    for (const how of ['link/one', 'unlink']) {
      assertStatus(await put(ann, 'acme/generic/tool/1/f', 'x'), 201)
      const call = () => app.post(ann, `/packages/acme/generic/tool/-/${how}`)
      assertError(await doMeanwhile(t, app, call, remove), 404)
    }
  })
})

suite('packages of an account that is deleted meanwhile', () => {
  test('keep it there, or are refused and leave no file behind', async (t) => {
    const { app, ann, put, stored } = await withRegistry(t)
    const root = await app.addAdmin()
    const wrong: string[] = []
    const race = async (round: number, owner: string, path: string, who = ann) => {
      const calls = Array.from({ length: FILES }, (_, index) =>
        put(who, `${owner}/generic/tool/${index}/f`, 'x'.repeat(1000)),
      )
      await delay(round * 3)
      const { status } = await app.delete(root, path)
      const published = (await Promise.all(calls)).map((answer) => answer.status)
      const isRight = status === 422 || (status === 204 && !published.includes(201))
      if (!isRight) wrong.push(`${path} ${status} after ${published.join()}`)
    }

    for (let round = 0; round < ROUNDS; round++) {
      const bob = await app.addCaller(`bob${round}`)
      await app.post(ann, '/orgs', { username: `org${round}` })
      await race(round, `org${round}`, `/orgs/org${round}`)
      await race(round, `bob${round}`, `/admin/users/bob${round}`, bob)
    }
    await app.ctx.jobs.runDue()

    assert.deepEqual(wrong, [])
    const known = await app.ctx.db.selectFrom('package_file').select('uuid').execute()
    assert.equal((await stored()).length, known.length)
  })

  test('are not found, whenever that happens', async (t) => {
    const { app, put } = await withRegistry(t)
    const root = await app.addAdmin()
    // What is kept in memory is read anew each time.
    t.mock.method(app.ctx.db, 'dataVersion', Math.random)
    const statuses: number[] = []

    for (const path of ['1', '-/latest']) {
      for (let number = 1, isOver = false; !isOver; number++) {
        const bob = await app.addCaller(`bob${path.length}${number}`)
        assertStatus(await put(bob, `${bob.name}/generic/tool/1/f`, 'x'), 201)
        const call = () => app.get(root, `/packages/${bob.name}/generic/tool/${path}`)
        const remove = () => app.delete(root, `/admin/users/${bob.name}?purge=true`)
        const answer = await doBeforeStatement(t, app, number, call, remove)
        if (answer) statuses.push(answer.status)
        isOver = !answer
      }
    }

    assert.deepEqual(new Set(statuses), new Set([404]))
  })

  test('leave no file behind where it takes them along', async (t) => {
    const { app, put, stored } = await withRegistry(t)
    const root = await app.addAdmin()

    for (let round = 0; round < ROUNDS; round++) {
      const bob = await app.addCaller(`bob${round}`)
      const calls = Array.from({ length: FILES }, (_, index) =>
        put(bob, `bob${round}/generic/tool/${index}/f`, 'x'.repeat(1000)),
      )
      await delay(round * 3)
      await app.delete(root, `/admin/users/bob${round}?purge=true`)
      await Promise.all(calls)
    }
    await app.ctx.jobs.runDue()

    assert.deepEqual(await stored(), [])
    const doctor = await machineOf(app).admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
  })
})
