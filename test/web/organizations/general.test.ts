// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import {
  assertSessionEnded,
  assertAsksFirst,
  dot,
  fromElsewhere,
  signIn,
  uploadPicture,
  Visitor,
} from '../support.ts'
import { startWithOrganization } from './setup.ts'

suite('/org/create', () => {
  test('makes an organization, as the API does', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const byAnn = await signIn(app, 'ann')
    assert.match((await byAnn.get('/')).text, /href="\/org\/create"/)
    assertStatus(await byAnn.get('/org/create'), 200)

    const made = await byAnn.post('/org/create', {
      user_name: 'acme',
      full_name: evil,
      visibility: 'limited',
    })

    assert.equal(made.headers['location'], '/acme')
    const { body } = await app.get(ann, '/orgs/acme')
    assert.deepEqual([body.full_name, body.visibility], [evil, 'limited'])
    assert.equal(hasScript(await byAnn.get('/acme')), false)
    for (const [name, complaint] of [
      ['ACME', /^user_name: This name is taken/],
      ['ann', /^user_name: This name is taken/],
      ['user', /^user_name: This name is kept/],
      [evil, /^user_name: Letters and digits/],
      ['', /^user_name: This is needed/],
    ] as const) {
      const answer = await byAnn.post('/org/create', { user_name: name, full_name: evil })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
  })

  test('is for those who may, from pages of this server', async (t) => {
    const app = await startApp(t, { organizations: { creation: false } })
    const ann = await app.addCaller('ann')
    const byAnn = await signIn(app, 'ann')
    const visitor = new Visitor(app)
    const form = { user_name: 'acme' }

    assert.doesNotMatch((await byAnn.get('/')).text, /org\/create/)
    assertStatus(await byAnn.get('/org/create'), 404)
    assertStatus(await byAnn.post('/org/create', form), 403)
    assertStatus(await byAnn.post('/org/create', form, fromElsewhere), 403)
    assertSessionEnded(await visitor.post('/org/create', form))
    assertStatus(await visitor.get('/org/create'), 303)
    assertStatus(await app.get(ann, '/orgs/acme'), 404)
  })
})

