import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { evil, hasScript } from './repository/support.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor } from './support.ts'

const path = '/repo/create'

suite(path, () => {
  test('creates as the API does, and leads to the repository', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const visitor = await signIn(app, 'ann')
    const page = await visitor.get(path)
    assertStatus(page, 200)
    assert.match(page.text, /<option>MIT<\/option>/)
    const form = { name: 'lantern', description: evil, private: 'true', auto_init: 'true' }

    const answer = await visitor.post(path, { ...form, license: 'MIT', default_branch: 'trunk' })

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann/lantern')
    const { body } = await app.get(ann, '/repos/ann/lantern')
    assert.equal(body.private, true)
    assert.equal(body.description, evil)
    assert.equal(body.default_branch, 'trunk')
    assertStatus(await app.get(ann, '/repos/ann/lantern/contents/LICENSE'), 200)
    const shown = await visitor.get('/ann/lantern')
    assertStatus(shown, 200)
    assert.equal(hasScript(shown), false)
  })

  test('is for those who are signed in, from pages of this server', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const visitor = new Visitor(app)

    const shown = await visitor.get(path)
    const sent = await visitor.post(path, { name: 'r' })

    assert.equal(shown.headers['location'], '/user/login?redirect_to=%2Frepo%2Fcreate')
    assertSessionEnded(sent)
    assertStatus(await (await signIn(app, 'ann')).post(path, { name: 'r' }, fromElsewhere), 403)
    assertStatus(await app.get(ann, '/repos/ann/r'), 404)
    const token = { ...ann.headers, 'sec-fetch-site': 'same-origin' }
    assertSessionEnded(await visitor.post(path, { name: 'r' }, token))
  })

  test('offers the organizations in which somebody may create, and takes no other', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(bob, '/orgs', { username: 'bobs' })
    const visitor = await signIn(app, 'ann')

    const page = await visitor.get(`${path}?owner=acme`)
    const made = await visitor.post(path, { owner: 'acme', name: 'r' })

    assert.match(page.text, /<option>ann<\/option><option selected>acme<\/option>/)
    assert.doesNotMatch(page.text, /bobs/)
    assert.equal(made.headers['location'], '/acme/r')
    for (const owner of ['bobs', 'bob', 'nobody']) {
      const refused = await visitor.post(path, { owner, name: 'r' })
      assertStatus(refused, 422)
      assertStatus(await app.get(bob, `/repos/${owner}/r`), 404)
    }
  })

  test('tells what is wrong where it is wrong, and keeps what was typed', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'taken' })
    const visitor = await signIn(app, 'ann')
    const wrong: [Record<string, string>, string, string][] = [
      [{ name: '' }, 'name', 'This is needed.'],
      [{ name: evil }, 'name', 'Only letters, digits'],
      [{ name: 'Taken' }, 'name', 'There is a repository of this name already.'],
      [{ name: 'a.git' }, 'name', 'This name is kept for other things.'],
      [{ name: 'r', default_branch: 'a..b' }, 'default_branch', 'Git does not take this'],
      [{ name: 'r', description: 'x'.repeat(3000) }, 'description', 'This is too long.'],
    ]

    for (const [form, field, message] of wrong) {
      const answer = await visitor.post(path, { description: evil, ...form })
      assertStatus(answer, 422)
      assert.equal(hasScript(answer), false)
      const at = answer.text.indexOf(`id="${field}-problem"`)
      assert.ok(at > 0 && answer.text.slice(at).includes(message), `${field}: ${message}`)
    }
    const kept = await visitor.post(path, {
      name: 'a b',
      description: 'A "fine" one',
      license: 'MIT',
    })
    assert.match(kept.text, /value="A &quot;fine&quot; one"[^]*<option selected>MIT<\/option>/)
  })
})
