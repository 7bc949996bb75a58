import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { FORM, formBody, upload, type SentFile } from '../attachments/form.ts'
import { storedKeys } from '../release-attachments/setup.ts'
import type { ConfigChanges } from '../../src/config/config.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'

const FORBIDDEN =
  'This file cannot be uploaded or modified due to a forbidden file extension or type.'
/** The largest number of the contract. */
const LARGEST = '9223372036854775807'
const names = ({ body }: TestAnswer) => (body as { name: string }[]).map(({ name }) => name)

interface IssueSetup {
  readonly app: TestApp
  /** Owns the repository. */
  readonly ann: TestCaller
  /** Wrote the issue. */
  readonly bob: TestCaller
  readonly path: string
  readonly issue: string
  readonly assets: string
}

/** An empty repository of ann with an issue of bob. */
async function start(t: TestContext, changes: ConfigChanges = {}): Promise<IssueSetup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
  const path = '/repos/ann/one'
  const issue = await openIssue(app, bob, path)
  return { app, ann, bob, path, issue, assets: `${issue}/assets` }
}

async function openIssue(app: TestApp, who: TestCaller, path: string): Promise<string> {
  const made = await app.post(who, `${path}/issues`, { title: 'an issue' })
  assertStatus(made, 201)
  return `${path}/issues/${made.body.number}`
}

async function say(app: TestApp, who: TestCaller, path: string, issue: string): Promise<string> {
  const made = await app.post(who, `${issue}/comments`, { body: 'a remark' })
  assertStatus(made, 201)
  return `${path}/issues/comments/${made.body.id}`
}

async function attach(app: TestApp, who: TestCaller, path: string, file?: SentFile) {
  const made = await upload(app, who, path, file)
  assertStatus(made, 201)
  return made.body
}

suite('POST /repos/{owner}/{repo}/issues/{index}/assets', () => {
  test('answers the record, which the issue shows, and counts as an edit', async (t) => {
    const { app, ann, bob, issue, assets } = await start(t)
    const before = (await app.get(ann, issue)).body
    app.passTime(60)

    const first = await attach(app, bob, assets, { filename: 'b.txt' })
    const second = await attach(app, ann, `${assets}?name=a.txt`, { filename: 'x.png' })

    assert.deepEqual(Object.keys(first), [
      'id',
      'name',
      'size',
      'download_count',
      'created_at',
      'uuid',
      'browser_download_url',
    ])
    assert.equal(first.browser_download_url, `http://codestead.test/attachments/${first.uuid}`)
    const list = await app.get(undefined, assets)
    assert.deepEqual(list.body, [first, second])
    assert.equal(list.headers['x-total-count'], undefined)
    assert.deepEqual((await app.get(undefined, `${assets}/${second.id}`)).body, second)
    const after = (await app.get(ann, issue)).body
    assert.deepEqual(after.assets, [first, second])
    assert.equal(after.content_version, before.content_version + 2)
    assert.notEqual(after.updated_at, before.updated_at)
  })

  test('fails with 500 for what is no acceptable file, and stores nothing', async (t) => {
    const { app, bob, issue, assets } = await start(t, { attachment: { max_size: 1 } })
    const root = await app.addAdmin()
    const limit = Buffer.alloc(1_048_576)
    const send = (who: TestCaller, file: SentFile) => upload(app, who, assets, file)

    assertError(await send(bob, { filename: 'file.bad' }), 500, '')
    assertError(await send(root, { filename: 'file.bad' }), 500, FORBIDDEN)
    const large = { content: Buffer.concat([limit, Buffer.from('x')]) }
    assertError(await send(bob, large), 500, '')
    assertError(await send(root, large), 500, 'attachment exceeds limit 1048576')
    assertError(await send(bob, { field: 'file' }), 500, '')
    assertError(await send(bob, { filename: '' }), 500, '')
    assertError(await app.post(bob, assets, { attachment: 'x', name: 'a.txt' }), 500, '')
    assertError(await app.post(bob, `${assets}?name=a.txt`), 500, '')
    assertError(await app.post(bob, `${assets}?name=a.txt`, 'x', { 'content-type': 'x/y' }), 500)
    assert.equal((await app.get(bob, issue)).body.content_version, 0)
    assert.deepEqual(await storedKeys(app), [])

    assert.equal((await attach(app, bob, assets, { content: limit })).size, limit.length)
    assert.equal((await attach(app, bob, assets, { content: '' })).size, 0)
  })

  test('of several parts stores the first', async (t) => {
    const { app, bob, assets } = await start(t)
    const body = formBody([
      { name: 'attachment', filename: 'a.png', content: 'one' },
      { name: 'attachment', filename: 'b.png', content: 'three' },
    ])

    const made = await app.post(bob, assets, body, FORM)

    assert.partialDeepStrictEqual(made.body, { name: 'a.png', size: 3 })
    assert.equal((await storedKeys(app)).length, 1)
  })

  test('takes 200 files, eight at a time', async (t) => {
    const { app, bob, issue, assets } = await start(t)
    const content = Buffer.alloc(65_536, 'x')
    const statuses: number[] = []
    const work = async () => {
      while (statuses.length < 200) {
        const slot = statuses.push(0) - 1
        statuses[slot] = (await upload(app, bob, assets, { content })).status
      }
    }

    await Promise.all(Array.from({ length: 8 }, work))

    assert.deepEqual(
      statuses.filter((status) => status !== 201),
      [],
    )
    assert.equal((await storedKeys(app)).length, 200)
    const { body } = await app.get(bob, issue)
    assert.equal(body.assets.length, 200)
    assert.equal(body.content_version, 200)
    assert.ok(body.assets.every(({ size }: { size: number }) => size === content.length))
  })
})

