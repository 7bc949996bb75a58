// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, commit, makeMirror, makePrivate, names } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { protectMain, startInBrowser, type WebSetup } from '../files/setup.ts'
import { assertSessionEnded, fromElsewhere, Visitor } from '../support.ts'
import { evil, hasScript, wordsOf } from './support.ts'

const branches = '/ann/one/branches'
const tags = '/ann/one/tags'

async function refsOf({ app, ann, path }: WebSetup, kind: 'branches' | 'tags') {
  return names((await app.get(ann, `${path}/${kind}`)).body)
}

suite('GET /{owner}/{repo}/branches', () => {
  test('begins with the default branch, whatever comes before it in the alphabet', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    for (const name of ['alpha', 'zeta']) {
      await app.post(ann, `${path}/branches`, { new_branch_name: name })
    }
    const shown = async (query: string) =>
      [
        ...(await byAnn.get(branches + query)).text.matchAll(
          /<b><a href="[^"]*">([^<]*)<\/a><\/b>/g,
        ),
      ].map(([, name]) => name)

    assert.deepEqual(await shown(''), ['main', 'alpha', 'zeta'])
    assert.deepEqual(await shown('?q=a'), ['main', 'alpha', 'zeta'])
    assert.deepEqual(await shown('?q=alp'), ['alpha'])
    assert.deepEqual(await refsOf(setup, 'branches'), ['alpha', 'main', 'zeta'])
  })

  test('marks those that a rule protects, for everybody', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    for (const name of ['release/1', 'work']) {
      await app.post(ann, `${path}/branches`, { new_branch_name: name })
    }
    const rule = await app.post(ann, `${path}/branch_protections`, { rule_name: 'release/*' })
    assertStatus(rule, 201)

    for (const page of [await byAnn.get(branches), await new Visitor(app).get(branches)]) {
      assert.match(wordsOf(page), /release\/1 Protected/)
      assert.equal(page.text.match(/>Protected</g)?.length, 1)
    }
  })
})

suite('forms of /{owner}/{repo}/branches', () => {
  test('make a branch from a branch, a tag or a commit', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const id = await commit(setup, { a: 'a' })
    assert.match(wordsOf(await byAnn.get(branches)), /New branch/)

    const made = await byAnn.post(`${branches}/new`, { branch: 'feature/x', from: 'main' })
    await byAnn.post(`${branches}/new`, { branch: 'old', from: 'v1' })
    await byAnn.post(`${branches}/new`, { branch: 'same', from: id })

    assertStatus(made, 303)
    assert.equal(made.headers['location'], '/ann/one/src/branch/feature/x')
    assert.deepEqual(await refsOf(setup, 'branches'), ['feature/x', 'main', 'old', 'same'])
    assertStatus(await app.get(ann, `${path}/contents/a?ref=same`), 200)
    assertStatus(await app.get(ann, `${path}/contents/a?ref=old`), 404)
  })

  test('rename and delete branches, the latter when their name is typed', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    for (const name of ['one', 'two']) {
      await app.post(ann, `${path}/branches`, { new_branch_name: name })
    }

    const renamed = await byAnn.post(`${branches}/rename`, { name: 'one', to: 'uno' })
    const mistyped = await byAnn.post(`${branches}/delete`, { name: 'two', confirm: evil })
    const kept = await refsOf(setup, 'branches')
    const deleted = await byAnn.post(`${branches}/delete`, { name: 'two', confirm: 'two' })

    assert.equal(renamed.headers['location'], branches)
    assertStatus(mistyped, 422)
    assert.match(wordsOf(mistyped), /Type two to delete it\./)
    assert.equal(hasScript(mistyped), false)
    assert.deepEqual(kept, ['main', 'two', 'uno'])
    assert.equal(deleted.headers['location'], branches)
    assert.deepEqual(await refsOf(setup, 'branches'), ['main', 'uno'])
    await byAnn.post(`${branches}/rename`, { name: 'main', to: 'trunk' })
    assert.equal((await app.get(ann, path)).body.default_branch, 'trunk')
  })

  test('say what is wrong, and keep what was typed', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'one' })
    for (const [action, fields, status, problem] of [
      ['new', { branch: 'one', from: 'main' }, 422, /The branch already exists/],
      ['new', { branch: 'a..b', from: 'main' }, 422, /Git does not take this/],
      ['new', { branch: evil, from: 'none' }, 422, /The old ref does not exist/],
      ['new', { branch: 'x', from: evil }, 422, /The old ref does not exist/],
      ['rename', { name: 'one', to: 'main' }, 422, /rename to a branch that already exists/],
      ['rename', { name: 'one', to: '-x' }, 422, /Git does not take this/],
      ['delete', { name: 'main', confirm: 'main' }, 403, /can not delete default/],
    ] as const) {
      const answer = await byAnn.post(`${branches}/${action}`, fields)
      assertStatus(answer, status)
      assert.match(wordsOf(answer), problem)
      assert.equal(hasScript(answer), false)
    }
    const missing = { name: 'none', confirm: 'none', to: 'x' }
    assertStatus(await byAnn.post(`${branches}/delete`, missing), 404)
    assertStatus(await byAnn.post(`${branches}/rename`, missing), 404)
    const typed = await byAnn.post(`${branches}/new`, { branch: 'one', from: 'main' })
    assert.match(typed.text, /<details[^>]* open>[^]*name="branch"[^>]*\svalue="one"/)
    assert.deepEqual(await refsOf(setup, 'branches'), ['main', 'one'])
  })

  test('are for those who may write, on this site, as far as rules let them', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn, byBob, visitor } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'one' })
    const sent = [
      [`${branches}/new`, { branch: 'x', from: 'main' }],
      [`${branches}/rename`, { name: 'one', to: 'x' }],
      [`${branches}/delete`, { name: 'one', confirm: 'one' }],
    ] as const
    for (const [address, fields] of sent) {
      assertSessionEnded(await visitor.post(address, fields))
      assertStatus(await byBob.post(address, fields), 403)
      assertStatus(await byAnn.post(address, fields, fromElsewhere), 403)
    }
    assert.doesNotMatch((await byBob.get(branches)).text, /method="post" action="[^"]*branches/)
    await protectMain(setup)
    await app.post(ann, `${path}/branch_protections`, { rule_name: 'on*' })
    assertStatus(await byAnn.post(...sent[2]), 403)
    assert.doesNotMatch((await byAnn.get(branches)).text, /branches\/delete/)
    await archive(setup)
    for (const [address, fields] of sent) assertStatus(await byAnn.post(address, fields), 423)
    assert.doesNotMatch((await byAnn.get(branches)).text, /branches\/new/)
    await makePrivate(setup)
    for (const [address, fields] of sent) assertStatus(await byBob.post(address, fields), 404)
    assert.deepEqual(await refsOf(setup, 'branches'), ['main', 'one'])
  })

  test('leave the branches of a mirror alone', async (t) => {
    const setup = await startInBrowser(t)
    await makeMirror(setup)

    assert.doesNotMatch((await setup.byAnn.get(branches)).text, /branches\/new/)
    const sent = { branch: 'x', from: 'main' }
    assertStatus(await setup.byAnn.post(`${branches}/new`, sent), 403)
    assert.deepEqual(await refsOf(setup, 'branches'), ['main'])
  })
})