suite('/org/{org}/settings', () => {
  const path = '/org/acme/settings'
  const form = { full_name: 'Acme', description: evil, visibility: 'private' }

  test('changes what the API changes, for owners', async (t) => {
    const { app, ann, byAnn, byBob, visitor } = await startWithOrganization(t)
    assert.match((await byAnn.get('/acme')).text, /href="\/org\/acme\/settings"/)
    assert.doesNotMatch((await byBob.get('/acme')).text, /org\/acme\/settings/)
    assertStatus(await byBob.get(path), 404)
    assertStatus(await visitor.get(path), 303)
    assertStatus(await byBob.post(path, form), 403)
    assertStatus(await byAnn.post(path, form, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, form))
    assert.equal((await app.get(ann, '/orgs/acme')).body.full_name, '')

    assertStatus(await byAnn.post(path, form), 303)

    assert.partialDeepStrictEqual((await app.get(ann, '/orgs/acme')).body, {
      ...form,
      repo_admin_change_team_access: false,
    })
    const page = await byAnn.get(path)
    assert.match(page.text, /<option value="private" selected>/)
    assert.equal(hasScript(page), false)
    for (const [changes, complaint] of [
      [{ website: 'javascript:x' }, /^website: This is no address/],
      [{ email: 'x' }, /^email: This is no e-mail address/],
      [{ visibility: 'x' }, /^visibility: Choose one/],
    ] as const) {
      const answer = await byAnn.post(path, { ...form, full_name: 'Other', ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.match(answer.text, /name="full_name"[^>]* value="Other"/)
    }
    assert.equal((await app.get(ann, '/orgs/acme')).body.full_name, 'Acme')
  })

  test('has the picture and the name, for owners', async (t) => {
    const { app, ann, byAnn, byBob, visitor } = await startWithOrganization(t)
    const pictureOf = async () => (await app.get(ann, '/orgs/acme')).body.avatar_url as string
    const drawn = await pictureOf()
    const picture = `${path}/avatar`
    assertStatus(await uploadPicture(byBob, picture, dot), 403)
    assertSessionEnded(await uploadPicture(visitor, picture, dot))
    assertStatus(await uploadPicture(byAnn, picture, dot, fromElsewhere), 403)
    const odd = await uploadPicture(byAnn, picture, Buffer.from('<svg/>'))
    assert.match(complaintIn(odd.text), /^avatar: The image is none/)
    assert.equal(await pictureOf(), drawn)

    assertStatus(await uploadPicture(byAnn, picture, dot), 303)
    assert.notEqual(await pictureOf(), drawn)
    assertStatus(await byBob.post(`${picture}/delete`), 403)
    assertAsksFirst(await byAnn.get(path), `${picture}/delete`)
    assertStatus(await byAnn.post(`${picture}/delete`), 303)
    assert.equal(await pictureOf(), drawn)
    assertStatus(await byBob.post(`${path}/rename`, { new_name: 'apex' }), 403)
    assertStatus(await byAnn.post(`${path}/rename`, { new_name: 'apex' }, fromElsewhere), 403)
    for (const [name, complaint] of [
      ['ann', /^new_name: This name is taken/],
      ['user', /^new_name: This name is kept/],
      [evil, /^new_name: Letters and digits/],
    ] as const) {
      const answer = await byAnn.post(`${path}/rename`, { new_name: name })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
    const renamed = await byAnn.post(`${path}/rename`, { new_name: 'apex' })
    assert.equal(renamed.headers['location'], '/org/apex/settings?saved=yes')
    assertStatus(await app.get(ann, '/orgs/apex'), 200)
  })

  test('deletes all repositories, for owners who type its name', async (t) => {
    const { app, ann, byAnn, byBob, visitor } = await startWithOrganization(t)
    const empty = `${path}/repos/delete`
    const confirmed = { empty_name: 'acme' }
    const left = async () => (await app.get(ann, '/orgs/acme/repos')).body.length
    const none = await byAnn.post(empty, confirmed)
    assertStatus(none, 422)
    assert.match(complaintIn(none.text), /^empty_name: It has no repository/)
    for (const name of ['one', 'two']) await app.post(ann, '/orgs/acme/repos', { name })
    await app.post(ann, '/user/repos', { name: 'own' })

    assertStatus(await byBob.post(empty, confirmed), 403)
    assertSessionEnded(await visitor.post(empty, confirmed))
    assertStatus(await byAnn.post(empty, confirmed, fromElsewhere), 403)
    for (const name of ['acm', 'ACME', evil, '']) {
      const mistyped = await byAnn.post(empty, { empty_name: name })
      assertStatus(mistyped, 422)
      assert.match(complaintIn(mistyped.text), /^empty_name: This is not the name/)
      assert.equal(hasScript(mistyped), false)
    }
    await app.ctx.jobs.runDue()
    assert.equal(await left(), 2)

    const answer = await byAnn.post(empty, confirmed)

    assert.equal(answer.headers['location'], `${path}?emptying=yes`)
    assert.match((await byAnn.get(`${path}?emptying=yes`)).text, /are being deleted/)
    await app.ctx.jobs.runDue()
    assert.equal(await left(), 0)
    assertStatus(await app.get(ann, '/repos/ann/own'), 200)
    assertStatus(await app.get(ann, '/orgs/acme'), 200)
  })

  test('deletes an empty organization, for owners who type its name', async (t) => {
    const { app, ann, byAnn, byBob } = await startWithOrganization(t)
    await app.post(ann, '/orgs/acme/repos', { name: 'one' })
    const remove = `${path}/delete`
    const confirmed = { delete_name: 'acme' }

    assertStatus(await byBob.post(remove, confirmed), 403)
    assertStatus(await byAnn.post(remove, confirmed, fromElsewhere), 403)
    const mistyped = await byAnn.post(remove, { delete_name: 'acm' })
    assertStatus(mistyped, 422)
    assert.match(complaintIn(mistyped.text), /^delete_name: This is not the name/)
    const full = await byAnn.post(remove, confirmed)
    assertStatus(full, 422)
    assert.match(complaintIn(full.text), /^delete_name: It has repositories/)
    await app.delete(ann, '/repos/acme/one')
    const type = { 'content-type': 'application/octet-stream' }
    assertStatus(await app.put(ann, '^/api/packages/acme/generic/tool/1/f', 'x', type), 201)
    const publishing = await byAnn.post(remove, confirmed)
    assertStatus(publishing, 422)
    assert.match(complaintIn(publishing.text), /^delete_name: It has packages: delete them first/)
    await app.delete(ann, '/packages/acme/generic/tool')
    assert.equal((await byAnn.post(remove, confirmed)).headers['location'], '/')
    assertStatus(await app.get(ann, '/orgs/acme'), 404)
  })
})

suite('GET /{org}', () => {
  test('offers a new repository to those who may make one there', async (t) => {
    const { app, ann, byAnn, byBob, visitor } = await startWithOrganization(t)
    const offers = async (by: Visitor) =>
      (await by.get('/acme')).text.split('href="/repo/create?owner=acme"').length - 1

    for (const name of [undefined, 'one']) {
      if (name !== undefined) await app.post(ann, '/orgs/acme/repos', { name })
      assert.equal(await offers(byAnn), 1)
      assert.equal(await offers(byBob), 0)
      assert.equal(await offers(visitor), 0)
    }
    const form = await byAnn.get('/repo/create?owner=acme')
    assert.match(form.text, /<option selected>acme</)
  })
})
