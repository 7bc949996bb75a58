import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { folderOf, startWithRepository } from '../code/commits/setup.ts'
import { assertStatus } from '../support/expect.ts'
import { wordsOf } from './repository/support.ts'
import { signIn } from './support.ts'

suite('a page that the server cannot make', () => {
  test('says so to people, and why to administrators alone', async (t) => {
    const { app, ann } = await startWithRepository(t)
    await app.addAdmin('eve')
    // Git is not started on a repository whose configuration is not ours.
    appendFileSync(join(await folderOf(app, 'one'), 'config'), '[alias]\n')
    const commits = '/ann/one/commits/branch/main'

    const byAnn = await (await signIn(app, 'ann')).get(commits)
    assertStatus(byAnn, 500)
    assert.match(byAnn.headers['content-type'] ?? '', /^text\/html/)
    const told = `The server could not do this. Its log tells more under ${byAnn.headers['x-request-id']}.`
    assert.ok(wordsOf(byAnn).includes(`Something went wrong ${told}`), wordsOf(byAnn))

    const byEve = await (await signIn(app, 'eve')).get(commits)
    assert.match(wordsOf(byEve), /The server could not do this\. It says: .+ Its log/)
    const program = await app.get(ann, `^${commits}`, { accept: '*/*' })
    assertStatus(program, 500)
    assert.equal(program.body.message, '')
  })
})
