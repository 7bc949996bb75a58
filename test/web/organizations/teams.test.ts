// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertSessionEnded, assertAsksFirst, fromElsewhere } from '../support.ts'
import { startWithOrganization, type Setup } from './setup.ts'

const teams = '/org/acme/settings/teams'

async function isMember({ app, ann }: Setup, name: string): Promise<boolean> {
  return (await app.get(ann, `/orgs/acme/members/${name}`)).status === 204
}

/** What a choice of the form stands at. */
function chosenIn({ text }: TestAnswer, name: string): string | undefined {
  const select = new RegExp(`<select id="${name}"[^]*?</select>`).exec(text)?.[0] ?? ''
  return /<option value="(\w*)" selected>/.exec(select)?.[1]
}

suite('/org/{org}/settings/teams', () => {
  test('makes and deletes teams, for owners', async (t) => {
    const setup = await startWithOrganization(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    const form = {
      name: 'guests',
      description: evil,
      permission: 'write',
      can_create_org_repo: 'true',
    }
    const names = async () =>
      ((await app.get(ann, '/orgs/acme/teams')).body as { name: string }[]).map(({ name }) => name)
    assertStatus(await byBob.get(teams), 404)
    assertStatus(await visitor.get(teams), 303)
    assertStatus(await byBob.post(teams, form), 403)
    assertStatus(await byAnn.post(teams, form, fromElsewhere), 403)
    assert.deepEqual(await names(), ['Owners', 'crew'])

    const made = await byAnn.post(teams, form)

    assert.equal(made.headers['location'], '/org/acme/settings/teams/guests?saved=yes')
    const { body } = await app.get(ann, '/orgs/acme/teams/search?q=guests')
    assert.partialDeepStrictEqual(body.data[0], {
      permission: 'write',
      can_create_org_repo: true,
      includes_all_repositories: false,
    })
    assert.equal(hasScript(await byAnn.get(teams)), false)
    for (const [name, complaint] of [
      ['Guests', /^name: There is a team of this name/],
      ['new', /^name: This name is kept/],
      ['', /^name: This is needed/],
      [evil, /^name: Only letters/],
    ] as const) {
      const answer = await byAnn.post(teams, { ...form, name })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
    }
    const confirmed = { delete_name: 'guests' }
    const mistyped = await byAnn.post(`${teams}/guests/delete`, { delete_name: 'guest' })
    assertStatus(mistyped, 422)
    assert.match(complaintIn(mistyped.text), /^delete_name: This is not the name/)
    assertStatus(await byBob.post(`${teams}/guests/delete`, confirmed), 403)
    assertStatus(await byAnn.post(`${teams}/guests/delete`, confirmed, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${teams}/none/delete`, confirmed), 404)
    assertStatus(await byAnn.post(`${teams}/guests/delete`, confirmed), 303)
    assert.deepEqual(await names(), ['Owners', 'crew'])
    assertStatus(await byAnn.post(`${teams}/Owners/delete`, { delete_name: 'Owners' }), 422)
    assert.doesNotMatch((await byAnn.get(`${teams}/Owners`)).text, /Owners\/delete/)
  })

  test('adds people to a team and takes them out, and keeps an owner', async (t) => {
    const setup = await startWithOrganization(t)
    const { app, byAnn, byBob, visitor } = setup
    await app.addPerson('cat', { fullName: evil })
    const form = { name: 'cat' }
    assertStatus(await byBob.get(`${teams}/crew`), 404)
    assertStatus(await byAnn.get(`${teams}/none`), 404)
    assertStatus(await byBob.post(`${teams}/crew/members`, form), 403)
    assertStatus(await byAnn.post(`${teams}/crew/members`, form, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(`${teams}/crew/members`, form))
    assert.equal(await isMember(setup, 'cat'), false)

    assertStatus(await byAnn.post(`${teams}/crew/members`, form), 303)

    assert.equal(await isMember(setup, 'cat'), true)
    assert.equal(hasScript(await byAnn.get(`${teams}/crew`)), false)
    const unknown = await byAnn.post(`${teams}/crew/members`, { name: evil })
    assertStatus(unknown, 422)
    assert.match(complaintIn(unknown.text), /^name: There is nobody/)
    assert.equal(hasScript(unknown), false)
    await app.addPerson('dan')
    assertStatus(await byAnn.post('/org/acme/settings/blocks', { name: 'dan' }), 303)
    const blocked = await byAnn.post(`${teams}/crew/members`, { name: 'dan' })
    assertStatus(blocked, 422)
    assert.match(complaintIn(blocked.text), /^name: The organization has blocked/)
    assertAsksFirst(await byAnn.get(`${teams}/crew`), `${teams}/crew/members/delete`)
    assertStatus(await byAnn.post(`${teams}/crew/members/delete`, form), 303)
    assert.equal(await isMember(setup, 'cat'), false)
    const last = await byAnn.post(`${teams}/Owners/members/delete`, { name: 'ann' })
    assertStatus(last, 422)
    assert.match(wordsOf(last), /owner/)
    assert.equal(await isMember(setup, 'ann'), true)
  })
})

suite('/org/{org}/settings/teams/{team}', () => {
  test('says what a team may do, for owners', async (t) => {
    const { app, ann, byAnn, byBob, teamId } = await startWithOrganization(t)
    const path = `${teams}/crew/rights`
    const rights = { permission: 'write', includes_all_repositories: 'true' }
    const form = { description: evil, visibility: 'limited', ...rights }
    const read = async () => (await app.get(ann, `/teams/${teamId}`)).body
    assertStatus(await byBob.post(path, form), 403)
    assertStatus(await byAnn.post(path, form, fromElsewhere), 403)
    assert.equal((await read()).permission, 'read')

    assertStatus(await byAnn.post(path, { ...form, name: 'other' }), 303)

    assert.partialDeepStrictEqual(await read(), {
      name: 'crew',
      description: evil,
      visibility: 'limited',
      permission: 'write',
      includes_all_repositories: true,
      can_create_org_repo: false,
    })
    const page = await byAnn.get(`${teams}/crew`)
    assert.match(page.text, /<option value="write" selected>/)
    assert.equal(hasScript(page), false)
    const long = await byAnn.post(path, { ...form, description: 'x'.repeat(300) })
    assertStatus(long, 422)
    assert.match(complaintIn(long.text), /^description: This is too long/)
    assert.doesNotMatch((await byAnn.get(`${teams}/Owners`)).text, /Owners\/rights/)
  })

  test('leaves levels that differ by unit as they are', async (t) => {
    const { app, ann, byAnn, teamId } = await startWithOrganization(t)
    const unitsMap = { 'repo.code': 'write', 'repo.issues': 'read' }
    await app.patch(ann, `/teams/${teamId}`, { units_map: unitsMap })
    assert.match(
      (await byAnn.get(`${teams}/crew`)).text,
      /<option value="" selected>Differs by unit/,
    )

    const form = { description: 'new', permission: '' }
    assertStatus(await byAnn.post(`${teams}/crew/rights`, form), 303)

    const { body } = await app.get(ann, `/teams/${teamId}`)
    assert.deepEqual([body.description, body.units_map], ['new', unitsMap])
  })
})

suite('/org/{org}/settings/teams: levels by unit', () => {
  test('are given to a team, kept, and ended by one level for all', async (t) => {
    const { app, ann, byAnn, teamId } = await startWithOrganization(t)
    const path = `${teams}/crew/rights`
    const read = async () => (await app.get(ann, `/teams/${teamId}`)).body
    const whole = await byAnn.get(`${teams}/crew`)
    assert.equal(chosenIn(whole, 'unit_pulls'), 'read')
    const levels = { unit_code: 'read', unit_issues: 'write', unit_pulls: 'none' }

    assertStatus(await byAnn.post(path, { permission: '', ...levels }), 303)

    const { permission, units_map: map } = await read()
    assert.equal(permission, 'none')
    assert.partialDeepStrictEqual(map, {
      'repo.code': 'read',
      'repo.issues': 'write',
      'repo.pulls': 'none',
      'repo.wiki': 'read',
    })
    const page = await byAnn.get(`${teams}/crew`)
    assert.match(page.text, /<option value="" selected>Differs by unit/)
    assert.equal(chosenIn(page, 'unit_issues'), 'write')
    assert.equal(chosenIn(page, 'unit_pulls'), 'none')
    assertStatus(await byAnn.post(path, { permission: 'write', ...levels }), 303)
    const again = await read()
    assert.deepEqual([again.permission, again.units_map['repo.pulls']], ['write', 'write'])
  })

  test('are given to a new team', async (t) => {
    const { app, ann, byAnn } = await startWithOrganization(t)
    const form = { name: 'guests', permission: '', unit_code: 'none', unit_wiki: 'write' }

    assertStatus(await byAnn.post(teams, form), 303)

    const { body } = await app.get(ann, '/orgs/acme/teams/search?q=guests')
    const { permission, units_map: map } = body.data[0]
    assert.equal(permission, 'none')
    assert.deepEqual(map, { 'repo.code': 'none', 'repo.wiki': 'write' })
    const empty = await byAnn.post(teams, { name: 'others', permission: '' })
    assertStatus(empty, 422)
    assert.match(complaintIn(empty.text), /^permission: Choose one level for all units/)
  })

  test('that are not offered are explained, and what was typed is kept', async (t) => {
    const { app, ann, byAnn, teamId } = await startWithOrganization(t)
    const path = `${teams}/crew/rights`
    await app.patch(ann, `/teams/${teamId}`, { units_map: { 'repo.wiki': 'admin' } })
    const before = (await app.get(ann, `/teams/${teamId}`)).body
    const typed = { description: 'typed', permission: '', unit_issues: 'write' }
    for (const [form, complaint] of [
      [{ ...typed, unit_code: 'admin' }, /^unit_code: Choose one of those/],
      [{ ...typed, unit_code: evil }, /^unit_code: Choose one of those/],
      [{ ...typed, permission: 'owner' }, /^permission: Choose one of those/],
    ] as const) {
      const answer = await byAnn.post(path, form)
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.match(answer.text, /name="description"[^>]* value="typed"/)
      assert.equal(chosenIn(answer, 'unit_issues'), 'write')
      assert.equal(hasScript(answer), false)
    }
    assert.deepEqual((await app.get(ann, `/teams/${teamId}`)).body, before)

    assertStatus(await byAnn.post(path, { ...typed, unit_wiki: 'admin' }), 303)

    const { body } = await app.get(ann, `/teams/${teamId}`)
    assert.deepEqual(body.units_map, { 'repo.issues': 'write', 'repo.wiki': 'admin' })
  })
})

suite('/org/{org}/settings/members', () => {
  test('lists the members, and takes them out of all teams', async (t) => {
    const setup = await startWithOrganization(t)
    const { byAnn, byBob, visitor } = setup
    const path = '/org/acme/settings/members'
    assert.match(
      wordsOf(await byAnn.get(path)),
      /ann Remove ann They leave all teams.* bob Remove bob They leave all teams/,
    )
    assertStatus(await byBob.get(path), 404)
    assertStatus(await visitor.get(path), 303)
    assertStatus(await byBob.post(`${path}/delete`, { name: 'ann' }), 403)
    assertStatus(await byAnn.post(`${path}/delete`, { name: 'bob' }, fromElsewhere), 403)
    assert.equal(await isMember(setup, 'bob'), true)

    assertAsksFirst(await byAnn.get(path), `${path}/delete`)
    assertStatus(await byAnn.post(`${path}/delete`, { name: 'bob' }), 303)

    assert.equal(await isMember(setup, 'bob'), false)
    assertStatus(await byAnn.post(`${path}/delete`, { name: 'nobody' }), 404)
  })

  test('renames a team, for owners', async (t) => {
    const { app, ann, byAnn, byBob, teamId } = await startWithOrganization(t)
    const path = `${teams}/crew/rename`
    assertStatus(await byBob.post(path, { new_name: 'guests' }), 403)
    assertStatus(await byAnn.post(path, { new_name: 'guests' }, fromElsewhere), 403)
    for (const [name, complaint] of [
      ['Owners', /^new_name: There is a team of this name/],
      ['', /^new_name: This is needed/],
      [evil, /^new_name: Only letters/],
    ] as const) {
      const answer = await byAnn.post(path, { new_name: name })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
    }
    const before = (await app.get(ann, `/teams/${teamId}`)).body

    const renamed = await byAnn.post(path, { new_name: 'guests' })

    assert.equal(renamed.headers['location'], `${teams}/guests?saved=yes`)
    const after = (await app.get(ann, `/teams/${teamId}`)).body
    assert.deepEqual(after, { ...before, name: 'guests' })
    assert.doesNotMatch((await byAnn.get(`${teams}/Owners`)).text, /Owners\/rename/)
  })

  test('gives repositories to a team and takes them away, for owners', async (t) => {
    const { app, ann, byAnn, byBob, teamId } = await startWithOrganization(t)
    await app.post(ann, '/orgs/acme/repos', { name: 'one', private: true })
    await app.post(ann, '/user/repos', { name: 'own' })
    const path = `${teams}/crew/repositories`
    const names = async () =>
      ((await app.get(ann, `/teams/${teamId}/repos`)).body as { name: string }[]).map(
        ({ name }) => name,
      )
    assertStatus(await byBob.post(path, { repo_name: 'one' }), 403)
    assertStatus(await byAnn.post(path, { repo_name: 'one' }, fromElsewhere), 403)
    for (const name of ['own', 'none', '', evil]) {
      const answer = await byAnn.post(path, { repo_name: name })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), /^repo_name: The organization has no repository/)
      assert.equal(hasScript(answer), false)
    }
    assert.deepEqual(await names(), [])

    assertStatus(await byAnn.post(path, { repo_name: 'one' }), 303)

    assert.deepEqual(await names(), ['one'])
    assertAsksFirst(await byAnn.get(`${teams}/crew`), `${path}/delete`)
    assertStatus(await byAnn.post(`${path}/delete`, { repo_name: 'one' }), 303)
    assert.deepEqual(await names(), [])
    assert.match(wordsOf(await byAnn.get(`${teams}/Owners`)), /The team has all repositories/)
  })
})
