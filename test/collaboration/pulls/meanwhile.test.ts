import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'
import { addBranch, getPull, openPull, startWithTopic } from './setup.ts'

suite('pull requests whose branches change meanwhile', () => {
  test('are closed when one of them is deleted while they are opened', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'base', { 'b.txt': 'b\n' })
    const remove = (branch: string) => () => app.delete(ann, `${path}/branches/${branch}`)

    const toBase = () => openPull(setup, { base: 'base' })
    await doMeanwhile(t, app, toBase, remove('base'))
    await doMeanwhile(t, app, () => openPull(setup), remove('topic'))

    for (const number of [1, 2]) assert.equal((await getPull(setup, number)).state, 'closed')
    assert.equal((await app.get(ann, path)).body.open_pr_counter, 0)
  })

  test('are closed when the base that they get is deleted', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'base', { 'b.txt': 'b\n' })
    await openPull(setup)
    const edit = () => app.patch(ann, `${path}/pulls/1`, { base: 'base' })

    await doMeanwhile(t, app, edit, () => app.delete(ann, `${path}/branches/base`))

    assert.equal((await getPull(setup, 1)).state, 'closed')
  })

  test('are at the tips of both', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'base', { 'b.txt': 'b\n' })
    const push = (branch: string, name: string) => commit(setup, { [name]: 'x\n' }, { branch })
    const edit = (change: object) => () => app.patch(ann, `${path}/pulls/1`, change)

    let main = ''
    await doMeanwhile(
      t,
      app,
      () => openPull(setup),
      async () => {
        main = await push('main', 'a.txt')
      },
    )
    const opened = await getPull(setup, 1)
    let base = ''
    let head = ''
    await doMeanwhile(t, app, edit({ base: 'base' }), async () => {
      base = await push('base', 'a.txt')
      head = await push('topic', 'c.txt')
    })
    const moved = await getPull(setup, 1)

    assert.deepEqual([opened.base.sha, opened.mergeable], [main, false])
    assert.deepEqual([moved.base.sha, moved.head.sha, moved.mergeable], [base, head, false])
  })
})
