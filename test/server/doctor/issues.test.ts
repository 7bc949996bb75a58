import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { issues, repo, withTracker } from '../../collaboration/issues/setup.ts'
import { machineOf } from '../../support/terminal.ts'

suite('admin doctor, of issues', () => {
  test('recounts issues, comments and milestones, and mends the numbering', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const doctor = (...options: string[]) => machineOf(app).admin(['doctor', ...options])
    const { id } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    await open(ann, { title: 'one', milestone: id })
    await open(ann, { title: 'two', milestone: id, closed: true })
    await app.post(ann, `${issues}/1/comments`, { body: 'c' })
    await app.ctx.jobs.runDue()
    assert.equal((await doctor()).status, 0)
    const { db } = app.ctx
    await db.updateTable('issue').set({ comments_count: 7 }).execute()
    await db
      .updateTable('milestone')
      .set({ open_issues_count: 5, closed_issues_count: 0 })
      .execute()
    await db.updateTable('repository').set({ open_issues_count: 9, last_issue_number: 1 }).execute()

    const reported = await doctor()
    const mended = await doctor('--fix')

    assert.equal(reported.status, 1)
    assert.match(reported.out, /open_issues_count of repository \d+ is 9, should be 1/)
    assert.match(reported.out, /closed_issues_count of milestone \d+ is 0, should be 1/)
    assert.match(reported.out, /comments_count of issue \d+ is 7, should be 1/)
    assert.match(reported.out, /repository \d+ counts issues from 1, has 2/)
    assert.equal(mended.status, 0, mended.out)
    assert.equal((await app.get(ann, repo)).body.open_issues_count, 1)
    assert.equal((await open(ann, { title: 'three' })).number, 3)
  })
})
