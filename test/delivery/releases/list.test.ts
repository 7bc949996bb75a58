import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { upload } from '../../repositories/attachments/form.ts'
import { commit } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { start, tags } from './setup.ts'

suite('GET /repos/{owner}/{repo}/releases', () => {
  test('narrows and pages the list, newest first', async (t) => {
    const { app, ann, releases, make } = await start(t)
    await make({ tag_name: 'v1.0' })
    await make({ tag_name: 'V2_rc', prerelease: true })
    await make({ tag_name: 'nightly%1', prerelease: true })
    app.passTime(60)
    await make({ tag_name: 'v3', draft: true })
    const cases: [string, string[]][] = [
      ['', ['v3', 'nightly%1', 'V2_rc', 'v1.0']],
      ['?draft=true', ['v3']],
      ['?draft=false&pre-release=false', ['v1.0']],
      ['?pre-release=1', ['nightly%1', 'V2_rc']],
      ['?pre-release=', ['v3', 'nightly%1', 'V2_rc', 'v1.0']],
      ['?tag_filter=v*', ['v3', 'V2_rc', 'v1.0']],
      ['?tag_filter=*RC', ['V2_rc']],
      ['?tag_filter=*v2', []],
      ['?tag_filter=*1*', ['nightly%1', 'v1.0']],
      ['?tag_filter=2_', ['V2_rc']],
      ['?tag_filter=%25', ['nightly%1']],
      ['?tag_filter=v*0', ['v1.0']],
      ['?tag_filter=3*', []],
      ['?tag_filter=1', ['nightly%1', 'v1.0']],
      ['?tag_filter=*', ['v3', 'nightly%1', 'V2_rc', 'v1.0']],
      ['?tag_filter=', ['v3', 'nightly%1', 'V2_rc', 'v1.0']],
      ['?draft=no', ['nightly%1', 'V2_rc', 'v1.0']],
    ]

    for (const [query, expected] of cases) {
      const list = await app.get(ann, releases + query)
      assert.deepEqual(tags(list), expected, query)
      assert.equal(list.headers['x-total-count'], String(expected.length), query)
    }
    const page = await app.get(ann, `${releases}?limit=1&page=2`)
    assert.deepEqual(tags(page), ['nightly%1'])
    const [{ html_url, tarball_url }] = page.body
    assert.match(html_url, /\/ann\/one\/releases\/tag\/nightly%251$/)
    assert.match(tarball_url, /\/ann\/one\/archive\/nightly%251\.tar\.gz$/)
    assert.match(page.headers['link'] ?? '', /page=3>; rel="next"/)
    assert.equal((await app.get(undefined, `${releases}/latest`)).body.tag_name, 'v1.0')
  })

  test('is of one repository, by the dates of the commits and then the newest; the latest is its first', async (t) => {
    const setup = await start(t)
    const { app, ann, path, releases, make } = setup
    const dated = (name: string, year: number) =>
      commit(setup, { [name]: 'x' }, { dates: { committer: `${year}-05-06T07:08:09Z` } })
    const [late, early] = [await dated('a', 2024), await dated('b', 2022)]
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    const others = '/repos/ann/two/releases'
    const latest = async () => (await app.get(undefined, `${releases}/latest`)).body.tag_name
    assertError(await app.get(ann, `${others}/latest`), 404, 'not found')

    for (const tag_name of ['one', 'two', 'three'])
      assertStatus(
        await make({ tag_name, target_commitish: tag_name === 'two' ? early : late }),
        201,
      )
    for (const way of [`${others}/tags/one`, `${others}/tags/ONE`])
      assertError(await app.get(ann, way), 404, 'not found')
    assertStatus(await app.post(ann, others, { tag_name: 'one' }), 201)
    assertStatus(await app.post(ann, `${path}/tags`, { tag_name: 'bare', target: late }), 201)

    assert.deepEqual(tags(await app.get(ann, releases)), ['three', 'one', 'two'])
    assert.deepEqual(tags(await app.get(ann, others)), ['one'])
    const counted = async (one: string) => (await app.get(ann, one)).body.release_counter
    assert.deepEqual([await counted(path), await counted('/repos/ann/two')], [3, 1])
    assert.equal(await latest(), 'three')
    // What is only a tag by now is in no list, and takes no files.
    const { id } = (await app.get(ann, `${releases}/latest`)).body
    assertStatus(await app.delete(ann, `${releases}/${id}`), 204)
    assertError(await upload(app, ann, `${releases}/${id}/assets`), 404)
    const left = await app.get(ann, releases)
    assert.deepEqual([tags(left), left.headers['x-total-count']], [['one', 'two'], '2'])
    assert.equal(await latest(), 'one')
    const { id: first } = (await app.get(ann, `${releases}/latest`)).body
    assertStatus(await app.patch(ann, `${releases}/${first}`, { prerelease: true }), 200)
    assert.equal(await latest(), 'two')
    const { id: second } = (await app.get(ann, `${releases}/latest`)).body
    assertStatus(await app.patch(ann, `${releases}/${second}`, { draft: true }), 200)
    assertError(await app.get(ann, `${releases}/latest`), 404, 'not found')
  })

  test('is not for those who may not read releases', async (t) => {
    const { app, ann, bob, path, releases, make } = await start(t)
    const { body } = await make({ tag_name: 'v1' })
    const draft = (await make({ tag_name: 'v2', draft: true })).body
    assertStatus(await app.patch(ann, path, { has_releases: false }), 200)

    for (const below of ['', '/latest', '/tags/v1', `/${body.id}`, `/${body.id}/assets`]) {
      assertError(await app.get(bob, releases + below), 403, /specific read permission/)
    }
    assert.deepEqual(tags(await app.get(ann, releases)), ['v1'])
    for (const below of [`/${draft.id}`, '/tags/v2', `/${draft.id}/assets`])
      assertError(await app.get(ann, releases + below), 404, 'not found')
    assertStatus(await app.patch(ann, `${releases}/${draft.id}`, { name: 'x' }), 200)
    assertStatus(await app.delete(ann, `${releases}/${draft.id}`), 204)
    for (const id of ['0', '-1', 'abc', '99999999999999999999']) {
      assertError(await app.get(ann, `${releases}/${id}`), 404, 'not found')
    }
    assertError(await app.get(ann, `${releases}/tags/absent`), 404, 'not found')
    await app.post(ann, '/user/repos', { name: 'two' })
    for (const method of ['GET', 'PATCH', 'DELETE'])
      assertError(
        await app.send(ann, method, `/repos/ann/two/releases/${body.id}`),
        404,
        'not found',
      )
    assertError(await app.post(bob, releases, '{', {}), 403, /specific read permission/)
    assertError(await app.post(undefined, releases, '{', {}), 403, /specific read permission/)
  })
})
