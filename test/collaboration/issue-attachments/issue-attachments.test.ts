import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { suite, test } from 'node:test'
import { keyOf } from '../../../src/platform/files/key.ts'
import { FORM, formBody, upload, type SentFile } from '../../repositories/attachments/form.ts'
import { storedKeys } from '../../delivery/release-attachments/setup.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { attach, FORBIDDEN, openIssue, say, start } from './setup.ts'

/** The largest number of the contract. */
const LARGEST = '9223372036854775807'

suite('POST /repos/{owner}/{repo}/issues/{index}/assets', () => {
  test('answers the record, which the issue shows, and counts as an edit', async (t) => {
    const { app, ann, bob, issue, assets } = await start(t)
    const before = (await app.get(ann, issue)).body
    app.passTime(60)

    const first = await attach(app, bob, assets, { filename: 'b.txt' })
    const query = 'name=a.txt&updated_at=2001-01-01T00:00:00Z'
    const second = await attach(app, ann, `${assets}?${query}`, { filename: 'x.png' })

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
    assert.match(
      first.uuid,
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    assert.ok(Math.abs(Date.parse(second.created_at) / 1000 - app.ctx.now()) < 30)
    const list = await app.get(undefined, assets)
    assert.deepEqual(list.body, [first, second])
    assert.equal(list.headers['x-total-count'], undefined)
    assert.deepEqual((await app.get(undefined, `${assets}/${second.id}`)).body, second)
    const after = (await app.get(ann, issue)).body
    assert.deepEqual(after.assets, [first, second])
    assert.equal(after.content_version, before.content_version + 2)
    assert.ok(after.updated_at > before.updated_at)
  })

  test('fails with 500 for what is no acceptable file, and stores nothing', async (t) => {
    const { app, bob, issue, assets } = await start(t, { attachment: { max_size: '1MiB' } })
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
    const long = await attach(app, bob, assets, { filename: `${'x'.repeat(300)}.txt` })
    assert.equal(long.name, `${'x'.repeat(251)}.txt`)
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

  test('takes the name from the query as it is, else from the part without its folders', async (t) => {
    const { app, bob, assets } = await start(t)
    const cases: [string, string, string][] = [
      ['?name=', 'C:/x/a.png', 'a.png'],
      ['', 'x\\\\a.png', 'x\\a.png'],
      ['', 'folder/a.png/', 'a.png'],
      ['?name=x/y%20z.txt', 'a.png', 'x/y z.txt'],
      ['?name=b.txt&name=c.txt&NAME=d.txt', 'a.png', 'b.txt'],
      ['?Name=b.txt', 'Photo.PNG', 'Photo.PNG'],
    ]

    for (const [query, filename, name] of cases)
      assert.equal((await attach(app, bob, assets + query, { filename })).name, name)
    const field = formBody([
      { name: 'name', content: 'field.txt' },
      { name: 'attachment', content: 'no file' },
      { name: 'attachment', filename: 'p.txt', content: 'file' },
    ])
    const made = await app.post(bob, assets, field, FORM)
    assert.partialDeepStrictEqual(made.body, { name: 'p.txt', size: 4 })
    assertError(await upload(app, bob, assets, { filename: 'folder.txt/x' }), 500)
    assertError(await upload(app, bob, `${assets}?name=x`, { filename: 'a.txt' }), 500)
  })

  test('takes 200 files, eight at a time', async (t) => {
    const { app, bob, issue, assets } = await start(t)
    const contentOf = (slot: number) => Buffer.alloc(65_536, `${slot}.`)
    const statuses: number[] = []
    const work = async () => {
      while (statuses.length < 200) {
        const slot = statuses.push(0) - 1
        const file = { filename: `${slot}.txt`, content: contentOf(slot) }
        statuses[slot] = (await upload(app, bob, assets, file)).status
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
    for (const { name, uuid } of body.assets as { name: string; uuid: string }[]) {
      const stored = await (await app.ctx.files.open(keyOf(uuid))).toArray()
      assert.ok(contentOf(Number.parseInt(name, 10)).equals(Buffer.concat(stored)), name)
    }
  })
})

suite('the version of an issue', () => {
  test('counts attachments and edits of the text, also at the same time', async (t) => {
    const { app, ann, bob, issue, assets } = await start(t)
    const pair = async (turn: number) => [
      await app.patch(ann, issue, { body: `${turn}`, assignees: ['ann', 'bob'].slice(turn % 2) }),
      await upload(app, bob, assets),
    ]

    const answers = await Promise.all(Array.from({ length: 20 }, (_, turn) => pair(turn)))

    assert.ok(answers.flat().every(({ status }) => status === 201))
    assert.equal((await app.get(ann, issue)).body.content_version, 40)
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
    for (const edit of [{}, { name: '' }, { name: null }]) {
      const kept = await app.patch(bob, one, edit)
      assert.deepEqual([kept.status, kept.body.name], [201, 'second name.txt'])
    }
    const parts = formBody([{ name: 'name', content: ' a/b ' }])
    assert.equal((await app.patch(bob, `${one}?name=query`, parts, FORM)).body.name, ' a/b ')
    assert.equal((await app.patch(bob, `${one}?name=query`)).body.name, 'query')
    for (const body of [{ name: 5 }, []])
      assertError(await app.patch(bob, one, body), 422, /^\[\]: /)
    const after = (await app.get(bob, issue)).body
    assert.equal(after.updated_at, before.updated_at)
    assert.equal(after.content_version, before.content_version)
    assertStatus(await app.delete(bob, one), 204)
    const { assets: left, ...rest } = (await app.get(bob, issue)).body
    assert.deepEqual(left, [])
    assert.deepEqual({ ...rest, assets: before.assets }, before)
  })

  test('is found under its own issue only, and each absence has its words', async (t) => {
    const { app, ann, bob, path, assets } = await start(t)
    const other = await openIssue(app, ann, path)
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    const release = await app.post(ann, '/repos/ann/two/releases', { tag_name: 'v1' })
    const foreign = await attach(app, ann, `/repos/ann/two/releases/${release.body.id}/assets`)
    const { id } = await attach(app, bob, assets)
    assert.notEqual(id, foreign.id)
    const loose = await attach(app, ann, assets)
    await app.ctx.db
      .updateTable('attachment')
      .set({ issue_id: null })
      .where('id', '=', loose.id)
      .execute()
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
      [`${path}/issues/0/assets/1`, 'issue does not exist [id: 0, repo_id: 0, index: 0]'],
      [`${assets}/${loose.id}`, 'no such attachment in issue'],
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
    const said = await attach(app, ann, `${remark}/assets`)
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
    assertError(await app.get(ann, `${assets}/${said.id}`), 404, /^attachment does not exist/)
    await remove(second)
    await remove(path)

    assert.deepEqual(left, [4, 3, 1, 0])
    assertStatus(await app.get(ann, `^/attachments/${said.uuid}`), 404)
  })

  test('shows its hash to those who ask, and is taken with the right one only', async (t) => {
    const { app, ann, path, issue, assets } = await start(t)
    const remark = await say(app, ann, path, issue)
    const sha256 = hash('sha256', 'hello')
    const other = hash('sha256', 'other')
    const digest = { 'repr-digest': `sha-256=:${Buffer.from(other, 'hex').toString('base64')}:` }
    const form = formBody([{ name: 'attachment', filename: 'a.txt' }])

    for (const place of [assets, `${remark}/assets`]) {
      assertError(await upload(app, ann, `${place}?sha256=${other}`), 422, 'digest mismatch')
      assertError(await app.post(ann, place, form, { ...FORM, ...digest }), 422, 'digest mismatch')
      const made = await attach(app, ann, `${place}?sha256=${sha256}&digest=true`)
      const one = `${place}/${made.id}?digest=true`
      assert.deepEqual((await app.get(ann, `${place}?digest=true`)).body, [made])
      assert.deepEqual((await app.get(ann, one)).body, made)
      assert.deepEqual((await app.patch(ann, one, { name: '' })).body, made)
      assert.equal(made.digest, `sha256:${sha256}`)
    }
    const lists = [`${path}/issues`, `${issue}/comments`, `${path}/issues/comments`]
    for (const record of [issue, remark, ...lists]) {
      const asked = [(await app.get(ann, `${record}?digest=true`)).body].flat()
      assert.equal(asked[0].assets[0].digest, `sha256:${sha256}`, record)
      const plain = [(await app.get(ann, record)).body].flat()
      assert.equal(plain[0].assets[0].digest, undefined, record)
    }
    assert.equal((await storedKeys(app)).length, 2)
  })
})

suite('attachments of an issue or a pull request', () => {
  test('are for those who read that kind', async (t) => {
    const { app, ann, bob, path, issue, assets } = await start(t)
    // Of an empty repository nobody reads pull requests.
    assertStatus(await app.post(ann, `${path}/contents/a.txt`, { content: 'YQ==' }), 201)
    const { id } = await attach(app, bob, assets, { filename: 'b.txt' })
    assertStatus(await app.get(undefined, assets), 200)

    assertStatus(await app.patch(ann, path, { has_issues: false }), 200)

    for (const address of [assets, `${assets}/${id}`]) {
      const hidden = await app.get(undefined, address)
      const absent = await app.get(undefined, address.replace('/issues/1/', '/issues/9/'))
      assertStatus(hidden, 404)
      assert.equal(hidden.text.replace('index: 1]', 'index: 9]'), absent.text)
    }
    assertStatus(await app.get(undefined, issue), 404)
    assertStatus(await app.patch(ann, path, { has_issues: true }), 200)
    assertStatus(await app.get(undefined, assets), 200)
  })
})
