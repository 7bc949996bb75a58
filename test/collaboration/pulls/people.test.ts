import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addCollaborator, openPull, startWithTopic } from './setup.ts'

interface Shown {
  readonly login: string
  readonly email: string
  readonly active: boolean
}

suite('people in pull requests', () => {
  test('are shown as in public, but for the author, whose address is for those who may see it', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const root = await app.addAdmin()
    await addCollaborator(setup, bob, 'write')
    const { number } = await openPull(setup, { assignees: ['bob'], reviewers: ['bob'] })
    const pull = `${path}/pulls/${number}`
    const inPublic = ({ id, name }: TestCaller) => `${id}+${name}@noreply.codestead.test`
    const addressOf = async (who: TestCaller | undefined) =>
      ((await app.get(who, pull)).body.user as Shown).email

    const open = (await app.get(root, pull)).body
    assert.equal(open.merged_by, null)
    for (const person of [open.assignee, open.assignees[0], open.requested_reviewers[0]]) {
      assert.deepEqual([person.login, person.email], ['bob', inPublic(bob)])
    }
    assertStatus(await app.post(bob, `${pull}/merge`, { Do: 'merge' }), 200)
    for (const who of [ann, bob, root, undefined]) {
      const [{ merged_by: listed }] = (await app.get(who, `${path}/pulls?state=all`)).body
      const { merged_by: merger } = (await app.get(who, pull)).body
      const entries = (await app.get(who, `${path}/issues/${number}/timeline`)).body
      const people = entries.flatMap((entry: { user: Shown; assignee: Shown | null }) =>
        entry.assignee ? [entry.user, entry.assignee] : [entry.user],
      ) as Shown[]
      assert.deepEqual(listed, merger)
      assert.deepEqual([merger.login, merger.email], ['bob', inPublic(bob)])
      assert.deepEqual(new Set(people.map(({ login }) => login)), new Set(['ann', 'bob']))
      for (const { login, email, active } of people) {
        assert.deepEqual([email, active], [inPublic(login === 'ann' ? ann : bob), false])
      }
    }
    assert.equal(await addressOf(bob), 'ann@example.org')
    assert.equal(await addressOf(undefined), inPublic(ann))
    await app.patch(ann, '/user/settings', { hide_email: true })
    assert.equal(await addressOf(bob), inPublic(ann))
    assert.equal(await addressOf(ann), 'ann@example.org')
    assert.equal(await addressOf(root), 'ann@example.org')
  })
})
