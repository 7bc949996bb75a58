// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { addIssue, issues, startWithIssues, type Setup } from './setup.ts'

async function issueOf({ app, ann }: Setup) {
  return (await app.get(ann, '/repos/ann/one/issues/1')).body
}

async function addLabel({ app, ann }: Setup, name: string): Promise<string> {
  const label = await app.post(ann, '/repos/ann/one/labels', { name, color: '#d73a4a' })
  return String(label.body.id)
}

suite('the facts beside an issue', () => {
  test('labels are those that are chosen', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn } = setup
    await addIssue(setup, ann)
    const bug = await addLabel(setup, 'bug')
    const other = await addLabel(setup, evil)
    const names = async () =>
      (await issueOf(setup)).labels.map(({ name }: { name: string }) => name)

    const both = [
      ['label', bug],
      ['label', other],
    ] as const
    assertStatus(await byAnn.post(`${issues}/1/labels`, both), 303)
    assert.deepEqual(await names(), [evil, 'bug'])
    const page = await byAnn.get(`${issues}/1`)
    assert.ok(page.text.includes(`name="label" value="${bug}" checked`))
    assert.match(wordsOf(page), /ann added the label bug just now/)
    assert.equal(hasScript(page), false)
    assertStatus(await byAnn.post(`${issues}/1/labels`, { label: bug }), 303)
    assert.deepEqual(await names(), ['bug'])
    assertStatus(await byAnn.post(`${issues}/1/labels`), 303)
    assert.deepEqual(await names(), [])
  })

  test('assignees are those that are chosen or named', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn } = setup
    await addIssue(setup, ann)
    const path = `${issues}/1/assignees`
    const names = async () =>
      ((await issueOf(setup)).assignees ?? []).map(({ login }: { login: string }) => login)

    assert.match((await byAnn.get(`${issues}/1`)).text, /name="assignee" value="ann">/)
    assertStatus(await byAnn.post(path, { assignee: 'ann', other: ' bob ' }), 303)
    assert.deepEqual(await names(), ['ann', 'bob'])
    const page = await byAnn.get(`${issues}/1`)
    assert.match(page.text, /name="assignee" value="bob" checked/)
    assert.match(wordsOf(page), /ann took this on .* ann assigned bob/)
    const unknown = await byAnn.post(path, { assignee: 'ann', other: 'nobody' })
    assertStatus(unknown, 422)
    assert.match(
      unknown.text,
      /<details class="change" open>[^]*value="nobody"[^]*nobody of this name/,
    )
    assert.deepEqual(await names(), ['ann', 'bob'])
    assertStatus(await byAnn.post(path, { other: '' }), 303)
    assert.deepEqual(await names(), [])
  })

  test('the milestone and the due date are set and taken away', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn } = setup
    await addIssue(setup, ann)
    const stone = await app.post(ann, '/repos/ann/one/milestones', { title: '1.0' })
    const set = (milestone: number) =>
      byAnn.post(`${issues}/1/milestone`, { milestone: String(milestone) })

    assertStatus(await set(stone.body.id), 303)
    assert.equal((await issueOf(setup)).milestone.title, '1.0')
    assert.match((await byAnn.get(`${issues}/1`)).text, /<option value="\d+" selected>1\.0/)
    assertStatus(await set(99), 422)
    assert.equal((await issueOf(setup)).milestone.title, '1.0')
    assertStatus(await set(0), 303)
    assert.equal((await issueOf(setup)).milestone, null)
    assertStatus(await byAnn.post(`${issues}/1/due`, { due: '2030-05-01' }), 303)
    assert.equal((await issueOf(setup)).due_date, '2030-05-01T23:59:59Z')
    assert.match(wordsOf(await byAnn.get(`${issues}/1`)), /set the due date to 2030-05-01/)
    const wrong = await byAnn.post(`${issues}/1/due`, { due: '2030-02-30' })
    assertStatus(wrong, 422)
    assert.match(wrong.text, /value="2030-02-30"[^]*A day is needed/)
    assert.equal((await issueOf(setup)).due_date, '2030-05-01T23:59:59Z')
    assertStatus(await byAnn.post(`${issues}/1/due`, { due: '' }), 303)
    assert.equal((await issueOf(setup)).due_date, null)
  })

  test('are led to when they have changed, wherever on the page they are', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn } = setup
    await addIssue(setup, ann)
    const changes = [
      ['labels', {}, 'fact-labels'],
      ['assignees', { other: 'bob' }, 'fact-assignees'],
      ['milestone', { milestone: '0' }, 'fact-milestone'],
      ['due', { due: '2030-05-01' }, 'fact-due'],
      ['lock', { locked: 'true' }, 'fact-conversation'],
      ['subscription', { subscribed: 'false' }, 'fact-notifications'],
    ] as const

    for (const [form, fields, anchor] of changes) {
      const { headers } = await byAnn.post(`${issues}/1/${form}`, fields)
      assert.equal(headers['location'], `${issues}/1#${anchor}`)
    }
    const page = await byAnn.get(`${issues}/1`)
    for (const [, , anchor] of changes)
      assert.match(page.text, new RegExp(`<section class="fact" id="${anchor}">`))
  })

  test('have the focus where something is wrong with them', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn } = setup
    await addIssue(setup, ann)
    const wrong = [
      ['assignees', { other: 'nobody' }, 'other'],
      ['due', { due: 'soon' }, 'due'],
      ['dependencies', { issue: '#99', direction: 'awaited' }, 'issue'],
      ['time', { action: 'add', hours: '0', minutes: '0' }, 'hours'],
    ] as const
    const mark = 'aria-invalid="true" aria-describedby="fact-problem" autofocus'

    for (const [form, fields, field] of wrong) {
      const answer = await byAnn.post(`${issues}/1/${form}`, fields)
      assertStatus(answer, 422)
      assert.match(answer.text, new RegExp(`<input[^>]* name="${field}"[^>]* ${mark}>`))
      assert.match(answer.text, /<p class="problem" id="fact-problem" role="alert">/)
      assert.equal(answer.text.split(' autofocus').length, 2)
    }
  })

  test('are changed by those who write issues alone', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn, byBob, visitor } = setup
    await addIssue(setup, bob)
    const bug = await addLabel(setup, 'bug')
    const forms = [
      ['labels', { label: bug }],
      ['assignees', { other: 'bob' }],
      ['milestone', { milestone: '0' }],
      ['due', { due: '2030-05-01' }],
      ['lock', { locked: 'true' }],
    ] as const

    // Who has written an issue says how long it will take; what time they spend all tell.
    const offered = (await byBob.get(`${issues}/1`)).text.matchAll(/Change<span[^>]*>([^<]*)</g)
    assert.deepEqual(
      [...offered].map(([, what]) => what),
      [' time estimate', ' time spent'],
    )
    for (const [form, fields] of forms) {
      const path = `${issues}/1/${form}`
      assertStatus(await byBob.post(path, fields), 403)
      assertStatus(await byAnn.post(path, fields, fromElsewhere), 403)
      assertSessionEnded(await visitor.post(path, fields))
      assertStatus(await byAnn.post(`${issues}/7/${form}`, fields), 404)
    }
    await app.patch(ann, '/repos/ann/one', { archived: true })
    for (const [form, fields] of forms)
      assertStatus(await byAnn.post(`${issues}/1/${form}`, fields), 423)
    assert.doesNotMatch((await byAnn.get(`${issues}/1`)).text, /class="change"/)
    const { labels, assignees, due_date, is_locked } = await issueOf(setup)
    assert.deepEqual([labels, assignees, due_date, is_locked], [[], null, null, false])
  })

  test('conversations are locked and unlocked by administrators', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn, byBob } = setup
    await addIssue(setup, ann)

    assertStatus(await byAnn.post(`${issues}/1/lock`, { locked: 'true', reason: 'Spam' }), 303)
    assert.equal((await issueOf(setup)).is_locked, true)
    assert.match(wordsOf(await byBob.get(`${issues}/1`)), /ann locked the conversation: Spam/)
    assert.match((await byAnn.get(`${issues}/1`)).text, /name="locked" value="false">Unlock/)
    assertStatus(await byAnn.post(`${issues}/1/lock`, { locked: 'false' }), 303)
    assert.equal((await issueOf(setup)).is_locked, false)
  })

  test('everybody who is signed in says whether they want to hear of it', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byBob, visitor } = setup
    await addIssue(setup, ann)
    const path = `${issues}/1/subscription`
    const hears = async () =>
      (await app.get(bob, '/repos/ann/one/issues/1/subscriptions/check')).body.subscribed as boolean

    assert.doesNotMatch((await visitor.get(`${issues}/1`)).text, /name="subscribed"/)
    assert.match((await byBob.get(`${issues}/1`)).text, /value="true">Subscribe/)
    assertStatus(await byBob.post(path, { subscribed: 'true' }), 303)
    assert.equal(await hears(), true)
    assert.match((await byBob.get(`${issues}/1`)).text, /value="false">Unsubscribe/)
    assertStatus(await byBob.post(path, { subscribed: 'false' }, fromElsewhere), 403)
    assert.equal(await hears(), true)
    assertStatus(await byBob.post(path, { subscribed: 'false' }), 303)
    assert.equal(await hears(), false)
  })
})