suite('who may do what with the attachments of an issue', () => {
  test('its author, those who write issues, and administrators change them', async (t) => {
    const { app, ann, bob, path, assets } = await start(t)
    const carol = await app.addCaller('carol')
    const dave = await app.addCaller('dave')
    const root = await app.addAdmin()
    await app.put(ann, `${path}/collaborators/carol`, { permission: 'write' })

    for (const who of [ann, bob, carol, root]) {
      const { id } = await attach(app, who, assets)
      assertStatus(await app.patch(who, `${assets}/${id}`, { name: 'renamed' }), 201)
      assertStatus(await app.delete(who, `${assets}/${id}`), 204)
    }
    const { id } = await attach(app, bob, assets)
    const refusal = 'user should have permission to write issue'
    for (const attachment of [id, 999]) {
      const one = `${assets}/${attachment}`
      assertError(await app.patch(dave, one, { name: 'x' }), 403, refusal)
      assertError(await app.delete(dave, one), 403, refusal)
      assertError(await app.patch(undefined, one, { name: 'x' }), 401, 'token is required')
      assertError(await app.delete(undefined, one), 401)
    }
    assertError(await app.post(dave, assets, 'no form', FORM), 403, refusal)
    assertError(await app.post(undefined, assets, 'no form', FORM), 401)
    assertStatus(await app.patch(ann, path, { private: true }), 200)
    assertError(await upload(app, undefined, assets), 404, 'not found')
    assertError(await upload(app, bob, assets), 404, 'not found')
  })

  test('nobody who is blocked by the owner or the author adds any', async (t) => {
    const { app, ann, bob, path, issue, assets } = await start(t)
    const carol = await app.addCaller('carol')
    await app.put(ann, `${path}/collaborators/carol`, { permission: 'write' })
    const remark = await say(app, carol, path, issue)

    assertStatus(await app.put(bob, '/user/blocks/carol'), 204)

    assertError(await upload(app, carol, assets), 403, 'user is blocked')
    assertError(await upload(app, carol, `${remark}/assets`), 403, 'user is blocked')
    assertStatus(await upload(app, ann, assets), 201)
    assert.equal((await storedKeys(app)).length, 1)
    await app.put(ann, `${path}/collaborators/carol`, { permission: 'admin' })
    assertStatus(await upload(app, carol, assets), 201)
  })

  test('in an archived repository they are read and not changed', async (t) => {
    const { app, ann, bob, path, issue, assets } = await start(t)
    const { id } = await attach(app, bob, assets)
    assertStatus(await app.patch(ann, path, { archived: true }), 200)

    assertStatus(await app.get(undefined, assets), 200)
    assertStatus(await app.get(undefined, `${assets}/${id}`), 200)
    for (const one of [assets, issue.replace(/\d+$/, '999/assets')]) {
      assertError(await upload(app, bob, one), 423, 'repo is archived')
      assertError(await app.patch(bob, `${one}/1`, '{', {}), 423)
      assertError(await app.delete(bob, `${one}/1`), 423)
      assertError(await upload(app, undefined, one), 401)
    }
  })

  test('without the unit, or with attachments switched off, they do not exist', async (t) => {
    const { app, ann, path, assets } = await start(t)
    const off = await start(t, { attachment: { enabled: false } })

    assertStatus(await app.patch(ann, path, { has_issues: false, has_pull_requests: false }), 200)

    for (const method of ['GET', 'POST']) {
      assertError(await app.send(undefined, method, assets), 404, 'not found')
      assertError(await off.app.send(off.ann, method, off.assets), 404, 'not found')
    }
    assertError(await off.app.get(off.ann, `${off.assets}/1`), 404, 'not found')
    assertError(await off.app.patch(off.ann, `${off.assets}/1`, {}), 404, 'not found')
    const ofComment = `${await say(off.app, off.ann, off.path, off.issue)}/assets`
    assertError(await off.app.get(off.ann, ofComment), 404, 'not found')
  })

  test('with the other unit alone those of issues are read, those of comments are not', async (t) => {
    const { app, ann, path, issue, assets } = await start(t)
    const remark = `${await say(app, ann, path, issue)}/assets`
    const { id } = await attach(app, ann, remark)
    assertStatus(await app.post(ann, `${path}/contents/a.txt`, { content: '' }), 201)

    assertStatus(await app.patch(ann, path, { has_issues: false }), 200)

    for (const one of [assets, `${assets}/${id}`]) assertStatus(await app.get(undefined, one), 200)
    for (const one of [remark, `${remark}/${id}`])
      assertError(await app.get(ann, one), 404, 'not found')
    assertError(await upload(app, ann, remark), 404, 'not found')
  })
})

