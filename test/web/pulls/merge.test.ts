// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, commit } from '../../code/commits/setup.ts'
import { addCollaborator, getPull, openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { pulls, startWithPulls, type PullSetup } from './setup.ts'

async function protect({ app, ann, path }: PullSetup, rule: object): Promise<void> {
  const answer = await app.post(ann, `${path}/branch_protections`, { rule_name: 'main', ...rule })
  assertStatus(answer, 201)
}

async function branches({ app, ann, path }: PullSetup): Promise<readonly string[]> {
  const { body } = await app.get(ann, `${path}/branches`)
  return body.map(({ name }: { name: string }) => name)
}

suite('POST /{owner}/{repo}/pulls/{index}/merge', () => {
  test('merges as it is told, with a message, and deletes the branch', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup
    const opened = await openPull(setup)
    const form = await byAnn.get(`${pulls}/1`)
    assert.ok(form.text.includes(`name="head_commit_id" value="${opened.head.sha}"`))
    assert.match(form.text, /<option value="merge" selected>[^]*<option value="squash">/)

    const merged = await byAnn.post(`${pulls}/1/merge`, {
      style: 'squash',
      title: 'All of it',
      message: 'because\r\nwhy not',
      delete_branch: 'true',
      head_commit_id: opened.head.sha,
      action: 'merge',
    })

    assertStatus(merged, 303)
    assert.equal(merged.headers['location'], `${pulls}/1`)
    const pull = await getPull(setup, 1)
    assert.equal(pull.merged, true)
    const made = await app.get(ann, `${path}/git/commits/${pull.merge_commit_sha}`)
    assert.equal(made.body.commit.message.trim(), 'All of it\n\nbecause\nwhy not')
    assert.equal(made.body.parents.length, 1)
    assert.deepEqual(await branches(setup), ['main'])
    const page = await byAnn.get(`${pulls}/1`)
    assert.match(wordsOf(page), /Merged ann had topic in main/)
    assert.doesNotMatch(page.text, /value="reopen"|id="merge-style"/)
  })

  test('is not offered where all commits are there already, but to close it is', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn, visitor } = setup
    const opened = await openPull(setup)
    const move = { new_commit_id: opened.head.sha }
    assertStatus(await app.put(ann, `${path}/branches/main`, move), 204)
    const fields = { style: 'merge', action: 'merge', title: '', message: '' }

    const page = await byAnn.get(`${pulls}/1`)
    const late = await byAnn.post(`${pulls}/1/merge`, fields)
    const read = await visitor.get(`${pulls}/1`)

    assert.match(wordsOf(page), /Nothing to merge: all commits are in main ?\. Close pull request/)
    assert.doesNotMatch(page.text, /id="merge-style"|It can be merged/)
    assert.match(late.text, /There is nothing to merge: all commits are there already/)
    assert.match(wordsOf(read), /Nothing to merge/)
    assert.doesNotMatch(wordsOf(read), /Close pull request/)
    assertStatus(await byAnn.post('/ann/one/issues/1/comments', { action: 'close' }), 303)
    assert.partialDeepStrictEqual(await getPull(setup, 1), { state: 'closed', merged: false })
  })

  test('is for those who may merge, from our own pages', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn, byBob, visitor, bob } = setup
    await openPull(setup, {}, bob)
    const path = `${pulls}/1/merge`
    const fields = { style: 'merge', action: 'merge' }

    const page = await byBob.get(`${pulls}/1`)
    assert.doesNotMatch(page.text, /id="merge-style"/)
    assert.match(wordsOf(page), /Those who may write to main merge it here/)
    assertStatus(await byBob.post(path, fields), 403)
    assertStatus(await byAnn.post(path, fields, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, fields))
    assertStatus(await byAnn.post(`${pulls}/7/merge`, fields), 404)
    assertStatus(await byAnn.post(path, { ...fields, style: 'nonsense' }), 404)
    await archive(setup)
    assertStatus(await byAnn.post(path, fields), 423)
    assert.doesNotMatch((await byAnn.get(`${pulls}/1`)).text, /id="merge-style"/)
    assert.equal((await getPull(setup, 1)).merged, false)
  })

  test('tells of conflicts, and of a push in between, and keeps what was typed', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn } = setup
    const opened = await openPull(setup)
    await commit(setup, { 'b.txt': 'b\n' }, { branch: 'topic' })

    const late = await byAnn.post(`${pulls}/1/merge`, {
      style: 'squash',
      title: 'All of it',
      message: 'because',
      head_commit_id: opened.head.sha,
    })

    assertStatus(late, 422)
    assert.match(late.text, /Somebody has pushed meanwhile/)
    assert.match(late.text, /<option value="squash" selected>[^]*value="All of it"[^]*>\nbecause</)
    await commit(setup, { 'a.txt': 'another\n' }, { branch: 'main' })
    const page = await byAnn.get(`${pulls}/1`)
    assert.match(wordsOf(page), /There are conflicts with main/)
    assert.doesNotMatch(page.text, /id="merge-style"/)
    assertStatus(await byAnn.post(`${pulls}/1/merge`, { style: 'merge' }), 422)
    assert.equal((await getPull(setup, 1)).merged, false)
  })

  test('names the files in conflict, and offers no update that cannot work', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn, byBob } = setup
    await openPull(setup)
    await commit(setup, { 'docs/ö <i>.md': 'mine\n', 'c.txt': 'c\n' }, { branch: 'topic' })
    await commit(setup, { 'd.txt': 'd\n' }, { branch: 'main' })
    assert.match((await byAnn.get(`${pulls}/1`)).text, />Update by merge</)
    const theirs = { 'a.txt': 'another\n', 'docs/ö <i>.md': 'theirs\n' }
    await commit(setup, theirs, { branch: 'main' })

    const page = await byAnn.get(`${pulls}/1`)

    const list = /<ul class="plain conflicts"[^]*?<\/ul>/
    assert.deepEqual(list.exec(page.text)?.[0].match(/(?<=<code>)[^<]*/g), [
      'a.txt',
      'docs/ö &lt;i&gt;.md',
    ])
    assert.doesNotMatch(page.text, />Update by (merge|rebase)</)
    const sent = await byAnn.post(`${pulls}/1/update`, { style: 'rebase' })
    assertStatus(sent, 422)
    assert.match(wordsOf(sent), /One of the commits is in conflict with the branch to merge into/)
    assert.match((await byBob.get(`${pulls}/1`)).text, list)
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`m${n}`, 'x\n']))
    await commit(setup, many, { branch: 'main' })
    const others = Object.fromEntries(Object.keys(many).map((name) => [name, 'y\n']))
    await commit(setup, others, { branch: 'topic' })
    assert.match(wordsOf(await byAnn.get(`${pulls}/1`)), /and 7 more files/)
  })

  test('says how to look at it on another machine', async (t) => {
    const setup = await startWithPulls(t)
    await openPull(setup)

    const page = await setup.byBob.get(`${pulls}/1`)

    assert.match(
      wordsOf(page),
      /On your machine git fetch http:\/\/\S+\/ann\/one\.git pull\/1\/head git switch -c pull-1 FETCH_HEAD/,
    )
    for (const ending of ['diff', 'patch']) {
      assert.ok(page.text.includes(`href="${pulls}/1.${ending}"`))
      assertStatus(await setup.byBob.get(`${pulls}/1.${ending}`), 200)
    }
  })

  test('shows what checks say, with ways to what they have done, here and at the commit', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup
    const { head } = await openPull(setup)
    const say = (context: string, fields: object) =>
      app.post(ann, `${path}/statuses/${head.sha}`, { context, ...fields })
    const log = 'https://ci.example.org/runs/7'
    await say('ci/test', { state: 'failure', description: 'Two tests fail', target_url: log })
    await say('ci/build', { state: 'success', target_url: 'javascript:alert(1)' })

    for (const address of [`${pulls}/1`, `/ann/one/commit/${head.sha}`]) {
      const page = await byAnn.get(address)
      assert.match(
        wordsOf(page),
        /Some checks have failed\. ci\/build success ci\/test failure · Two tests fail Details of ci\/test/,
      )
      assert.ok(page.text.includes(`<a href="${log}" rel="nofollow noopener">Details`))
      assert.doesNotMatch(page.text, /href="javascript/)
    }
  })

  test('waits for what the rules of the branch want, or passes over it', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup
    await protect(setup, { enable_status_check: true, status_check_contexts: ['ci/*'] })
    const { head } = await openPull(setup)
    const state = (value: string) =>
      app.post(ann, `${path}/statuses/${head.sha}`, { state: value, context: 'ci/test' })
    await state('pending')
    const fields = { style: 'merge', head_commit_id: head.sha }

    const page = await byAnn.get(`${pulls}/1`)

    assert.match(wordsOf(page), /Checks are still running\. ci\/test pending/)
    assert.match(wordsOf(page), /The rules of main want more: Not all required status checks/)
    const refused = await byAnn.post(`${pulls}/1/merge`, { ...fields, action: 'merge' })
    assertStatus(refused, 422)
    assert.match(refused.text, /role="alert">This did not work: Not all required/)
    assertStatus(await byAnn.post(`${pulls}/1/merge`, { ...fields, action: 'wait' }), 303)
    assert.match((await byAnn.get(`${pulls}/1`)).text, /will be merged by itself/)
    assertStatus(await byAnn.post(`${pulls}/1/merge`, { action: 'cancel' }), 303)
    assert.doesNotMatch((await byAnn.get(`${pulls}/1`)).text, /will be merged by itself/)
    assert.equal((await getPull(setup, 1)).merged, false)
    assertStatus(await byAnn.post(`${pulls}/1/merge`, { ...fields, force: 'true' }), 303)
    assert.equal((await getPull(setup, 1)).merged, true)
  })
})

