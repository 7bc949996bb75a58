import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { FORM, upload } from '../../repositories/attachments/form.ts'
import { storedKeys } from '../../delivery/release-attachments/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { attach, FORBIDDEN, openIssue, say, start } from './setup.ts'

const names = ({ body }: Pick<TestAnswer, 'body'>) =>
  (body as { name: string }[]).map(({ name }) => name)

suite('/repos/{owner}/{repo}/issues/comments/{id}/assets', () => {
  test('takes nothing while the comment or its issue is being deleted', async (t) => {
    const { app, ann, path, issue } = await start(t)
    const remark = await say(app, ann, path, issue)
    await attach(app, ann, `${remark}/assets`)
    await attach(app, ann, `${issue}/assets`)
    const enqueue = app.ctx.jobs.enqueue.bind(app.ctx.jobs)
    const deleteDuring = async (deleted: string) => {
      let late: Promise<TestAnswer> | undefined
      // The files that there were have just been dropped.
      const mock = t.mock.method(
        app.ctx.jobs,
        'enqueue',
        async (...job: Parameters<typeof enqueue>) => {
          if (job[1] === 'remove_files') {
            mock.mock.restore()
            late = upload(app, ann, `${deleted}/assets`)
            await Promise.race([late, delay(100)])
          }
          return enqueue(...job)
        },
      )
      assertStatus(await app.delete(ann, deleted), 204)
      return late
    }

    const toComment = await deleteDuring(remark)
    const toIssue = await deleteDuring(issue)

    assert.deepEqual([toComment?.status, toIssue?.status], [404, 404])
    assert.deepEqual(await storedKeys(app), [])
  })

  test('takes, lists, renames and deletes the attachments of a comment', async (t) => {
    const { app, ann, path, issue, assets } = await start(t)
    const remark = await say(app, ann, path, issue)
    const silent = await say(app, ann, path, issue)
    const version = (await app.get(ann, issue)).body.content_version
    app.passTime(60)

    const made = await attach(app, ann, `${remark}/assets?name=c.txt`)
    const one = `${remark}/assets/${made.id}`

    assert.deepEqual((await app.get(undefined, `${remark}/assets`)).body, [made])
    assert.deepEqual((await app.get(undefined, one)).body, made)
    assert.deepEqual((await app.get(undefined, `${silent}/assets`)).body, [])
    assert.deepEqual((await app.get(undefined, assets)).body, [])
    assert.deepEqual((await app.get(undefined, `${assets}/${made.id}`)).body, made)
    const comment = (await app.get(ann, remark)).body
    assert.deepEqual(comment.assets, [made])
    assert.notEqual(comment.updated_at, comment.created_at)
    assert.equal((await app.get(ann, issue)).body.content_version, version)
    assert.deepEqual((await app.patch(ann, one, { name: 'b.txt' })).body, {
      ...made,
      name: 'b.txt',
    })
    const later = await attach(app, ann, `${remark}/assets`, { filename: 'a.txt' })
    assert.deepEqual(names(await app.get(undefined, `${remark}/assets`)), ['b.txt', 'a.txt'])
    for (const list of [`${issue}/comments`, `${path}/issues/comments`])
      assert.deepEqual(names({ body: (await app.get(ann, list)).body[0].assets }), [
        'b.txt',
        'a.txt',
      ])
    assertStatus(await app.delete(ann, `${remark}/assets/${later.id}`), 204)
    assertStatus(await app.delete(ann, one), 204)
    assertError(await app.delete(ann, one), 404, /^attachment does not exist/)
    assert.deepEqual(await storedKeys(app), [])
  })

  test('is for authors and administrators who write issues', async (t) => {
    const { app, ann, bob, path, issue } = await start(t)
    const carol = await app.addCaller('carol')
    const root = await app.addAdmin()
    await app.put(ann, `${path}/collaborators/carol`, { permission: 'write' })
    const bobs = `${await say(app, bob, path, issue)}/assets`
    const carols = `${await say(app, carol, path, issue)}/assets`
    const refusal = 'user should have permission to edit comment'

    assertError(await upload(app, bob, bobs), 403, refusal)
    assertError(await upload(app, carol, bobs), 403, refusal)
    assertError(await app.post(undefined, carols, 'no form', FORM), 401)
    await attach(app, carol, carols)
    for (const who of [ann, root]) {
      const { id } = await attach(app, who, bobs)
      assertError(await app.patch(bob, `${bobs}/${id}`, { name: 'x.txt' }), 403, refusal)
      assertError(await app.delete(bob, `${bobs}/999`), 403, refusal)
    }
    assert.equal(names(await app.get(bob, bobs)).length, 2)
  })

  test('tells what is wrong with a file', async (t) => {
    const { app, ann, path, issue } = await start(t, { attachment: { max_size: '1MiB' } })
    const assets = `${await say(app, ann, path, issue)}/assets`
    const large = { content: Buffer.alloc(1_048_577) }

    assertError(await upload(app, ann, assets, { filename: 'x.bad' }), 422, FORBIDDEN)
    assertError(await upload(app, ann, assets, large), 413, 'attachment exceeds limit 1048576')
    assertError(await upload(app, ann, assets, { field: 'file' }), 500, '')
    const { id } = await attach(app, ann, assets)
    assertError(await app.patch(ann, `${assets}/${id}`, { name: 'x.bad' }), 422, FORBIDDEN)
    // By way of the issue it takes any name, with which it is looked at here.
    assertStatus(await app.patch(ann, `${issue}/assets/${id}`, { name: 'x.bad' }), 201)
    assertError(await app.patch(ann, `${assets}/${id}`, {}), 422, FORBIDDEN)
    assert.equal((await storedKeys(app)).length, 1)
    assertStatus(await app.patch(ann, path, { archived: true }), 200)
    assertError(await upload(app, ann, assets), 423, 'repo is archived')
    for (const method of ['PATCH', 'DELETE']) {
      assertError(await app.send(ann, method, `${assets}/${id}`), 423, 'repo is archived')
      assertError(await app.send(undefined, method, `${assets}/${id}`), 401, 'token is required')
    }
    assertStatus(await app.get(undefined, `${assets}/${id}`), 200)
  })

  test('does not exist for comments of elsewhere', async (t) => {
    const { app, ann, path, issue, assets } = await start(t)
    await app.post(ann, '/user/repos', { name: 'two' })
    const two = '/repos/ann/two'
    const elsewhere = await say(app, ann, two, await openIssue(app, ann, two))
    const remark = await say(app, ann, path, issue)
    const { id } = await attach(app, ann, assets)
    // Events have ids of the same kind, and no attachments.
    await app.patch(ann, issue, { title: 'renamed' })
    const event = (await app.get(ann, `${issue}/timeline`)).body.at(-1).id as number

    for (const [one, message] of [
      [`${path}/issues/comments/${event}`, `comment does not exist [id: ${event}, issue_id: 0]`],
      [elsewhere.replace('two', 'one'), 'no matching issue comment found'],
      [`${path}/issues/comments/9999`, 'comment does not exist [id: 9999, issue_id: 0]'],
      [`${path}/issues/comments/abc`, 'comment does not exist [id: 0, issue_id: 0]'],
    ] as const) {
      assertError(await app.get(ann, `${one}/assets`), 404, message)
      assertError(await upload(app, ann, `${one}/assets`), 404, message)
      assertError(await app.patch(ann, `${one}/assets/1`, {}), 404, message)
      assertError(await app.delete(ann, `${one}/assets/1`), 404, message)
    }
    const foreign = await attach(app, ann, `${elsewhere}/assets`)
    for (const [attachment, message] of [
      [id, 'no such attachment in comment'],
      [foreign.id, 'no such attachment in repo'],
      [9999, 'attachment does not exist [id: 9999, uuid: ]'],
    ] as const) {
      const one = `${remark}/assets/${attachment}`
      assertError(await app.get(ann, one), 404, message)
      assertError(await app.patch(ann, one, { name: 'x.txt' }), 404, message)
      assertError(await app.delete(ann, one), 404, message)
    }
    const json = { 'content-type': 'application/json' }
    assertError(await app.patch(ann, `${path}/issues/comments/9999/assets/1`, '{', json), 422)
  })
})
