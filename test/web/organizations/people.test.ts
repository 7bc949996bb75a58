// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere, signIn } from '../support.ts'
import { startWithOrganization, type Setup } from './setup.ts'

const path = '/org/acme/members'

async function isShown({ app }: Setup, name: string): Promise<boolean> {
  return (await app.get(undefined, `/orgs/acme/public_members/${name}`)).status === 204
}

async function isMember({ app, ann }: Setup, name: string): Promise<boolean> {
  return (await app.get(ann, `/orgs/acme/members/${name}`)).status === 204
}

suite('/{org}', () => {
  test('leads to people and, for those who are signed in, to teams', async (t) => {
    const { byBob, visitor } = await startWithOrganization(t)

    for (const page of ['/acme', path]) {
      assert.match((await byBob.get(page)).text, /href="\/org\/acme\/members"/)
      assert.match((await byBob.get(page)).text, /href="\/org\/acme\/teams"/)
      assert.match((await visitor.get(page)).text, /href="\/org\/acme\/members"/)
      assert.doesNotMatch((await visitor.get(page)).text, /href="\/org\/acme\/teams"/)
    }
    assert.match((await byBob.get(path)).text, /href="\/acme"/)
    assert.doesNotMatch((await byBob.get('/bob')).text, /href="\/org\/bob/)
  })
})

suite('/org/{org}/members', () => {
  test('shows all of them to members with what each is, and to others who show it', async (t) => {
    const setup = await startWithOrganization(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await app.addPerson('eve', { fullName: evil })
    await app.put(ann, `/teams/${setup.teamId}/members/eve`)
    await app.put(ann, '/orgs/acme/public_members/eve')
    await app.addPerson('dan')
    await app.addPerson('root', { isAdmin: true })
    const byDan = await signIn(app, 'dan')
    const byRoot = await signIn(app, 'root')

    for (const one of [byAnn, byBob, byRoot]) {
      const page = await one.get(path)
      assert.match(wordsOf(page), /ann Owner · hidden .*bob Member · hidden/)
      assert.match(wordsOf(page), /eve .* · Member · shown to everybody/)
      assert.equal(hasScript(page), false)
    }
    for (const one of [byDan, visitor]) {
      const page = await one.get(path)
      assert.match(page.text, /href="\/eve"/)
      assert.doesNotMatch(page.text, /href="\/(ann|bob)"/)
      assert.doesNotMatch(wordsOf(page), /Owner|Member ·|hidden/)
      assert.doesNotMatch(page.text, /members\/(show|hide|leave)/)
      assert.equal(hasScript(page), false)
    }
    assert.match((await byAnn.get(path)).text, /href="\/org\/acme\/settings\/members"/)
    assert.doesNotMatch((await byBob.get(path)).text, /acme\/settings/)
  })

  test('is missing where the organization is not seen', async (t) => {
    const { app, ann, byAnn, byBob, visitor } = await startWithOrganization(t)
    await app.addPerson('dan')
    const byDan = await signIn(app, 'dan')
    const seen = async () => {
      const answers = await Promise.all([byAnn, byBob, byDan, visitor].map((one) => one.get(path)))
      return answers.map(({ status }) => status)
    }

    assert.deepEqual(await seen(), [200, 200, 200, 200])
    await app.patch(ann, '/orgs/acme', { visibility: 'limited' })
    assert.deepEqual(await seen(), [200, 200, 200, 404])
    await app.patch(ann, '/orgs/acme', { visibility: 'private' })
    assert.deepEqual(await seen(), [200, 200, 404, 404])
    assertStatus(await byDan.post(`${path}/show`, { name: 'dan' }), 404)
    assertStatus(await byDan.post(`${path}/leave`), 404)
    assertStatus(await visitor.get('/org/nothing/members'), 404)
    await app.post(ann, '/orgs/acme/rename', { new_name: 'apex' })
    assert.equal((await byBob.get(path)).headers['location'], '/org/apex/members')
  })

  test('turns its pages', async (t) => {
    const { byBob } = await startWithOrganization(t)

    const first = await byBob.get(`${path}?limit=1`)
    const second = await byBob.get(`${path}?limit=1&page=2`)

    assert.match(first.text, /href="\/org\/acme\/members\?limit=1&amp;page=2"/)
    assert.match(wordsOf(first), /ann Owner/)
    assert.doesNotMatch(wordsOf(first), /bob Member/)
    assert.match(wordsOf(second), /bob Member/)
  })

  test('shows and hides memberships: for members their own, for owners all', async (t) => {
    const setup = await startWithOrganization(t)
    const { app, byAnn, byBob, visitor } = setup
    await app.addPerson('dan')
    const byDan = await signIn(app, 'dan')
    const bob = { name: 'bob' }
    const page = await byBob.get(path)
    assert.equal(page.text.match(/members\/show"/g)?.length, 1)
    assert.equal((await byAnn.get(path)).text.match(/members\/show"/g)?.length, 2)
    assertStatus(await byBob.post(`${path}/show`, bob, fromElsewhere), 403)
    assertStatus(await byBob.post(`${path}/show`, { name: 'ann' }), 403)
    assertStatus(await byDan.post(`${path}/show`, bob), 403)
    assertStatus(await byDan.post(`${path}/show`, { name: 'dan' }), 403)
    assertSessionEnded(await visitor.post(`${path}/show`, bob))
    assert.deepEqual([await isShown(setup, 'ann'), await isShown(setup, 'bob')], [false, false])

    const shown = await byBob.post(`${path}/show`, bob)

    assert.equal(shown.headers['location'], `${path}?saved=yes`)
    assert.equal(await isShown(setup, 'bob'), true)
    assert.match(wordsOf(await byBob.get(`${path}?saved=yes`)), /Saved\..*bob .*shown to everybody/)
    assertStatus(await byBob.post(`${path}/hide`, bob, fromElsewhere), 403)
    assertStatus(await byDan.post(`${path}/hide`, bob), 403)
    assert.equal(await isShown(setup, 'bob'), true)
    assertStatus(await byBob.post(`${path}/hide`, bob), 303)
    assert.equal(await isShown(setup, 'bob'), false)
    assertStatus(await byAnn.post(`${path}/show`, bob), 303)
    assert.equal(await isShown(setup, 'bob'), true)
    assertStatus(await byAnn.post(`${path}/show`, { name: 'nobody' }), 404)
  })

  test('is left by members who want to, but not by the last owner', async (t) => {
    const setup = await startWithOrganization(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await app.patch(ann, '/orgs/acme', { visibility: 'private' })
    assert.match((await byBob.get(path)).text, /action="\/org\/acme\/members\/leave"/)
    assertStatus(await byBob.post(`${path}/leave`, {}, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(`${path}/leave`))
    assert.equal(await isMember(setup, 'bob'), true)

    const left = await byBob.post(`${path}/leave`)

    assert.equal(left.headers['location'], '/')
    assert.equal(await isMember(setup, 'bob'), false)
    assertStatus(await byBob.get(path), 404)
    const last = await byAnn.post(`${path}/leave`)
    assertStatus(last, 422)
    assert.match(wordsOf(last), /You are its last owner/)
    assert.equal(await isMember(setup, 'ann'), true)
    await app.patch(ann, '/orgs/acme', { visibility: 'public' })
    assert.doesNotMatch((await byBob.get(path)).text, /members\/leave/)
    assertStatus(await byBob.post(`${path}/leave`), 403)
  })
})
