import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { basic, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addressesOf, assertText, start } from './setup.ts'

suite('who may download', () => {
  test('whoever reads the unit that the file belongs to', async (t) => {
    const { app, ann, bob, path, assets, assetsOfIssue, add } = await start(t)
    const root = await app.addAdmin()
    const released = await add(assets)
    const attached = await add(assetsOfIssue)
    const statuses = async (who: TestCaller | undefined) => [
      (await app.get(who, released)).status,
      (await app.get(who, attached)).status,
    ]

    assert.deepEqual(await statuses(undefined), [200, 200])
    const besideReleases = `^/ann/one/releases${attached.slice(1)}`
    assertStatus(await app.get(bob, besideReleases), 200)
    assertStatus(await app.patch(ann, path, { has_releases: false }), 200)
    assert.deepEqual(await statuses(bob), [404, 200])
    assertText(await app.get(bob, besideReleases), 404, 'Not Found')
    assertStatus(await app.patch(ann, path, { has_releases: true, has_issues: false }), 200)
    assert.deepEqual(await statuses(bob), [200, 404])
    assertStatus(await app.patch(ann, path, { has_issues: true, private: true }), 200)
    assert.deepEqual(await statuses(undefined), [404, 404])
    assert.deepEqual(await statuses(bob), [404, 404])
    for (const who of [ann, root, app.withPassword(ann.account)]) {
      assert.deepEqual(await statuses(who), [200, 200])
    }
    const seen = await app.get(ann, attached)
    assert.equal(seen.headers['cross-origin-resource-policy'], 'same-site')
    assertText(await app.get(bob, attached), 404, 'Not Found')
    assertStatus(await app.put(ann, `${path}/collaborators/bob`, { permission: 'read' }), 204)
    assert.deepEqual(await statuses(bob), [200, 200])
  })

  test('of a draft only who writes releases, on every address', async (t) => {
    const { app, ann, bob, releases, add } = await start(t)
    const draft = await app.post(ann, releases, { tag_name: 'v2', draft: true })
    const file = await add(`${releases}/${draft.body.id}/assets`)
    const uuid = file.slice('^/attachments/'.length)

    for (const address of [
      file,
      `^/ann/one/attachments/${uuid}`,
      `^/ann/one/releases/attachments/${uuid}`,
      '^/ann/one/releases/download/v2/file.txt',
    ]) {
      assertText(await app.get(undefined, address), 404, 'Not Found')
      assertText(await app.get(bob, address), 404, 'Not Found')
      assert.equal((await app.get(ann, address)).text, 'hello', address)
    }
    const page = `^/ann/one/issues/1/attachments/${uuid}`
    assertText(await app.get(ann, page), 404, 'Not Found')
  })

  test('a token as far as its scopes reach', async (t) => {
    const { app, ann, assets, assetsOfIssue, add, path } = await start(t)
    const bob = await app.addPerson('carol')
    const files = [await add(assetsOfIssue), await add(assets)]
    const cases: [string[], [number, number], [number, number]][] = [
      [['read:issue'], [200, 403], [200, 403]],
      [['read:repository'], [403, 200], [403, 200]],
      [
        ['read:issue', 'public-only'],
        [200, 403],
        [403, 403],
      ],
      [
        ['read:repository', 'public-only'],
        [403, 200],
        [403, 403],
      ],
      [['read:misc'], [403, 403], [403, 403]],
    ]
    const statuses = async (who: TestCaller) => [
      (await app.get(who, files[0] ?? '')).status,
      (await app.get(who, files[1] ?? '')).status,
    ]

    const callers = await Promise.all(cases.map(([scopes]) => app.withToken(ann.account, scopes)))
    for (const [index, caller] of callers.entries()) {
      assert.deepEqual(await statuses(caller), cases[index]?.[1])
    }
    assertText(await app.get(callers[4], files[0] ?? ''), 403, 'Forbidden')
    assertStatus(await app.patch(ann, path, { private: true }), 200)
    for (const [index, caller] of callers.entries()) {
      assert.deepEqual(await statuses(caller), cases[index]?.[2])
    }
    for (const address of addressesOf(files[1] ?? '')) {
      const answers = [ann, ...callers].map((who) => app.get(who, address))
      const found = (await Promise.all(answers)).map(({ status }) => status)
      assert.deepEqual(found, [200, 403, 200, 403, 403, 403], address)
    }
    const stranger = await app.withToken(bob, ['read:misc'])
    assert.deepEqual(await statuses(stranger), [404, 404])
    assertStatus(await app.patch(ann, path, { private: false }), 200)
    await app.ctx.db.updateTable('account').set({ visibility: 'limited' }).execute()
    const [ofIssues, ofReleases, publicIssues, publicReleases] = callers
    for (const [caller, expected] of [
      [ofIssues, [200, 403]],
      [ofReleases, [403, 200]],
      [publicIssues, [403, 403]],
      [publicReleases, [403, 403]],
      [stranger, [403, 403]],
    ] as const)
      assert.deepEqual(await statuses(caller ?? stranger), expected)
    const seen = await app.get(ann, files[0] ?? '')
    assert.equal(seen.headers['cross-origin-resource-policy'], 'same-site')
  })

  test('of a pull request who reads those, of what hangs on nothing only its sender', async (t) => {
    const { app, ann, bob, path, assetsOfIssue, add } = await start(t)
    const root = await app.addAdmin()
    const file = await add(assetsOfIssue)
    const { db } = app.ctx
    const statuses = async () => {
      const answers = [undefined, bob, ann, root].map((who) => app.get(who, file))
      return (await Promise.all(answers)).map(({ status }) => status)
    }

    await db.updateTable('issue').set({ is_pull: 1 }).execute()
    await app.patch(ann, path, { has_issues: false })
    assert.deepEqual(await statuses(), [200, 200, 200, 200])
    await app.patch(ann, path, { has_issues: true, has_pull_requests: false })
    assert.deepEqual(await statuses(), [404, 404, 404, 404])
    await db.updateTable('attachment').set({ issue_id: null }).execute()
    assert.deepEqual(await statuses(), [404, 404, 200, 404])
  })

  test('whoever has a credential of any kind, and nobody with a wrong one', async (t) => {
    const { app, ann, path, assets, add } = await start(t)
    const file = await add(assets)
    const wrong = { authorization: `token ${'0'.repeat(40)}` }

    assertText(await app.get(undefined, file, wrong), 401, 'Failed to authenticate user')
    assertText(await app.get(undefined, `${file}?token=x`), 401, 'Failed to authenticate user')
    const [, token = ''] = ann.headers['authorization']?.split(' ') ?? []
    assertStatus(await app.patch(ann, path, { private: true }), 200)
    for (const key of ['token', 'access_token'])
      assertStatus(await app.get(undefined, `${file}?${key}=${token}`), 200)
    for (const authorization of [`Bearer ${token}`, basic('ann', token), basic(token, '')])
      assertStatus(await app.get(undefined, file, { authorization }), 200)
    const page = `^/ann/one/issues/1${file.slice(1)}`
    assertText(await app.get(ann, page), 404, 'Not Found')
    const bad = await app.addCaller('bad')
    const [, disabled = ''] = bad.headers['authorization']?.split(' ') ?? []
    const root = await app.addAdmin()
    assertStatus(await app.patch(root, '/admin/users/bad', { prohibit_login: true }), 200)
    assertText(await app.get(bad, file), 403, 'Forbidden')
    assertText(await app.get(undefined, `${file}?token=${disabled}`), 403, 'Forbidden')
    assertStatus(await app.get(app.withPassword(ann.account), file), 200)
    assertText(
      await app.get(app.withPassword(ann.account, 'wrong'), file),
      401,
      'Failed to authenticate user',
    )
  })

  test('nobody who is not signed in, where the site says so', async (t) => {
    const { app, ann, assets, add } = await start(t, { security: { require_sign_in: 'true' } })
    const file = await add(assets)

    const answer = await app.get(undefined, file)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], 'http://codestead.test/user/login')
    const page = `^/ann/one/issues/1${file.slice(1)}`
    assertStatus(await app.get(undefined, page), 303)
    assertStatus(await app.get(undefined, `${file}x`), 303)
    assertStatus(await app.get(ann, file), 200)
    const reader = await app.withToken(ann.account, ['read:misc'])
    const [, token = ''] = reader.headers['authorization']?.split(' ') ?? []
    assertText(await app.get(reader, file), 403, 'Forbidden')
    assertText(await app.get(undefined, `${file}?token=${token}`), 403, 'Forbidden')
    assertText(await app.get(undefined, `${file}?token=x`), 401, 'Failed to authenticate user')
  })
})

