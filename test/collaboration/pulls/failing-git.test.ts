import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startFailingGit } from '../../support/failing-git.ts'

const one = '/repos/ann/one'
const pull = { head: 'topic', base: 'main', title: 'x' }

async function startWithTopic(t: TestContext) {
  const { host, failAt } = await startFailingGit(t)
  const { app } = host
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
  const file = { content: '', new_branch: 'topic' }
  assertStatus(await app.post(ann, `${one}/contents/file`, file), 201)
  return { host, app, ann, failAt }
}

suite('a git that fails', () => {
  test('over what comes after a pull request leaves that', async (t) => {
    const { app, ann, failAt } = await startWithTopic(t)

    failAt('update-ref', 'killed before')
    assertStatus(await app.post(ann, `${one}/pulls`, pull), 201)

    assertStatus(await app.get(ann, `${one}/pulls/1`), 200)
  })

  test('to delete the branch leaves the merge', async (t) => {
    const { host, app, ann } = await startWithTopic(t)
    assertStatus(await app.post(ann, `${one}/pulls`, pull), 201)
    writeFileSync(join(await host.folderOf('ann/one'), 'packed-refs.lock'), '')

    const merge = { Do: 'merge', delete_branch_after_merge: true }
    assertStatus(await app.post(ann, `${one}/pulls/1/merge`, merge), 200)

    assert.equal((await app.get(ann, `${one}/pulls/1`)).body.merged, true)
    assertStatus(await app.get(ann, `${one}/branches/topic`), 200)
  })
})
