import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { upload } from '../../repositories/attachments/form.ts'
import { startWithRelease, storedKeys } from '../release-attachments/setup.ts'
import type { TestApp, TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'
import { start } from './setup.ts'

const feeds = ['/repos/ann/one/activities/feeds', '/users/ann/activities/feeds']
const documents = ['/ann/one.rss', '/ann/one.atom', '/ann.rss', '/ann.atom']
const news = ['releases.rss', 'releases.atom'].map((name) => `/ann/one/${name}`)

/** Where a title is told. */
async function placesOf(app: TestApp, who: TestCaller, title: string): Promise<readonly string[]> {
  const places = [...feeds, ...[...documents, ...news].map((path) => `^${path}`)]
  const texts = await Promise.all(
    places.map(async (place) => {
      const answer = await app.get(who, place)
      assertStatus(answer, 200)
      return answer.text
    }),
  )
  return places.filter((_, at) => texts[at]?.includes(title))
}

async function partKeys({ ctx }: TestApp): Promise<number> {
  await ctx.jobs.runDue()
  return (await Array.fromAsync(ctx.files.list('uploads'))).length
}

suite('a release that is a draft again', () => {
  test('is in no feed until it is published once more', async (t) => {
    const { app, ann, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1', name: 'Fanfare' })
    const edit = (change: object) => app.patch(ann, `${releases}/${body.id}`, change)
    const places = () => placesOf(app, ann, 'Fanfare')
    const all = await places()
    const count = async () => (await app.get(ann, feeds[0] ?? '')).headers['x-total-count']
    const counted = await count()

    assert.equal(all.length, feeds.length + documents.length + news.length)
    assertStatus(await edit({ draft: true }), 200)
    assert.deepEqual(await places(), [])
    assert.equal(Number(await count()), Number(counted) - 1)
    assertStatus(await edit({ draft: false }), 200)
    assert.deepEqual(await places(), all)
    assertStatus(await edit({ tag_name: 'v2' }), 200)
    assert.deepEqual(await places(), all)
    assertStatus(await edit({ draft: true }), 200)
    assert.deepEqual(await places(), [])
  })

  test('is in none when its tag was deleted', async (t) => {
    const { app, ann, path, make } = await start(t)
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const publish = () => make({ tag_name: 'v1', name: 'Fanfare' })

    assertStatus(await doMeanwhile(t, app, publish, () => app.delete(ann, `${path}/tags/v1`)), 201)

    assert.deepEqual(await placesOf(app, ann, 'Fanfare'), [])
  })
})

suite('a release that is deleted', () => {
  test('takes no files, however they are sent', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    const begun = await app.post(ann, `${release}/uploads?name=x`, 'abc')
    const begunAt = begun.body.url.slice('http://codestead.test/api/v1'.length)
    assertStatus(await app.delete(ann, release), 204)

    assertError(await upload(app, ann, assets), 404, 'not found')
    assertError(await app.put(ann, `${assets}?name=x`, 'abc'), 404, 'not found')
    assertError(await app.post(ann, `${release}/uploads?name=y`, 'abc'), 404, 'not found')
    const last = { 'upload-offset': '3', 'upload-complete': '?1' }
    assertError(await app.patch(ann, begunAt, 'd', last), 404, 'not found')

    assert.deepEqual(await storedKeys(app), [])
    assert.equal(await partKeys(app), 0)
  })

  test('takes none that are on their way, and keeps nothing of them', async (t) => {
    const { app, ann, releases } = await startWithRelease(t)
    const ways: readonly ((release: string) => Promise<unknown>)[] = [
      (release) => upload(app, ann, `${release}/assets`),
      (release) => app.put(ann, `${release}/assets?name=x`, 'abc'),
      (release) => app.post(ann, `${release}/uploads?name=x`, 'abc'),
      (release) => app.post(ann, `${release}/uploads?name=x`, 'abc', { 'upload-complete': '?1' }),
    ]
    for (const [at, send] of ways.entries()) {
      const made = await app.post(ann, releases, { tag_name: `r${at}` })
      const release = `${releases}/${made.body.id}`
      const remove = async () => assertStatus(await app.delete(ann, release), 204)

      const { status } = (await doMeanwhile(t, app, () => send(release), remove)) as {
        status: number
      }

      assert.deepEqual([at, status], [at, 404])
      assert.deepEqual(await storedKeys(app), [])
      assert.equal(await partKeys(app), 0)
    }
  })

  test('takes none that is complete at the last moment', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t)
    const begun = await app.post(ann, `${release}/uploads?name=x`, 'abc')
    const begunAt = begun.body.url.slice('http://codestead.test/api/v1'.length)
    const open = app.ctx.files.open.bind(app.ctx.files)
    const mock = t.mock.method(app.ctx.files, 'open', async (...file: Parameters<typeof open>) => {
      mock.mock.restore()
      const content = await open(...file)
      assertStatus(await app.delete(ann, release), 204)
      return content
    })

    const last = { 'upload-offset': '3', 'upload-complete': '?1' }
    assertError(await app.patch(ann, begunAt, 'd', last), 404, 'not found')

    assert.deepEqual((await app.get(ann, assets)).body, [])
    assert.deepEqual(await storedKeys(app), [])
    assert.equal(await partKeys(app), 0)
  })
})
