import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { keyOf } from '../../../src/platform/files/key.ts'
import { filesFolder } from '../../../src/platform/storage/open-storage.ts'
import type { TestAnswer, TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addressesOf, assertText, start } from './setup.ts'

suite('downloads are counted', () => {
  test('whenever the file may be had, and not otherwise', async (t) => {
    const { app, ann, bob, path, releases, assets, assetsOfIssue, add } = await start(t)
    const file = await add(assets)
    const count = async () => (await app.get(ann, assets)).body[0].download_count as number
    const { headers } = await app.get(undefined, file)

    await app.head(undefined, file)
    await app.get(undefined, file, { range: 'bytes=0-1' })
    await app.get(undefined, file, { range: 'bytes=99-' })
    await app.get(undefined, file, { 'if-none-match': headers['etag'] ?? '' })
    await Promise.all(Array.from({ length: 16 }, () => app.get(ann, file)))
    for (const address of addressesOf(file)) await app.get(ann, address)
    assert.equal(await count(), 25)
    await app.get(ann, `${assets}/${(await app.get(ann, assets)).body[0].id}`)
    assert.equal((await app.get(bob, releases)).body[0].assets[0].download_count, 25)
    const attached = await add(assetsOfIssue)
    await app.get(undefined, attached)
    const [issue] = (await app.get(bob, `${path}/issues`)).body
    assert.equal(issue.assets[0].download_count, 1)
    await app.get(undefined, attached)
    const one = await app.get(bob, `${path}/issues/${issue.number}`)
    assert.equal(one.body.assets[0].download_count, 2)
    await app.get(undefined, attached)
    assert.equal((await app.get(bob, assetsOfIssue)).body[0].download_count, 3)
    const said = await app.post(ann, `${path}/issues/${issue.number}/comments`, { body: 'x' })
    const comment = `${path}/issues/comments/${said.body.id}`
    const beside = await add(`${comment}/assets`)
    await app.get(undefined, beside)
    assert.equal((await app.get(bob, `${comment}/assets`)).body[0].download_count, 1)
    await app.get(undefined, beside)
    assert.equal((await app.get(bob, comment)).body.assets[0].download_count, 2)

    await app.patch(ann, path, { private: true })
    await app.get(bob, file)
    await app.get(undefined, file, { authorization: 'token x' })
    assert.equal(await count(), 25)
  })

  test('also when the server stops right after', async (t) => {
    const { app, assets, add } = await start(t)
    const file = await add(assets)
    await app.get(undefined, file)

    await app.ctx.downloadCounts.flush()

    const { download_count } = await app.ctx.db
      .selectFrom('attachment')
      .select('download_count')
      .executeTakeFirstOrThrow()
    assert.equal(download_count, 1)
  })
})

suite('a file that is missing in the storage', () => {
  test('is an error of ours', async (t) => {
    const { app, ann, assets, add } = await start(t)
    const file = await add(assets)
    removeBytes(app, file.slice('^/attachments/'.length))

    for (const answer of [await app.get(undefined, file), await app.head(undefined, file)]) {
      assertStatus(answer, 500)
      assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
    }
    const [{ id }] = (await app.get(ann, assets)).body
    assertStatus(await app.delete(ann, `${assets}/${id}`), 204)
    await app.ctx.jobs.runDue()
    assertText(await app.get(undefined, file), 404, 'Not Found')
  })
})

suite('a file that is replaced or deleted while somebody downloads it', () => {
  test('is the new one, or there no more, and no error', async (t) => {
    const { app, ann, assets, add } = await start(t)
    const file = await add(assets)
    const byName = '^/ann/one/releases/download/v1/file.txt'
    const [{ id }] = (await app.get(ann, assets)).body
    const { files, jobs } = app.ctx
    const open = files.open.bind(files)
    /** Once the file has been looked up, and before it is opened. */
    const meanwhile = (work: () => Promise<TestAnswer>) => {
      const mocked = t.mock.method(files, 'open', async (key: string) => {
        mocked.mock.restore()
        assertStatus(await work(), 204)
        await jobs.runDue()
        return open(key)
      })
    }

    meanwhile(async () => {
      const put = await app.put(ann, `${assets}?name=file.txt`, 'the new one')
      return { ...put, status: put.status === 200 ? 204 : put.status }
    })
    const replaced = await app.get(undefined, byName)
    const [{ id: newId, uuid }] = (await app.get(ann, assets)).body
    meanwhile(() => app.delete(ann, `${assets}/${newId}`))
    const deleted = await app.get(undefined, `^/attachments/${uuid}`)

    assert.notEqual(newId, id)
    assert.deepEqual([replaced.status, replaced.text], [200, 'the new one'])
    assertText(deleted, 404, 'Not Found')
    assertText(await app.get(undefined, file), 404, 'Not Found')
  })
})

function removeBytes({ ctx }: TestApp, uuid: string): void {
  rmSync(join(filesFolder(ctx.config), keyOf(uuid)))
}
