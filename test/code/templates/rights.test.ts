import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addTemplate, countFolders, generate } from './support.ts'

/**
 * Does `work` once, when the files of a template are about to be copied: everything has been
 * allowed by then.
 */
function whileCopying(t: TestContext, { ctx: { git } }: TestApp, work: () => Promise<unknown>) {
  const run = git.run.bind(git)
  const mocked = t.mock.method(git, 'run', async (...given: Parameters<typeof run>) => {
    if (given[1].includes('fast-import')) {
      mocked.mock.restore()
      await work()
    }
    return run(...given)
  })
}

suite('a right that is lost while the files are copied', () => {
  test('makes nothing, and leaves nothing behind', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const ben = await app.addCaller('ben')
    const root = await app.addAdmin()
    await app.post(ann, '/orgs', { username: 'acme' })
    const { body: team } = await app.post(ann, '/orgs/acme/teams', {
      name: 'makers',
      permission: 'read',
      units: ['repo.code'],
      can_create_org_repo: true,
    })
    const full = await addTemplate(app, ann, 'tpl', { a: 'x' }, { private: true })
    const folders = countFolders(app)
    const path = `/repos/${full}`
    const collaborate = () => app.put(ann, `${path}/collaborators/ben`, { permission: 'read' })
    const cases: [string, () => Promise<unknown>, number, (string | RegExp)?][] = [
      ['ben', () => app.delete(ann, `${path}/collaborators/ben`), 404, 'not found'],
      [
        'ben',
        () => app.patch(ann, path, { private: false, has_code: false }),
        403,
        /specific read permission/,
      ],
      ['ben', () => app.patch(ann, path, { template: false }), 422, 'this is not a template repo'],
      [
        'acme',
        () => app.delete(ann, `/teams/${team.id}/members/ben`),
        403,
        'Given user is not allowed to create repository in organization.',
      ],
      ['ben', () => app.patch(root, '/admin/users/ben', { prohibit_login: true }), 401],
      ['ben', () => app.delete(ben, '/token'), 401, 'token is required'],
    ]

    for (const [owner, loseIt, status, message] of cases) {
      await collaborate()
      await app.put(ann, `/teams/${team.id}/members/ben`)
      await app.patch(ann, path, { private: true, has_code: true, template: true })
      await app.patch(root, '/admin/users/ben', { prohibit_login: false })
      whileCopying(t, app, loseIt)
      const answer = await generate(app, ben, full, { owner, name: 'copy', git_content: true })

      assertError(answer, status, message)
      assertStatus(await app.get(root, `/repos/${owner}/copy`), 404)
      assert.equal(countFolders(app), folders)
    }
  })

  test('to administer the template is missed when its webhooks are copied', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const ben = await app.addCaller('ben')
    const full = await addTemplate(app, ann, 'tpl', { a: 'x' })
    const config = { url: 'http://example.org/hook', content_type: 'json' }
    await app.post(ann, `/repos/${full}/hooks`, { type: 'gitea', config, active: true })
    await app.put(ann, `/repos/${full}/collaborators/ben`, { permission: 'admin' })
    whileCopying(t, app, () => app.delete(ann, `/repos/${full}/collaborators/ben`))

    const items = { git_content: true, webhooks: true }
    assertStatus(await generate(app, ben, full, { name: 'late', ...items }), 201)
    assert.deepEqual((await app.get(ben, '/repos/ben/late/hooks')).body, [])
    await app.put(ann, `/repos/${full}/collaborators/ben`, { permission: 'admin' })
    assertStatus(await generate(app, ben, full, { name: 'early', ...items }), 201)
    assert.equal((await app.get(ben, '/repos/ben/early/hooks')).body.length, 1)
  })

  test('to an owner who is gone is told', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', { a: 'x' })
    await app.post(ann, '/orgs', { username: 'acme' })
    const folders = countFolders(app)
    whileCopying(t, app, () => app.delete(ann, '/orgs/acme'))

    const wanted = { owner: 'acme', name: 'copy', git_content: true }
    assertError(await generate(app, ann, full, wanted), 404, 'not found')
    assert.equal(countFolders(app), folders)
  })
})
