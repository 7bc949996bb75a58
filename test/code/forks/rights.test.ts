import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { countFolders } from '../templates/support.ts'
import { startApp, type TestAnswer, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { folderOf } from '../../support/fill.ts'

/**
 * Does `work` while the repository of `send` is copied: a ref of it is not read before that is
 * done.
 */
async function whileCopying(
  app: TestApp,
  path: string,
  work: () => Promise<unknown>,
  send: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const heads = join(await folderOf(app, path), 'refs', 'heads')
  const pipe = join(heads, 'slow')
  execFileSync('mkfifo', [pipe])
  try {
    const answer = send()
    const writer = await open(pipe, 'w')
    await work()
    await writer.writeFile(execFileSync('git', ['-C', heads, 'rev-parse', 'main']))
    await writer.close()
    return await answer
  } finally {
    rmSync(pipe)
  }
}

suite('a right that is lost while a repository is forked', () => {
  test('makes no fork, and leaves nothing behind', async (t) => {
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
    await app.post(ann, '/user/repos', { name: 'base', auto_init: true, private: true })
    const folders = countFolders(app)
    const path = '/repos/ann/base'
    const cases: [string, () => Promise<unknown>, number, (string | RegExp)?][] = [
      ['ben', () => app.delete(ann, `${path}/collaborators/ben`), 404, 'not found'],
      [
        'ben',
        () => app.patch(ann, path, { private: false, has_code: false }),
        403,
        /specific read permission/,
      ],
      [
        'acme',
        () => app.delete(ann, `/teams/${team.id}/members/ben`),
        403,
        'User is not allowed to create repositories in this organization.',
      ],
      ['ben', () => app.patch(root, '/admin/users/ben', { prohibit_login: true }), 401],
      ['ben', () => app.delete(ben, '/token'), 401, 'token is required'],
    ]

    for (const [owner, loseIt, status, message] of cases) {
      await app.put(ann, `${path}/collaborators/ben`, { permission: 'read' })
      await app.put(ann, `/teams/${team.id}/members/ben`)
      await app.patch(ann, path, { private: true, has_code: true })
      await app.patch(root, '/admin/users/ben', { prohibit_login: false })
      const organization = owner === 'ben' ? {} : { organization: owner }
      const answer = await whileCopying(app, 'ann/base', loseIt, () =>
        app.post(ben, `${path}/forks`, { name: 'copy', ...organization }),
      )

      assertError(answer, status, message)
      assertStatus(await app.get(root, `/repos/${owner}/copy`), 404)
      assert.equal(countFolders(app), folders)
    }
  })
})
