import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { base64 } from '../commits/setup.ts'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addFile, startMirrorHost } from './support.ts'

const mirrors = '/repos/ann/source/push_mirrors'

/** ann/source with a page in its wiki, and ann/target that it is pushed to. */
async function start(t: TestContext, options: object = {}) {
  const { host, app, ann, bob } = await startMirrorHost(t)
  assertStatus(await app.post(ann, '/user/repos', { name: 'target' }), 201)
  const mirror = {
    remote_address: host.url('ann/target.git'),
    remote_username: 'ann',
    remote_password: PASSWORD,
    interval: '8h',
    ...options,
  }
  const write = async (title: string, text: string) => {
    const page = { title, content_base64: base64(text) }
    assertStatus(await app.post(ann, '/repos/ann/source/wiki/new', page), 201)
  }
  await write('Home', 'one')
  return {
    host,
    app,
    ann,
    bob,
    write,
    add: async (changes: object = {}) =>
      assertStatus(await app.post(ann, mirrors, { ...mirror, ...changes }), 200),
    sync: () => app.post(ann, `${mirrors}-sync`),
    mirrorNow: async () => (await app.get(ann, mirrors)).body[0],
    pagesOf: async (path: string) => {
      const { status, body } = await app.get(ann, `/repos/${path}/wiki/pages`)
      if (status !== 200) return []
      return (body as { title: string }[]).map(({ title }) => title)
    },
  }
}

suite('a push mirror of a repository with a wiki', () => {
  test('brings the wiki beside the code, and takes away what is gone', async (t) => {
    const { host, app, ann, write, add, sync, pagesOf } = await start(t)
    await add()

    assertStatus(await sync(), 200)
    const first = await pagesOf('ann/target')
    const page = await app.get(ann, '/repos/ann/target/wiki/page/Home')
    await write('More', 'two')
    assertStatus(await app.delete(ann, '/repos/ann/source/wiki/page/Home'), 204)
    const address = host.urlFor('ann', 'ann/target.wiki.git')
    const work = await host.client.makeRepository()
    await host.client.git(['push', '--quiet', address, 'HEAD:refs/heads/theirs'], work)
    assertStatus(await sync(), 422)
    const theirs = await host.client.git(['ls-remote', '--heads', address])
    await host.client.git(['push', '--quiet', address, ':refs/heads/theirs'], work)
    assertStatus(await sync(), 200)

    assert.match(theirs, /refs\/heads\/theirs$/m)
    assert.deepEqual(first, ['Home'])
    assert.equal(page.body.content_base64, base64('one'))
    assert.deepEqual(await pagesOf('ann/target'), ['More'])
    const left = await host.client.git(['ls-remote', '--heads', address])
    assert.match(left, /^\w+\trefs\/heads\/main$/)
    assertStatus(await app.get(ann, '/repos/ann/target/contents/README.md'), 200)
  })

  test('follows every change of a page when it is told to, and is left alone otherwise', async (t) => {
    const { app, ann, write, add, mirrorNow, pagesOf } = await start(t)
    await add({ sync_on_commit: true })
    await write('More', 'two')
    await app.ctx.jobs.runDue()
    const first = (await mirrorNow()).last_update as string
    assert.deepEqual(await pagesOf('ann/target'), ['Home', 'More'])

    app.passTime(60)
    await app.ctx.jobs.enqueue(app.ctx.db, 'measure_wiki', { id: 1 })
    await app.ctx.jobs.runDue()
    const idle = (await mirrorNow()).last_update as string
    await addFile(app, ann, '/repos/ann/source/contents/b.txt')
    await app.ctx.jobs.runDue()

    assert.equal(idle, first)
    assert.ok((await mirrorNow()).last_update > first)
    assertStatus(await app.get(ann, '/repos/ann/target/contents/b.txt'), 200)
  })

  test('brings the code alone to a remote that has no wiki', async (t) => {
    const { app, ann, add, sync, mirrorNow, pagesOf } = await start(t)
    assertStatus(await app.patch(ann, '/repos/ann/target', { has_wiki: false }), 200)
    await add()

    assertStatus(await sync(), 200)

    assert.equal((await mirrorNow()).last_error, '')
    assertStatus(await app.get(ann, '/repos/ann/target/contents/README.md'), 200)
    assertStatus(await app.patch(ann, '/repos/ann/target', { has_wiki: true }), 200)
    assert.deepEqual(await pagesOf('ann/target'), [])
    assertStatus(await sync(), 200)
    assert.deepEqual(await pagesOf('ann/target'), ['Home'])
  })

  test('brings no wiki that is switched off', async (t) => {
    const { app, ann, add, sync, pagesOf } = await start(t)
    assertStatus(await app.patch(ann, '/repos/ann/source', { has_wiki: false }), 200)
    await add()

    assertStatus(await sync(), 200)

    assert.deepEqual(await pagesOf('ann/target'), [])
    assertStatus(await app.get(ann, '/repos/ann/target/contents/README.md'), 200)
  })

  test('says when a wiki that is shown is not taken, and brings the code all the same', async (t) => {
    const { host, app, ann, bob, add, sync, mirrorNow } = await start(t)
    assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'target' }), 201)
    const team = {
      name: 'coders',
      permission: 'write',
      units_map: { 'repo.code': 'write', 'repo.wiki': 'read' },
      includes_all_repositories: true,
    }
    const made = await app.post(ann, '/orgs/acme/teams', team)
    assertStatus(made, 201)
    assertStatus(await app.put(ann, `/teams/${made.body.id}/members/${bob.name}`), 204)
    await add({ remote_address: host.url('acme/target.git'), remote_username: 'bob' })

    assertStatus(await sync(), 422)

    assert.match((await mirrorNow()).last_error, /target\.wiki\.git/)
    assertStatus(await app.get(ann, '/repos/acme/target/contents/README.md'), 200)
  })
})
