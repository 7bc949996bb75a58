import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { startWithOrganization, type Setup } from './setup.ts'

const path = '/org/acme/settings/labels'
const form = { name: 'urgent', color: '#d73a4a', description: evil }

async function labelsOf({ app, ann }: Setup) {
  return (await app.get(ann, '/orgs/acme/labels')).body as { id: number; name: string }[]
}

suite('/org/{org}/settings/labels', () => {
  test('makes, edits and deletes labels of all repositories', async (t) => {
    const setup = await startWithOrganization(t)
    const { app, ann, byAnn } = setup

    const made = await byAnn.post(`${path}/new`, form)

    assert.equal(made.headers['location'], `${path}?saved=yes`)
    const [label] = await labelsOf(setup)
    assert.partialDeepStrictEqual(label, { name: 'urgent', color: 'd73a4a', description: evil })
    const one = `${path}/${label?.id}`
    const page = await byAnn.get(path)
    assert.match(page.text, new RegExp(`action="${one}/edit"`))
    assert.equal(hasScript(page), false)
    await app.post(ann, '/orgs/acme/repos', { name: 'r' })
    assert.match((await byAnn.get('/acme/r/labels')).text, /Of the organization[^]*urgent/)
    assertStatus(await byAnn.post(`${one}/edit`, { ...form, name: 'calm' }), 303)
    assert.equal((await labelsOf(setup))[0]?.name, 'calm')
    assertStatus(await byAnn.post(`${one}/delete`, { confirm: 'urgent' }), 422)
    assertStatus(await byAnn.post(`${one}/delete`, { confirm: 'calm' }), 303)
    assert.deepEqual(await labelsOf(setup), [])
    assertStatus(await byAnn.post(`${one}/edit`, form), 404)
  })

  test('is for owners, from pages of this server, and tells what is wrong', async (t) => {
    const setup = await startWithOrganization(t)
    const { byAnn, byBob, visitor } = setup

    assertStatus(await byBob.get(path), 404)
    assertStatus(await byBob.post(`${path}/new`, form), 403)
    assertSessionEnded(await visitor.post(`${path}/new`, form))
    assertStatus(await byAnn.post(`${path}/new`, form, fromElsewhere), 403)
    const nameless = await byAnn.post(`${path}/new`, { ...form, name: ' ' })
    assertStatus(nameless, 422)
    assert.match(nameless.text, /<details class="sheet opened-form" open>[^]*Give it a name\./)
    assert.deepEqual(await labelsOf(setup), [])
  })
})
