import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp } from '../../support/app.ts'
import { atOnce } from '../../support/at-once.ts'
import { assertStatus } from '../../support/expect.ts'

/** Ann owns both organizations; cat may create in them, and owns neither. */
async function withOrganizations(t: TestContext) {
  const app = await startApp(t)
  const [ann, bob, cat] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cat'),
  ]
  const team = { name: 'makers', units: ['repo.code'], can_create_org_repo: true }
  for (const username of ['acme', 'apex']) {
    assertStatus(await app.post(ann, '/orgs', { username }), 201)
    const { body } = await app.post(ann, `/orgs/${username}/teams`, team)
    assertStatus(await app.put(ann, `/teams/${body.id}/members/cat`), 204)
  }
  const makeOwn = async (round: number) => {
    assertStatus(await app.post(cat, '/user/repos', { name: `r${round}`, private: true }), 201)
    return `r${round}`
  }
  const makeOffered = async (round: number) => {
    const name = await makeOwn(round)
    assertStatus(await app.post(cat, `/repos/cat/${name}/transfer`, { new_owner: 'bob' }), 201)
    return name
  }
  const makeOfAcme = async (round: number) => {
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: `r${round}` }), 201)
    return `r${round}`
  }
  const accept = (name: string) => app.post(bob, `/repos/cat/${name}/transfer/accept`)
  const toApex = (name: string) =>
    app.post(ann, `/repos/acme/${name}/transfer`, { new_owner: 'apex' })
  return { app, ann, bob, cat, makeOwn, makeOffered, makeOfAcme, accept, toApex }
}

suite('at the same time as a transfer', () => {
  test('nobody offers what they have no longer', async (t) => {
    const { app, bob, cat, makeOffered, accept } = await withOrganizations(t)
    const offerAgain = async (name: string) => {
      for (;;) {
        const answer = await app.post(cat, `/repos/cat/${name}/transfer`, { new_owner: 'ann' })
        if (answer.status !== 409) return answer
      }
    }

    await atOnce(makeOffered, [accept, offerAgain], async (name, [accepted]) => {
      assertStatus(accepted, 202)
      const { body } = await app.get(bob, `/repos/bob/${name}`)
      assert.equal(body.repo_transfer, undefined)
    })
  })

  test('another one comes too late', async (t) => {
    const { app, cat, makeOwn } = await withOrganizations(t)
    const give = (owner: string) => (name: string) =>
      app.post(cat, `/repos/cat/${name}/transfer`, { new_owner: owner })

    await atOnce(makeOwn, [give('acme'), give('apex')], (_name, answers) => {
      const done = answers.filter(({ status }) => status === 202)
      assert.equal(done.length, 1)
    })
  })

  test('nobody deletes what is not theirs any more', async (t) => {
    const { app, cat, makeOffered, accept } = await withOrganizations(t)
    const remove = (name: string) => app.delete(cat, `/repos/cat/${name}`)

    await atOnce(makeOffered, [remove, accept], (_name, [removed, accepted]) => {
      assert.notEqual(removed.status === 204, accepted.status === 202)
    })
  })

  test('the new owner is made no collaborator', async (t) => {
    const { app, bob, cat, makeOffered, accept } = await withOrganizations(t)
    const admit = (name: string) =>
      app.put(cat, `/repos/cat/${name}/collaborators/bob`, { permission: 'admin' })

    await atOnce(makeOffered, [admit, accept], async (name) => {
      assert.deepEqual((await app.get(bob, `/repos/bob/${name}/collaborators`)).body, [])
    })
  })

  test('a new name leaves every old address leading on', async (t) => {
    const { app, ann, makeOfAcme, toApex } = await withOrganizations(t)
    const rename = (name: string) => app.patch(ann, `/repos/acme/${name}`, { name: `new-${name}` })

    await atOnce(makeOfAcme, [toApex, rename], async (name, [moved, renamed]) => {
      if (moved.status !== 202 || renamed.status !== 200) return
      assertStatus(await app.get(ann, `/repos/apex/new-${name}`), 200)
      assertStatus(await app.get(ann, `/repos/acme/${name}`), 301)
      // It has been at one of these in between.
      const between = [`acme/new-${name}`, `apex/${name}`].map((path) =>
        app.get(ann, `/repos/${path}`),
      )
      const statuses = (await Promise.all(between)).map(({ status }) => status)
      assert.deepEqual(
        statuses.toSorted((a, b) => a - b),
        [301, 404],
      )
    })
  })

  test('no team, package or board of the old owner gets it', async (t) => {
    const { app, ann, makeOfAcme, toApex } = await withOrganizations(t)
    const { ctx } = app
    const team = (await app.get(ann, '/orgs/acme/teams/search?q=makers')).body.data[0].id as number
    const project = { title: 'Plan', template_type: 'basic_kanban' }
    const board = (await app.post(ann, '/orgs/acme/projects', project)).body.id as number
    const published = await app.put(ann, '^/api/packages/acme/generic/tool/1/f', 'x', {
      'content-type': 'application/octet-stream',
    })
    assertStatus(published, 201)
    const prepare = async (round: number) => {
      const name = await makeOfAcme(round)
      assertStatus(await app.post(ann, `/repos/acme/${name}/issues`, { title: 'x' }), 201)
      return name
    }
    const tie = async (name: string) => {
      const [answer] = await Promise.all([
        app.put(ann, `/teams/${team}/repos/acme/${name}`),
        app.post(ann, `/packages/acme/generic/tool/-/link/${name}`),
        app.patch(ann, `/repos/acme/${name}/issues/1`, { projects: [board] }),
      ])
      return answer
    }

    await atOnce(prepare, [tie, toApex], async (_name, [, moved]) => {
      assertStatus(moved, 202)
      const given = await ctx.db.selectFrom('team_repository').selectAll().execute()
      const cards = await ctx.db.selectFrom('project_card').selectAll().execute()
      const { body } = await app.get(ann, '/packages/acme/generic/tool/1')
      assert.deepEqual(
        { given, cards, from: body.repository },
        { given: [], cards: [], from: null },
      )
    })
  })
})