suite('an attachment of an issue', () => {
  test('is renamed to anything, which changes nothing else', async (t) => {
    const { app, bob, issue, assets } = await start(t)
    const made = await attach(app, bob, assets)
    const before = (await app.get(bob, issue)).body
    const one = `${assets}/${made.id}`
    app.passTime(60)

    const renamed = await app.patch(bob, one, { name: 'file.bad' })
    const form = await app.patch(bob, `${one}?name=query`, 'name=second+name.txt', {
      'content-type': 'application/x-www-form-urlencoded',
    })

    assertStatus(renamed, 201)
    assert.deepEqual(renamed.body, { ...made, name: 'file.bad' })
    assert.equal(form.body.name, 'second name.txt')
    assert.equal((await app.patch(bob, one, {})).body.name, 'second name.txt')
    assertError(await app.patch(bob, one, { name: 5 }), 422, /^\[\]: /)
    const json = { 'content-type': 'application/json' }
    assertError(await app.patch(bob, `${assets}/999`, '{', json), 422)
    const after = (await app.get(bob, issue)).body
    assert.equal(after.updated_at, before.updated_at)
    assert.equal(after.content_version, before.content_version)
  })

  test('is found under its own issue only, and each absence has its words', async (t) => {
    const { app, ann, bob, path, assets } = await start(t)
    const other = await openIssue(app, ann, path)
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    const release = await app.post(ann, '/repos/ann/two/releases', { tag_name: 'v1' })
    const foreign = await attach(app, ann, `/repos/ann/two/releases/${release.body.id}/assets`)
    const { id } = await attach(app, bob, assets)
    const repo = (await app.get(ann, path)).body.id
    const beyond = '9'.repeat(25)
    const cases: [string, string][] = [
      [`${other}/assets/${id}`, 'no such attachment in issue'],
      [`${assets}/${foreign.id}`, 'no such attachment in repo'],
      [`${assets}/999`, 'attachment does not exist [id: 999, uuid: ]'],
      [`${assets}/abc`, 'attachment does not exist [id: 0, uuid: ]'],
      [`${assets}/${beyond}`, `attachment does not exist [id: ${LARGEST}, uuid: ]`],
      [`${assets}/-${beyond}`, 'attachment does not exist [id: -9223372036854775808, uuid: ]'],
      [
        `${path}/issues/${beyond}/assets/1`,
        `issue does not exist [id: 0, repo_id: ${repo}, index: ${LARGEST}]`,
      ],
      [`${path}/issues/999/assets/1`, `issue does not exist [id: 0, repo_id: ${repo}, index: 999]`],
      [`${path}/issues/abc/assets/1`, 'issue does not exist [id: 0, repo_id: 0, index: 0]'],
      [`${path}/issues/-1/assets/1`, 'issue does not exist [id: 0, repo_id: 0, index: 0]'],
    ]

    for (const [one, message] of cases) {
      assertError(await app.get(ann, one), 404, message)
      assertError(await app.patch(ann, one, { name: 'x' }), 404, message)
      assertError(await app.delete(ann, one), 404, message)
    }
    assertError(await app.get(ann, `${path}/issues/999/assets`), 404, /index: 999/)
    assertError(await upload(app, ann, `${path}/issues/999/assets`), 404, /index: 999/)
  })

  test('goes with its file when it, its comment, its issue or its repository is deleted', async (t) => {
    const { app, ann, bob, path, issue, assets } = await start(t)
    const { id } = await attach(app, bob, assets)
    const remark = await say(app, ann, path, issue)
    await attach(app, ann, `${remark}/assets`)
    const [second, third] = [await openIssue(app, ann, path), await openIssue(app, ann, path)]
    await attach(app, ann, `${second}/assets`)
    await attach(app, ann, `${await say(app, ann, path, second)}/assets`)
    await attach(app, ann, `${third}/assets`)
    const left: number[] = []
    const remove = async (one: string) => {
      assertStatus(await app.delete(ann, one), 204)
      left.push((await storedKeys(app)).length)
    }

    await remove(`${assets}/${id}`)
    await remove(remark)
    await remove(second)
    await remove(path)

    assert.deepEqual(left, [4, 3, 1, 0])
  })

  test('shows its hash to those who ask', async (t) => {
    const { app, bob, assets } = await start(t)
    await attach(app, bob, assets)

    const { body } = await app.get(bob, `${assets}?digest=true`)

    assert.match(body[0].digest, /^sha256:[0-9a-f]{64}$/)
  })
})

