import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { commit, folderOf, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { getPull, openPull } from './setup.ts'

const code = (second: string) => `one\n${second}\nthree\nfour\nfive\n`

/** Pull requests that indent a line anew, which main has changed since. */
async function startIndented(setup: Setup): Promise<void> {
  await commit(setup, { 'code.txt': code(' two'), 'b.txt': 'b\n' }, { branch: 'main' })
  for (const name of ['first', 'second', 'third']) {
    const files = { 'code.txt': code('     two'), [`${name}.txt`]: 'new\n' }
    await commit(setup, files, { new_branch: name, message: `indent in ${name}` })
    await openPull(setup, { head: name, title: name })
  }
  await commit(setup, { 'code.txt': code(' two, changed') }, { branch: 'main' })
}

suite('white space in pull requests', () => {
  test('contradicts, unless the repository is set up otherwise', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await startIndented(setup)
    const merge = (number: number, style: string) =>
      app.post(ann, `${path}/pulls/${number}/merge`, { do: style })
    const mergeable = async () => {
      const { body } = await app.get(ann, `${path}/pulls?state=open&sort=oldest`)
      return body.map((pull: { mergeable: boolean }) => pull.mergeable)
    }
    const set = async (ignore_whitespace_conflicts: boolean) =>
      assertStatus(await app.patch(ann, path, { ignore_whitespace_conflicts }), 200)

    assert.equal((await getPull(setup, 1)).mergeable, false)
    assertError(await merge(1, 'merge'), 405, 'Please try again later')
    await set(true)
    assert.equal((await getPull(setup, 1)).mergeable, true)
    await app.ctx.jobs.runDue()
    assert.deepEqual(await mergeable(), [true, true, true])
    await set(false)
    await app.ctx.jobs.runDue()
    assert.deepEqual(await mergeable(), [false, false, false])
    assertError(await app.post(ann, `${path}/pulls/3/update`), 409)
    await set(true)
    assertStatus(await merge(1, 'merge'), 200)
    assertStatus(await merge(2, 'rebase'), 200)
    assertStatus(await app.post(ann, `${path}/pulls/3/update`), 200)
    assertStatus(await merge(3, 'squash'), 200)

    assert.equal((await app.get(ann, `${path}/raw/code.txt`)).text, code(' two, changed'))
    for (const name of ['first', 'second', 'third']) {
      assertStatus(await app.get(ann, `${path}/contents/${name}.txt`), 200)
    }
    const left = readdirSync(join(await folderOf(app, 'one'), 'objects'))
    assert.deepEqual(
      left.filter((name) => name.startsWith('tmp_')),
      [],
    )
  })

  test('that contradicts nothing is a change like any other, and words contradict always', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    assertStatus(await app.patch(ann, path, { ignore_whitespace_conflicts: true }), 200)
    await commit(setup, { 'code.txt': code(' two') }, { branch: 'main' })
    await commit(setup, { 'code.txt': code('   two') }, { new_branch: 'space' })
    await commit(setup, { 'code.txt': code(' too') }, { new_branch: 'word' })
    await openPull(setup, { head: 'space' })
    await openPull(setup, { head: 'word' })
    await commit(setup, { 'other.txt': 'x' }, { branch: 'main' })

    const merged = await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })
    const { text } = await app.get(ann, `${path}/raw/code.txt`)
    await commit(setup, { 'code.txt': code(' 2') }, { branch: 'main' })

    assertStatus(merged, 200)
    assert.equal(text, code('   two'))
    assert.equal((await getPull(setup, 2)).mergeable, false)
  })
})