suite('the addresses of a file', () => {
  test('lead to it within its repository only', async (t) => {
    const { app, ann, assets, assetsOfIssue, add } = await start(t)
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    const released = (await add(assets)).slice('^/attachments/'.length)
    const attached = (await add(assetsOfIssue)).slice('^/attachments/'.length)

    for (const place of [
      `releases/attachments/${released}`,
      `attachments/${attached}`,
      `issues/1/attachments/${attached}`,
      `pulls/1/attachments/${attached}`,
    ]) {
      assertStatus(await app.get(undefined, `^/ann/one/${place}`), 200)
      const head = await app.head(undefined, `^/ANN/One/${place}`)
      assert.deepEqual([head.status, head.headers['content-length']], [200, '5'])
      assertText(await app.get(undefined, `^/ann/two/${place}`), 404, 'Not Found')
      assertText(await app.get(undefined, `^/ann/none/${place}`), 404, 'Not Found')
    }
    for (const uuid of ['readme.txt', '00000000-0000-4000-8000-000000000000', '..%2f..%2fx']) {
      assertText(await app.get(ann, `^/attachments/${uuid}`), 404, 'Not Found')
    }
  })

  test('name a release by its exact tag, or the latest', async (t) => {
    const { app, ann, releases, assets, add } = await start(t)
    const make = async (tag_name: string, options = {}) => {
      const made = await app.post(ann, releases, { tag_name, ...options })
      await add(`${releases}/${made.body.id}/assets`, { filename: 'a b.txt', content: tag_name })
    }
    const read = async (place: string) =>
      (await app.get(undefined, `^/ann/one/releases/${place}`)).text
    await add(assets, { filename: 'a b.txt', content: 'v1' })
    await add(assets, { filename: 'a b.txt', content: 'newer' })

    const oldest = await read('download/v1/a%20b.txt')
    await make('release/v2')
    await make('v3-rc', { prerelease: true })
    await make('v4', { draft: true })

    assert.equal(oldest, 'v1')
    assert.equal(await read('download/release%2Fv2/a%20b.txt'), 'release/v2')
    assert.equal(await read('download/latest/a%20b.txt'), 'release/v2')
    assert.equal(await read('latest/download/a%20b.txt'), 'release/v2')
    for (const place of ['download/V1/a%20b.txt', 'download/v1/A%20B.txt', 'download/v9/x']) {
      assert.equal(await read(place), 'Not Found\n', place)
    }
    await make('latest', { prerelease: true })
    assert.equal(await read('download/latest/a%20b.txt'), 'latest')
    // Whatever a tag is called, here it is the latest release.
    assert.equal(await read('latest/download/a%20b.txt'), 'release/v2')
    assert.equal(await read('latest/download/b.txt'), 'Not Found\n')
    for (const place of ['download/v1', 'download/latest', 'latest/download']) {
      const head = await app.head(undefined, `^/ann/one/releases/${place}/a%20b.txt`)
      assert.deepEqual([head.status, head.text], [200, ''], place)
    }
    await app.post(ann, '/user/repos', { name: 'two', auto_init: true })
    for (const place of ['download/latest', 'latest/download'])
      assertText(await app.get(ann, `^/ann/two/releases/${place}/a%20b.txt`), 404, 'Not Found')
  })

  test('follow a repository that was renamed', async (t) => {
    const { app, ann, path, assets, add } = await start(t)
    await add(assets)
    assertStatus(await app.patch(ann, path, { name: 'uno' }), 200)

    const answer = await app.get(undefined, '^/ann/one/releases/download/v1/file.txt')

    assertStatus(answer, 301)
    assert.equal(answer.headers['location'], '/ann/uno/releases/download/v1/file.txt')
  })

  test('tell the new name of a private repository to no token that does not reach it', async (t) => {
    const { app, ann, path, assets, add } = await start(t)
    await add(assets)
    assertStatus(await app.patch(ann, path, { name: 'uno', private: true }), 200)
    const places = ['releases/download/v1/file.txt', 'releases/attachments/x', 'attachments/x']
    const statuses = async (...scopes: string[]) => {
      const token = await app.withToken(ann.account, scopes)
      const answers = places.map((place) => app.get(token, `^/ann/one/${place}`))
      return (await Promise.all(answers)).map(({ status }) => status)
    }

    assert.deepEqual(await statuses('all'), [301, 301, 301])
    assert.deepEqual(await statuses('read:repository'), [301, 301, 301])
    assert.deepEqual(await statuses('read:issue'), [404, 404, 301])
    assert.deepEqual(await statuses('read:misc'), [404, 404, 404])
    assert.deepEqual(await statuses('all', 'public-only'), [404, 404, 404])
  })
})