suite('what else is done with a pull request', () => {
  test('a draft is made ready and a draft again', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn, byBob } = setup
    await openPull(setup, { title: 'WIP: the work' })
    const path = `${pulls}/1/draft`
    const draft = async () => (await getPull(setup, 1)).draft as boolean

    const page = await byAnn.get(`${pulls}/1`)
    assert.match(
      wordsOf(page),
      /Draft ann wants .* This is a draft, which is not merged\. Ready for review/,
    )
    assert.doesNotMatch(page.text, /id="merge-style"/)
    assertStatus(await byBob.post(path, { draft: 'false' }), 403)
    assertStatus(await byAnn.post(path, { draft: 'false' }, fromElsewhere), 403)
    assert.equal(await draft(), true)
    assertStatus(await byAnn.post(path, { draft: 'false' }), 303)
    assert.equal((await getPull(setup, 1)).title, 'the work')
    assertStatus(await byAnn.post(path, { draft: 'true' }), 303)
    assert.equal((await getPull(setup, 1)).title, 'WIP: the work')
    assertStatus(await byAnn.post(path, { draft: 'true' }), 303)
    assert.equal((await getPull(setup, 1)).title, 'WIP: the work')
  })

  test('its branch is brought up to date by those who may push', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn, byBob } = setup
    await openPull(setup)
    await commit(setup, { 'm.txt': 'm\n' }, { branch: 'main' })
    const path = `${pulls}/1/update`

    assert.match((await byAnn.get(`${pulls}/1`)).text, /name="style" value="rebase"/)
    assert.doesNotMatch((await byBob.get(`${pulls}/1`)).text, /name="style"/)
    assertStatus(await byBob.post(path, { style: 'merge' }), 403)
    assertStatus(await byAnn.post(path, { style: 'merge' }, fromElsewhere), 403)
    const before = await getPull(setup, 1)
    assert.notEqual(before.merge_base, before.base.sha)
    assertStatus(await byAnn.post(path, { style: 'rebase' }), 303)
    const after = await getPull(setup, 1)
    assert.equal(after.merge_base, after.base.sha)
    assert.doesNotMatch((await byAnn.get(`${pulls}/1`)).text, /commits that this branch lacks/)
  })

  test('its branch is deleted once it is merged', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, bob, path, byAnn, byBob } = setup
    await openPull(setup)
    const drop = `${pulls}/1/branch`
    assertStatus(await byAnn.post(drop), 403)
    await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })

    assert.match((await byAnn.get(`${pulls}/1`)).text, /Delete the branch topic/)
    await addCollaborator(setup, bob, 'read')
    assert.doesNotMatch((await byBob.get(`${pulls}/1`)).text, /Delete the branch/)
    assertStatus(await byBob.post(drop), 403)
    assertStatus(await byAnn.post(drop, {}, fromElsewhere), 403)
    assert.deepEqual(await branches(setup), ['main', 'topic'])
    assertStatus(await byAnn.post(drop), 303)
    assert.deepEqual(await branches(setup), ['main'])
    assert.doesNotMatch((await byAnn.get(`${pulls}/1`)).text, /Delete the branch/)
  })

  test('says why a branch stays that is protected', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup
    await openPull(setup)
    await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })
    await protect(setup, { rule_name: 'topic' })

    const refused = await byAnn.post(`${pulls}/1/branch`)

    assertStatus(refused, 422)
    assert.match(wordsOf(refused), /The branch topic stays: .*protected/)
    assert.deepEqual(await branches(setup), ['main', 'topic'])
  })
})