suite('/repos/{owner}/{repo}/issues/comments/{id}/assets', () => {
  test('takes, lists, renames and deletes the attachments of a comment', async (t) => {
    const { app, ann, path, issue, assets } = await start(t)
    const remark = await say(app, ann, path, issue)
    const silent = await say(app, ann, path, issue)
    const version = (await app.get(ann, issue)).body.content_version
    app.passTime(60)

    const made = await attach(app, ann, `${remark}/assets`)
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
    const { app, ann, path, issue } = await start(t, { attachment: { max_size: 1 } })
    const assets = `${await say(app, ann, path, issue)}/assets`
    const large = { content: Buffer.alloc(1_048_577) }

    assertError(await upload(app, ann, assets, { filename: 'x.bad' }), 422, FORBIDDEN)
    assertError(await upload(app, ann, assets, large), 413, 'attachment exceeds limit 1048576')
    assertError(await upload(app, ann, assets, { field: 'file' }), 500, '')
    const { id } = await attach(app, ann, assets)
    assertError(await app.patch(ann, `${assets}/${id}`, { name: 'x.bad' }), 422, FORBIDDEN)
    assert.equal((await storedKeys(app)).length, 1)
    assertStatus(await app.patch(ann, path, { archived: true }), 200)
    assertError(await upload(app, ann, assets), 423, 'repo is archived')
  })

  test('does not exist for comments of elsewhere', async (t) => {
    const { app, ann, path, issue, assets } = await start(t)
    await app.post(ann, '/user/repos', { name: 'two' })
    const two = '/repos/ann/two'
    const elsewhere = await say(app, ann, two, await openIssue(app, ann, two))
    const remark = await say(app, ann, path, issue)
    const { id } = await attach(app, ann, assets)

    for (const [one, message] of [
      [elsewhere.replace('two', 'one'), 'no matching issue comment found'],
      [`${path}/issues/comments/9999`, 'comment does not exist [id: 9999, issue_id: 0]'],
      [`${path}/issues/comments/abc`, 'comment does not exist [id: 0, issue_id: 0]'],
    ] as const) {
      assertError(await app.get(ann, `${one}/assets`), 404, message)
      assertError(await upload(app, ann, `${one}/assets`), 404, message)
      assertError(await app.patch(ann, `${one}/assets/1`, {}), 404, message)
    }
    assertError(await app.get(ann, `${remark}/assets/${id}`), 404, 'no such attachment in comment')
  })
})
