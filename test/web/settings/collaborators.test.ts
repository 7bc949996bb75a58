import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertAsksFirst, fromElsewhere, signIn } from '../support.ts'
import {
  assertForAdministrators,
  complaintIn,
  settings,
  startWithSettings,
  type Setup,
} from './setup.ts'

const path = `${settings}/collaboration`

async function levelOf({ app, ann }: Setup, name: string): Promise<string> {
  const { body } = await app.get(ann, `/repos/ann/one/collaborators/${name}/permission`)
  return body.permission as string
}

suite('/{owner}/{repo}/settings/collaboration', () => {
  test('adds people, changes what they may do, and removes them', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await app.addPerson('cat', { fullName: evil })
    const form = { name: 'cat', permission: 'read' }
    await assertForAdministrators(setup, path, path, form)
    await assertForAdministrators(setup, path, `${path}/delete`, { name: 'bob' })
    const isThere = async () =>
      (await app.get(ann, '/repos/ann/one/collaborators/cat')).status === 204
    assert.equal(await isThere(), false)

    assertStatus(await byAnn.post(path, form), 303)

    assert.equal(await isThere(), true)
    const page = await byAnn.get(path)
    assert.match(page.text, /What cat may do"><option value="read" selected>/)
    assert.match(page.text, /What bob may do">[^]*?<option value="write" selected>/)
    assert.equal(hasScript(page), false)
    assertStatus(await byAnn.post(path, { name: 'cat', permission: 'admin' }), 303)
    assert.equal(await levelOf(setup, 'cat'), 'admin')
    assertStatus(await (await signIn(app, 'cat')).get(path), 200)
    assertAsksFirst(await byAnn.get(path), `${path}/delete`)
    assertStatus(await byAnn.post(`${path}/delete`, { name: 'cat' }), 303)
    assert.equal(await isThere(), false)
  })

  test('tells who cannot be added', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.addPerson('cat')
    await app.put(ann, '/user/blocks/cat')
    const wrong: [Record<string, string>, RegExp][] = [
      [{ name: evil }, /^name: There is nobody/],
      [{ name: 'acme' }, /^name: This is an organization/],
      [{ name: 'cat' }, /^name: The owner has blocked/],
      [{ name: 'bob', permission: 'owner' }, /^permission: Choose one/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byAnn.post(path, { permission: 'admin', ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
    assert.equal(await levelOf(setup, 'bob'), 'write')
  })

  test('gives the repository of an organization to its teams, for those who own it', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'two' })
    await app.post(ann, '/orgs/acme/teams', {
      name: 'crew',
      permission: 'read',
      units: ['repo.code'],
    })
    await app.put(ann, '/repos/acme/two/collaborators/bob', { permission: 'admin' })
    const teams = '/acme/two/settings/collaboration'
    const names = async () =>
      ((await app.get(ann, '/repos/acme/two/teams')).body as { name: string }[]).map(
        ({ name }) => name,
      )
    const byBob = await signIn(app, 'bob')
    assert.match((await byAnn.get(teams)).text, /<option>crew<\/option>/)
    assert.doesNotMatch((await byBob.get(teams)).text, /collaboration\/teams"/)
    assertStatus(await byBob.post(`${teams}/teams`, { team: 'crew' }), 403)
    assertStatus(await byAnn.post(`${teams}/teams`, { team: 'crew' }, fromElsewhere), 403)
    assert.deepEqual(await names(), ['Owners'])

    assertStatus(await byAnn.post(`${teams}/teams`, { team: 'crew' }), 303)

    assert.deepEqual(await names(), ['Owners', 'crew'])
    assert.doesNotMatch((await byAnn.get(teams)).text, /<option>crew<\/option>/)
    assertStatus(await byAnn.post(`${teams}/teams`, { team: 'crew' }), 422)
    assertStatus(await byAnn.post(`${teams}/teams`, { team: 'nobody' }), 404)
    assertStatus(await byBob.post(`${teams}/teams/delete`, { team: 'crew' }), 403)
    assertAsksFirst(await byAnn.get(teams), `${teams}/teams/delete`)
    assertStatus(await byAnn.post(`${teams}/teams/delete`, { team: 'crew' }), 303)
    const open = { repo_admin_change_team_access: true }
    assertStatus(await app.patch(ann, '/orgs/acme', open), 200)
    assert.match((await byAnn.get(teams)).text, /<option>crew<\/option>/)
    const administers = await byBob.get(teams)
    assertStatus(administers, 200)
    assert.doesNotMatch(administers.text, /crew/)
    assert.deepEqual(await names(), ['Owners'])
    assert.doesNotMatch((await byAnn.get(path)).text, /<h2>Teams/)
  })
})
