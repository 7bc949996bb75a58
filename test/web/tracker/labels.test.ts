import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startWithIssues, type Setup } from '../issues/setup.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'

const labels = '/ann/one/labels'

async function labelsOf({ app, ann }: Setup) {
  return (await app.get(ann, '/repos/ann/one/labels')).body
}

async function addLabel({ app, ann }: Setup, name: string): Promise<number> {
  const { body } = await app.post(ann, '/repos/ann/one/labels', { name, color: '#d73a4a' })
  return body.id as number
}

suite('/{owner}/{repo}/labels', () => {
  test('lists labels, and makes, changes and deletes them', async (t) => {
    const setup = await startWithIssues(t)
    const { byAnn, byBob } = setup
    assert.match(wordsOf(await byBob.get(labels)), /There are no labels yet/)
    assert.match((await byBob.get('/ann/one/issues')).text, /href="\/ann\/one\/labels"/)

    const sent = { name: 'kind/bug', color: '#D73A4A', description: 'Broken', exclusive: 'true' }
    const made = await byAnn.post(`${labels}/new`, sent)

    assert.equal(made.headers['location'], labels)
    const [label] = await labelsOf(setup)
    assert.partialDeepStrictEqual(label, {
      name: 'kind/bug',
      color: 'd73a4a',
      description: 'Broken',
      exclusive: true,
    })
    assert.match((await byBob.get(labels)).text, /\/issues\?labels=kind%2Fbug"/)
    const path = `${labels}/${label.id as number}`
    const edit = { name: 'bug', color: '#000000', is_archived: 'true' }
    assertStatus(await byAnn.post(`${path}/edit`, edit), 303)
    assert.partialDeepStrictEqual((await labelsOf(setup))[0], {
      name: 'bug',
      color: '000000',
      description: '',
      exclusive: false,
      is_archived: true,
    })
    assertStatus(await byAnn.post(`${path}/delete`, { confirm: 'bug' }), 303)
    assert.deepEqual(await labelsOf(setup), [])
  })

  test('says in place what is wrong, and keeps what was typed', async (t) => {
    const setup = await startWithIssues(t)
    const { byAnn } = setup
    const id = await addLabel(setup, `bug ${evil}`)
    for (const address of [`${labels}/new`, `${labels}/${id}/edit`]) {
      for (const [fields, problem] of [
        [{ name: ' ', color: '#000000' }, /Give it a name/],
        [{ name: 'x'.repeat(256), color: '#000000' }, /The name is too long/],
        [{ name: 'x', color: '' }, /Give it a colour/],
        [{ name: 'x', color: evil }, /invalid color/],
      ] as const) {
        const answer = await byAnn.post(address, { ...fields, description: evil })
        assertStatus(answer, 422)
        assert.match(wordsOf(answer), problem)
        assert.match(answer.text, /<details[^>]* open>[^]*name="description" value="&lt;script&gt;/)
        assert.equal(hasScript(answer), false)
      }
    }
    const mistyped = await byAnn.post(`${labels}/${id}/delete`, { confirm: 'bug' })
    assertStatus(mistyped, 422)
    assert.match(mistyped.text, /<details open><summary>Delete/)
    assert.deepEqual(
      (await labelsOf(setup)).map(({ name }: { name: string }) => name),
      [`bug ${evil}`],
    )
  })

  test('shows those of the organization, and leaves them to it', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn } = setup
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'two' })
    const shared = { name: 'shared', color: '#000000' }
    const { body } = await app.post(ann, '/orgs/acme/labels', shared)
    const path = `/acme/two/labels/${body.id as number}`

    assert.match(wordsOf(await byAnn.get('/acme/two/labels')), /Of the organization shared/)
    assertStatus(await byAnn.post(`${path}/edit`, { name: 'x', color: '#111111' }), 404)
    assertStatus(await byAnn.post(`${path}/delete`, { confirm: 'shared' }), 404)
    assert.equal((await app.get(ann, '/orgs/acme/labels')).body[0].name, 'shared')
  })

  test('is changed by those who write issues, on this site', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    const id = await addLabel(setup, 'bug')
    const sent = [
      [`${labels}/new`, { name: 'x', color: '#000000' }],
      [`${labels}/${id}/edit`, { name: 'x', color: '#000000' }],
      [`${labels}/${id}/delete`, { confirm: 'bug' }],
    ] as const
    for (const [address, fields] of sent) {
      assertSessionEnded(await visitor.post(address, fields))
      assertStatus(await byBob.post(address, fields), 403)
      assertStatus(await byAnn.post(address, fields, fromElsewhere), 403)
    }
    assertStatus(await byAnn.post(`${labels}/bug/edit`, sent[1][1]), 404)
    assert.doesNotMatch((await byBob.get(labels)).text, /action="[^"]*labels/)
    await app.patch(ann, '/repos/ann/one', { private: true })
    assertStatus(await byBob.get(labels), 404)
    for (const [address, fields] of sent) assertStatus(await byBob.post(address, fields), 404)
    await app.patch(ann, '/repos/ann/one', { has_issues: false, has_pull_requests: false })
    assertStatus(await byAnn.get(labels), 404)
    assert.equal((await labelsOf(setup))[0].name, 'bug')
  })
})
