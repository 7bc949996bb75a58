import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { suite, test } from 'node:test'
import { addOrganization, addTeam } from '../organizations/setup.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { Pause, startFailingGit } from '../../support/failing-git.ts'
import { machineOf } from '../../support/terminal.ts'

const ROUNDS = 6

suite('somebody who is deleted meanwhile', () => {
  test('is not found by what names them, and leaves nothing behind', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    await app.post(ann, '/repos/ann/one/issues', { title: 'x' })
    await addOrganization(app, ann, 'acme')
    const team = await addTeam(app, ann, 'acme', { name: 'crew' })
    const answers: string[] = []

    for (let round = 0; round < ROUNDS; round++) {
      const name = `person${round}`
      const them = await app.addCaller(name)
      await app.post(ann, '/user/repos', { name: `given${round}` })
      const calls = [
        app.put(ann, `/repos/ann/one/collaborators/${name}`, {}),
        app.put(ann, `/teams/${team.id}/members/${name}`),
        app.put(ann, `/user/following/${name}`),
        app.post(ann, '/repos/ann/one/issues/1/assignees', { assignees: [name] }),
        app.put(ann, `/repos/ann/one/issues/1/subscriptions/${name}`),
        app.post(ann, `/repos/ann/given${round}/transfer`, { new_owner: name }),
        app.post(root, `/admin/users/${name}/repos`, { name: 'own' }),
        app.post(root, `/admin/users/${name}/orgs`, { username: `${name}s` }),
        app.put(them, '/user/starred/ann/one'),
        app.put(them, '/repos/ann/one/subscription'),
        app.put(them, '/user/following/ann'),
        app.post(them, '/repos/ann/one/issues', { title: 'y' }),
        app.post(them, '/repos/ann/one/issues/1/comments', { body: 'y' }),
        app.post(them, '/repos/ann/one/issues/1/reactions', { content: '+1' }),
        app.post(them, '/repos/ann/one/issues/1/stopwatch/start'),
        app.post(them, '/repos/ann/one/forks', {}),
        app.post(them, '/user/emails', { emails: [`${name}@example.net`] }),
        app.post(them, '/user/hooks', {
          type: 'gitea',
          config: { url: 'http://example.org', content_type: 'json' },
        }),
        app.put(them, '/user/blocks/ann'),
      ]
      await delay(round)
      const gone = await app.delete(root, `/admin/users/${name}?purge=true`)
      for (const { status, text } of await Promise.all(calls)) answers.push(`${status} ${text}`)
      // A repository may have come in between.
      if (gone.status === 422) {
        assertStatus(await app.delete(root, `/admin/users/${name}?purge=true`), 204)
      } else assertStatus(gone, 204)
      assertError(await app.get(root, `/users/${name}`), 404)
    }

    // PostgreSQL may have undone one of two that waited for each other, which is 503.
    assert.deepEqual(
      answers.filter((answer) => answer.startsWith('500')),
      [],
    )
    const doctor = await machineOf(app).admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
  })

  test('has committed nothing that could not be recorded', async (t) => {
    const { host, failAt } = await startFailingGit(t)
    const { app } = host
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    const pause = new Pause(host)
    failAt('log', { begins: pause.lines })

    const written = app.post(bob, '/repos/ann/one/contents/file', { content: '' })
    await pause.begun()
    assertStatus(await app.delete(root, '/admin/users/bob?purge=true'), 204)
    pause.end()

    assertStatus(await written, 404)
    assertStatus(await app.get(ann, '/repos/ann/one/contents/file'), 404)
  })
})
