// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { addIssue, startWithIssues, type Setup } from '../issues/setup.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'

const milestones = '/ann/one/milestones'

async function milestonesOf({ app, ann }: Setup) {
  return (await app.get(ann, '/repos/ann/one/milestones?state=all')).body
}

async function addMilestone({ app, ann }: Setup, title: string): Promise<number> {
  const sent = { title, description: `*soon* ${evil}`, due_on: '2030-01-02T00:00:00Z' }
  return (await app.post(ann, '/repos/ann/one/milestones', sent)).body.id as number
}

suite('/{owner}/{repo}/milestones', () => {
  test('makes, changes, closes, reopens and deletes milestones', async (t) => {
    const setup = await startWithIssues(t)
    const { byAnn, byBob } = setup
    assert.match(wordsOf(await byBob.get(milestones)), /There is no open milestone/)
    assert.match((await byBob.get('/ann/one/issues')).text, /href="\/ann\/one\/milestones"/)
    assertStatus(await byAnn.get(`${milestones}/new`), 200)

    const made = await byAnn.post(`${milestones}/new`, {
      title: '1.0',
      description: 'a\r\nb',
      due: '2030-12-31',
    })

    const [milestone] = await milestonesOf(setup)
    const id = milestone.id as number
    assert.equal(made.headers['location'], `/ann/one/milestone/${id}`)
    assert.partialDeepStrictEqual(milestone, {
      title: '1.0',
      description: 'a\nb',
      due_on: '2030-12-31T23:59:59Z',
      state: 'open',
    })
    assert.match((await byAnn.get(`${milestones}/${id}/edit`)).text, /value="2030-12-31"/)
    await byAnn.post(`${milestones}/${id}/edit`, { title: '1.1', description: '', due: '' })
    await byAnn.post(`${milestones}/${id}/state`, { action: 'close' })
    assert.partialDeepStrictEqual((await milestonesOf(setup))[0], {
      title: '1.1',
      description: '',
      due_on: null,
      state: 'closed',
    })
    assert.doesNotMatch(wordsOf(await byBob.get(milestones)), /1\.1/)
    assert.match(wordsOf(await byBob.get(`${milestones}?state=closed`)), /1\.1/)
    await byAnn.post(`${milestones}/${id}/state`, { action: 'open' })
    assert.equal((await milestonesOf(setup))[0].state, 'open')
    assertStatus(await byAnn.post(`${milestones}/${id}/delete`, { confirm: '1.1' }), 303)
    assert.deepEqual(await milestonesOf(setup), [])
  })

  test('says in place what is wrong, and keeps what was typed', async (t) => {
    const setup = await startWithIssues(t)
    const { byAnn } = setup
    const id = await addMilestone(setup, '1.0')
    for (const address of [`${milestones}/new`, `${milestones}/${id}/edit`]) {
      for (const [fields, problem] of [
        [{ title: ' ', due: '' }, /Give it a title/],
        [{ title: 'x', due: '2030-02-30' }, /This is no day/],
        [{ title: 'x', due: evil }, /This is no day/],
      ] as const) {
        const answer = await byAnn.post(address, { ...fields, description: evil })
        assertStatus(answer, 422)
        assert.match(wordsOf(answer), problem)
        assert.match(answer.text, />\n&lt;script&gt;[^<]*<\/textarea>/)
        assert.equal(hasScript(answer), false)
      }
    }
    const mistyped = await byAnn.post(`${milestones}/${id}/delete`, { confirm: '1' })
    assertStatus(mistyped, 422)
    assert.equal((await milestonesOf(setup))[0].title, '1.0')
    assert.equal((await milestonesOf(setup)).length, 1)
  })

  test('is changed by those who write issues, on this site', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    const id = await addMilestone(setup, '1.0')
    const sent = [
      [`${milestones}/new`, { title: 'x' }],
      [`${milestones}/${id}/edit`, { title: 'x' }],
      [`${milestones}/${id}/state`, { action: 'close' }],
      [`${milestones}/${id}/delete`, { confirm: '1.0' }],
    ] as const
    for (const [address, fields] of sent) {
      assertSessionEnded(await visitor.post(address, fields))
      assertStatus(await byBob.post(address, fields), 403)
      assertStatus(await byAnn.post(address, fields, fromElsewhere), 403)
    }
    assertStatus(await byBob.get(`${milestones}/new`), 404)
    assertStatus(await byBob.get(`${milestones}/${id}/edit`), 404)
    for (const missing of ['0', '1.0', '99'])
      assertStatus(await byAnn.get(`${milestones}/${missing}/edit`), 404)
    assert.doesNotMatch((await byBob.get(milestones)).text, /milestones\/new/)
    await app.patch(ann, '/repos/ann/one', { private: true })
    assertStatus(await byBob.get(milestones), 404)
    assertStatus(await byBob.get(`/ann/one/milestone/${id}`), 404)
    assert.deepEqual(
      (await milestonesOf(setup)).map(({ title, state }: Record<string, string>) => [title, state]),
      [['1.0', 'open']],
    )
  })
})

suite('/{owner}/{repo}/milestone/{id}', () => {
  test('shows what is planned, done and due', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, visitor } = setup
    const id = await addMilestone(setup, '2')
    await addMilestone(setup, String(id))
    await addIssue(setup, ann, { title: `Planned ${evil}`, milestone: id })
    const done = await addIssue(setup, ann, { title: 'Done', milestone: id })
    await app.patch(ann, `/repos/ann/one/issues/${done}`, { state: 'closed' })
    await addIssue(setup, ann, { title: 'Elsewhere' })

    const page = await visitor.get(`/ann/one/milestone/${id}`)

    assertStatus(page, 200)
    const words = wordsOf(page)
    assert.match(words, /1 of 2 closed · due 2030-01-02/)
    assert.match(words, /2 issues and pull requests/)
    assert.match(page.text, /<em>soon<\/em>/)
    assert.match(page.text, /href="\/ann\/one\/issues\/1">Planned &lt;script&gt;/)
    assert.doesNotMatch(words, /Elsewhere/)
    assert.equal(hasScript(page), false)
    assert.doesNotMatch(page.text, /\/edit"/)
    assert.match((await byAnn.get(`/ann/one/milestone/${id}`)).text, /\/edit"/)
    for (const missing of ['0', 'x', '2x'])
      assertStatus(await visitor.get(`/ann/one/milestone/${missing}`), 404)
  })
})
