import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { listenForLate } from '../platform/http/late.ts'
import { assertStatus } from '../support/expect.ts'
import { addIssue, issues, startWithIssues } from './issues/setup.ts'
import { dot, signIn } from './support.ts'

const picture = [
  '--b',
  'content-disposition: form-data; name="avatar"; filename="a.png"',
  '',
  dot.toString('latin1'),
  '--b--',
  '',
].join('\r\n')

suite('a form that takes its time', () => {
  test('is of no use when the right to send it was taken, or the session ended, meanwhile', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob } = setup
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    const number = await addIssue(setup, ann)
    const beginLate = await listenForLate(app)
    const begin = (headers: Readonly<Record<string, string>>, path: string, body: string) => {
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      return beginLate({ method: 'POST', path, headers: { ...headers, ...type }, body })
    }
    const title = `${issues}/${number}/title`

    const inTime = await begin(byBob.headers, title, 'title=second')
    assert.equal((await inTime()).status, 303)
    const tooLate = await begin(byBob.headers, title, 'title=third')
    assertStatus(await app.delete(ann, '/repos/ann/one/collaborators/bob'), 204)
    assert.equal((await tooLate()).status, 403)
    const signedOut = await begin(byBob.headers, `${issues}/${number}/comments`, 'body=late')
    assertStatus(await byBob.post('/user/logout'), 303)
    await signedOut()
    const ownName = await begin(byAnn.headers, '/user/settings', 'full_name=Late')
    assertStatus(await byAnn.post('/user/logout'), 303)
    await ownName()

    const issue = await app.get(ann, `/repos/ann/one/issues/${number}`)
    assert.equal(issue.body.title, 'second')
    assert.equal(issue.body.comments, 0)
    assert.equal((await app.get(ann, '/user')).body.full_name, '')
  })

  test('makes no account when its sender administers no longer', async (t) => {
    const { app } = await startWithIssues(t)
    const root = await app.addAdmin('root')
    await app.addAdmin('eve')
    const byEve = await signIn(app, 'eve')
    const beginLate = await listenForLate(app)
    const headers = { ...byEve.headers, 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'username=late&email=late%40example.org&password=password1'

    const tooLate = await beginLate({ method: 'POST', path: '/-/admin/users/new', headers, body })
    assertStatus(await app.patch(root, '/admin/users/eve', { admin: false }), 200)

    assert.equal((await tooLate()).status, 404)
    assertStatus(await app.get(root, '/users/late'), 404)
  })

  test('brings no picture to an account that has signed out meanwhile', async (t) => {
    const { app, ann, byAnn } = await startWithIssues(t)
    const beginLate = await listenForLate(app)
    const before = (await app.get(ann, '/user')).body.avatar_url
    const begin = (headers: Readonly<Record<string, string>>) =>
      beginLate({
        method: 'POST',
        path: '/user/settings/avatar',
        headers: { ...headers, 'content-type': 'multipart/form-data; boundary=b' },
        body: picture,
      })

    const tooLate = await begin(byAnn.headers)
    assertStatus(await byAnn.post('/user/logout'), 303)
    await tooLate()
    assert.equal((await app.get(ann, '/user')).body.avatar_url, before)
    const inTime = await begin((await signIn(app, 'ann')).headers)

    assert.equal((await inTime()).status, 303)
    assert.notEqual((await app.get(ann, '/user')).body.avatar_url, before)
  })

  test('brings no files to a comment when the right to attach them was taken meanwhile', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byBob } = setup
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    const number = await addIssue(setup, ann)
    const beginLate = await listenForLate(app)
    const begin = () =>
      beginLate({
        method: 'POST',
        path: `${issues}/${number}/comments`,
        headers: { ...byBob.headers, 'content-type': 'multipart/form-data; boundary=b' },
        body: picture.replace('"avatar"', '"attachment"'),
      })

    const inTime = await begin()
    assert.equal((await inTime()).status, 303)
    const tooLate = await begin()
    assertStatus(await app.delete(ann, '/repos/ann/one/collaborators/bob'), 204)
    assertStatus(await app.put(ann, `/repos/ann/one/issues/${number}/lock`, {}), 204)
    assert.equal((await tooLate()).status, 403)

    const { body } = await app.get(ann, `/repos/ann/one/issues/${number}`)
    assert.equal(body.comments, 1)
    assert.equal((await Array.fromAsync(app.ctx.files.list('attachments'))).length, 1)
  })
})
