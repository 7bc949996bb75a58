import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64 } from '../../code/commits/setup.ts'
import type { TestApp, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { signIn } from '../../web/support.ts'
import { wordsOf } from '../../web/repository/support.ts'
import { start, summary } from '../../outbound/webhooks/setup.ts'

const path = '/repos/ann/one'

async function kinds(app: TestApp, who: TestCaller, number: number): Promise<readonly string[]> {
  const answer = await app.get(who, `${path}/issues/${number}/timeline`)
  assertStatus(answer, 200)
  return answer.body.map(({ type }: { type: string }) => type)
}

suite('The timeline', () => {
  test('says when a merge was scheduled and when that was taken back', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const write = (name: string, options: object) =>
      app.post(ann, `${path}/contents/${name}`, { content: base64(name), ...options })
    assertStatus(await write('README', {}), 201)
    assertStatus(await write('a', { new_branch: 'topic' }), 201)
    const wanted = { title: 'x', head: 'topic', base: 'main' }
    assertStatus(await app.post(ann, `${path}/pulls`, wanted), 201)
    const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['ci'] }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    await listen(['pull_request'])
    const merge = `${path}/pulls/1/merge`

    assertStatus(await app.post(ann, merge, { do: 'merge', merge_when_checks_succeed: true }), 201)
    assertStatus(await app.delete(ann, merge), 204)

    assert.deepEqual(await kinds(app, ann, 1), [
      'pull_scheduled_merge',
      'pull_cancel_scheduled_merge',
    ])
    assert.deepEqual(summary(await heard()).toSorted(), [
      'pull_request auto_merge_disabled',
      'pull_request auto_merge_enabled',
    ])
    const page = await (await signIn(app, 'ann')).get('/ann/one/pulls/1')
    assert.match(wordsOf(page), /ann turned on auto-merge .*ann turned off auto-merge/)
  })

  test('says when a card came to another column, and is silent within one', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const board = { title: 'Plan', template_type: 'basic_kanban' }
    const project = (await app.post(ann, `${path}/projects`, board)).body.id
    const issue = (await app.post(ann, `${path}/issues`, { title: 'x', projects: [project] })).body
    const columns = (await app.get(ann, `${path}/projects/${project}/columns`)).body
    const done = columns.find(({ title }: { title: string }) => title === 'Done').id
    await listen(['issues'])
    const move = (column_id: number, sorting: number) =>
      app.post(ann, `${path}/projects/${project}/issues/${issue.id}/move`, { column_id, sorting })

    assertStatus(await move(done, 1), 204)
    assertStatus(await move(done, 5), 204)

    const entries = (await app.get(ann, `${path}/issues/1/timeline`)).body
    assert.deepEqual(await kinds(app, ann, 1), ['project', 'project_board'])
    assert.equal(entries[1].project_id, project)
    assert.deepEqual(summary(await heard()), ['issues edited'])
    const page = await (await signIn(app, 'ann')).get('/ann/one/issues/1')
    assert.match(wordsOf(page), /moved this to Done on the project Plan/)
  })

  test('says how the estimate of the time changed, which the page takes', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await app.addPerson('bob')
    assertStatus(await app.post(ann, `${path}/issues`, { title: 'x' }), 201)
    await listen(['issues'])
    const byAnn = await signIn(app, 'ann')
    const byBob = await signIn(app, 'bob')
    const address = '/ann/one/issues/1/estimate'
    const hours = { hours: '2', minutes: '30' }

    assertStatus(await byBob.post(address, hours), 403)
    assertStatus(await byAnn.post(address, { hours: '-1', minutes: '0' }), 422)
    assertStatus(await byAnn.post(address, hours), 303)
    assertStatus(await byAnn.post(address, hours), 303)

    const entries = (await app.get(ann, `${path}/issues/1/timeline`)).body
    assert.deepEqual(await kinds(app, ann, 1), ['change_time_estimate'])
    assert.equal(entries[0].body, '9000')
    assert.equal((await app.get(ann, `${path}/issues/1`)).body.time_estimate, 9000)
    const [told, ...more] = await heard()
    assert.deepEqual([told?.body.changes.time_estimate, more], [{ from: '0' }, []])
    const page = wordsOf(await byAnn.get('/ann/one/issues/1'))
    assert.match(page, /changed the time estimate to 2 hours 30 minutes/)
    assertStatus(await byAnn.post(address, { hours: '0', minutes: '0' }), 303)
    assert.match(wordsOf(await byAnn.get('/ann/one/issues/1')), /removed the time estimate/)
  })
})
