import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { openPull, startWithTopic } from './setup.ts'

suite('the usual message of a merge', () => {
  test('names no fork and no owner of whom not all know who read it', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const forks = [
      { owner: 'bob', shown: 'bob/mine:', options: {} },
      { owner: 'acme', shown: 'acme/mine:', options: { visibility: 'public' } },
      { owner: 'secret', shown: '', options: { visibility: 'private' } },
      { owner: 'limited', shown: '', options: { visibility: 'limited' } },
    ]
    for (const [index, { owner, shown, options }] of forks.entries()) {
      const isOrganization = owner !== 'bob'
      if (isOrganization) await app.post(bob, '/orgs', { username: owner, ...options })
      const where = isOrganization ? { organization: owner } : {}
      assertStatus(await app.post(bob, `${path}/forks`, { name: 'mine', ...where }), 202)
      const fork = { ...setup, ann: bob, path: `/repos/${owner}/mine` }
      await commit(fork, { [`${owner}.txt`]: '1\n' }, { new_branch: 'work' })
      const pull = await openPull(setup, { head: `${owner}/mine:work`, title: owner }, bob)

      assertStatus(await app.post(ann, `${path}/pulls/${pull.number}/merge`, { do: 'merge' }), 200)

      const [last] = (await app.get(ann, `${path}/commits?limit=1`)).body
      assert.equal(
        last.commit.message.trim().split('\n')[0],
        `Merge pull request '${owner}' (#${index + 1}) from ${shown}work into main`,
      )
    }
  })
})