suite('/{owner}/{repo}/tags', () => {
  test('marks those that a rule protects, for everybody, and offers to delete what one may', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    for (const tag_name of ['v1', 'v2', 'work']) await app.post(ann, `${path}/tags`, { tag_name })
    for (const [name_pattern, name] of [
      ['v1', 'bob'],
      ['/^v2$/', 'ann'],
    ] as const) {
      const rule = { name_pattern, whitelist_usernames: [name] }
      assertStatus(await app.post(ann, `${path}/tag_protections`, rule), 201)
    }

    for (const page of [await byAnn.get(tags), await new Visitor(app).get(tags)]) {
      assert.match(wordsOf(page), /v1 Protected/)
      assert.match(wordsOf(page), /v2 Protected/)
      assert.equal(page.text.match(/>Protected</g)?.length, 2)
    }
    const offered = (await byAnn.get(tags)).text.matchAll(/name="name" value="([^"]+)"/g)
    assert.deepEqual(Array.from(offered, ([, name = '']) => name).toSorted(), ['v2', 'work'])
  })
})

suite('forms of /{owner}/{repo}/tags', () => {
  test('delete a tag when its name is typed, unless it has a release or a rule', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    for (const tag_name of ['a/1', 'kept', 'sealed']) {
      await app.post(ann, `${path}/tags`, { tag_name })
    }
    await app.post(ann, `${path}/releases`, { tag_name: 'kept' })
    await app.post(ann, `${path}/tag_protections`, {
      name_pattern: 'sealed',
      whitelist_usernames: ['bob'],
    })
    const remove = (name: string, confirm = name) => byAnn.post(`${tags}/delete`, { name, confirm })

    assertStatus(await remove('a/1', 'a'), 422)
    assert.match(wordsOf(await remove('kept')), /attached to a release cannot be deleted/)
    assert.match(wordsOf(await remove('sealed')), /not allowed to delete protected tag/)
    assertStatus(await remove('none'), 404)
    assert.deepEqual((await refsOf(setup, 'tags')).toSorted(), ['a/1', 'kept', 'sealed'])
    assert.equal((await remove('a/1')).headers['location'], tags)
    assert.deepEqual((await refsOf(setup, 'tags')).toSorted(), ['kept', 'sealed'])
  })

  test('are for those who may write, on this site', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn, byBob, visitor } = setup
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const fields = { name: 'v1', confirm: 'v1' }

    assertStatus(await byBob.post(`${tags}/delete`, fields), 403)
    assertStatus(await byAnn.post(`${tags}/delete`, fields, fromElsewhere), 403)
    const answer = await visitor.post(`${tags}/delete`, fields)
    assertSessionEnded(answer)
    assert.doesNotMatch((await byBob.get(tags)).text, /tags\/delete/)
    assert.match((await byAnn.get(tags)).text, /tags\/delete/)
    assert.deepEqual(await refsOf(setup, 'tags'), ['v1'])
  })
})

suite('the choice of refs on the code page', () => {
  test('has branches by name and tags newest first, also right after they have changed', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, visitor } = setup
    for (const tag_name of ['v1', 'v0']) {
      await commit(setup, { [tag_name]: tag_name })
      await app.post(ann, `${path}/tags`, { tag_name, message: tag_name })
      app.passTime(10)
    }
    const listed = async () =>
      Array.from(
        (await visitor.get('/ann/one')).text.matchAll(/<li><a href="[^"]*\/src\/(\w+\/[^"]+)"/g),
        ([, ref]) => ref,
      )

    assert.deepEqual(await listed(), ['branch/main', 'tag/v0', 'tag/v1'])
    for (const new_branch_name of ['b', 'a']) {
      await app.post(ann, `${path}/branches`, { new_branch_name })
      assert.ok((await listed()).includes(`branch/${new_branch_name}`))
    }
    assert.deepEqual((await listed()).slice(0, 3), ['branch/a', 'branch/b', 'branch/main'])
  })
})
