import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { signIn } from '../../web/support.ts'

/**
 * Eve has a repository with commits by addresses of others: one hides away, one hides the
 * addresses, one nothing.
 */
async function start(t: TestContext) {
  const app = await startApp(t)
  const eve = await app.addCaller('eve')
  const root = await app.addAdmin()
  const hidden = await app.addCaller('hidden', { fullName: 'Harriet Hidden' })
  const shy = await app.addCaller('shy', { fullName: 'Sheila Shy' })
  await app.addCaller('open', { fullName: 'Olga Open' })
  const edit = { visibility: 'private', login_name: '', source_id: 0 }
  assertStatus(await app.patch(root, '/admin/users/hidden', edit), 200)
  assertStatus(await app.patch(shy, '/user/settings', { hide_email: true }), 200)
  await app.post(eve, '/user/repos', { name: 'one', auto_init: true })
  const commit = async (name: string, email: string) => {
    const author = { name: 'x', email }
    const body = { content: 'YQ==', message: `by ${name}`, author, committer: author }
    const answer = await app.post(eve, `/repos/eve/one/contents/${name}.txt`, body)
    assertStatus(answer, 201)
    return answer.body.commit.sha as string
  }
  return { app, eve, root, hidden, shy, commit }
}

suite('a person who is hidden from the caller', () => {
  test('is as absent among the rights to a repository as at the own address', async (t) => {
    const { app, eve, root, hidden } = await start(t)
    await app.post(hidden, '/orgs', { username: 'secret', visibility: 'private' })
    const permission = (who: TestCaller, name: string) =>
      app.get(who, `/repos/eve/one/collaborators/${name}/permission`)

    for (const name of ['hidden', 'secret']) {
      const answer = await permission(eve, name)
      const nobody = await permission(eve, 'nobody')
      assert.equal(answer.status, 404)
      assert.equal(answer.text, nobody.text.replaceAll('nobody', name))
      assertStatus(await app.get(eve, `/repos/eve/one/collaborators/${name}`), 422)
      const added = await app.put(eve, `/repos/eve/one/collaborators/${name}`, {})
      const absent = await app.put(eve, '/repos/eve/one/collaborators/nobody', {})
      assert.deepEqual(
        [added.status, added.text],
        [absent.status, absent.text.replaceAll('nobody', name)],
      )
    }
    assertStatus(await permission(eve, 'open'), 200)
    assertStatus(await permission(root, 'hidden'), 200)
    assertStatus(await app.put(root, '/repos/eve/one/collaborators/hidden', {}), 204)
    assertStatus(await permission(eve, 'hidden'), 200)
    assertStatus(await app.delete(eve, '/repos/eve/one/collaborators/hidden'), 204)
    assertStatus(await permission(eve, 'hidden'), 404)
  })

  test('is not found out by an address in a commit, neither by the API nor on pages', async (t) => {
    const { app, eve, hidden, shy, commit } = await start(t)
    const placeholder = (await app.get(undefined, '/users/shy')).body.email as string
    const commits = {
      hidden: await commit('a', 'hidden@example.org'),
      shy: await commit('b', 'Shy@example.org'),
      open: await commit('c', 'open@example.org'),
      'shy by the placeholder': await commit('d', placeholder),
    }
    const authorOf = async (who: TestCaller | undefined, id: string) => {
      const { body } = await app.get(who, `/repos/eve/one/git/commits/${id}`)
      return [body.author?.login, body.committer?.login]
    }

    const seenBy = async (who: TestCaller | undefined) =>
      Promise.all(Object.values(commits).map(async (id) => (await authorOf(who, id))[0]))
    assert.deepEqual(await seenBy(eve), [undefined, undefined, 'open', 'shy'])
    assert.deepEqual(await seenBy(undefined), [undefined, undefined, 'open', 'shy'])
    assert.deepEqual(await seenBy(shy), [undefined, 'shy', 'open', 'shy'])
    assert.deepEqual(await seenBy(hidden), ['hidden', undefined, 'open', 'shy'])
    const lists = ['/commits', '/branches', '/branches/main', '/activities/feeds']
    const byEve = await signIn(app, 'eve')
    const pages = [
      '',
      '/commits/branch/main',
      `/commit/${commits.hidden}`,
      '/src/branch/main/a.txt',
    ]
    for (const path of lists) {
      const { text } = await app.get(eve, `/repos/eve/one${path}`)
      assert.doesNotMatch(text, /Harriet|"hidden"/, path)
    }
    for (const path of [...pages, '/blame/branch/main/b.txt', '/src/branch/main/b.txt']) {
      const page = await byEve.get(`/eve/one${path}`)
      assertStatus(page, 200)
      assert.doesNotMatch(page.text, /Harriet|href="\/hidden"/, path)
      if (path.endsWith('b.txt')) assert.doesNotMatch(page.text, /Sheila|href="\/shy"/, path)
    }
    assert.match((await byEve.get('/eve/one/src/branch/main/c.txt')).text, /href="\/open"/)
  })
})
