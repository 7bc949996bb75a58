import assert from 'node:assert/strict'
import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { repositoryFolder, wikiFolder } from '../../../src/platform/git/layout.ts'
import { sweepFolders } from '../../../src/repositories/repository/sweep.ts'
import { startGitHost, type GitHost } from '../../platform/git/support.ts'
import { LFS_TYPE } from '../lfs/support.ts'
import { assertStatus } from '../../support/expect.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { machineOf } from '../../support/terminal.ts'

const fetchRefs = 'info/refs?service=git-upload-pack'
const pushRefs = 'info/refs?service=git-receive-pack'
const receiveType = { 'content-type': 'application/x-git-receive-pack-request' }

async function folderNameOf({ ctx }: TestApp, name: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('repository')
    .select('folder')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.folder
}

async function wikiOf(app: TestApp, name: string): Promise<string> {
  return wikiFolder(app.ctx.config, await folderNameOf(app, name))
}

/** A server with an empty repository of ann's, and a folder with one commit. */
async function startWithWork(t: TestContext) {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  assertStatus(await host.app.post(ann, '/user/repos', { name: 'one' }), 201)
  const work = await host.client.makeRepository()
  return { host, app: host.app, client: host.client, ann, work }
}

async function pushWiki({ client, urlFor }: PushTo, work: string, ...refs: string[]) {
  return client.run(['push', urlFor('ann/one.wiki.git'), ...refs], work)
}

interface PushTo {
  readonly client: GitHost['client']
  readonly urlFor: (path: string) => string
}

function asAnn(host: GitHost): PushTo {
  return { client: host.client, urlFor: (path) => host.urlFor('ann', path) }
}

suite('the wiki of a repository', () => {
  test('is a git repository: empty at first, made by a push, cloned by everybody who reads it', async (t) => {
    const { host, app, client, work } = await startWithWork(t)
    const wiki = await wikiOf(app, 'one')

    for (const protocol of ['0', '2']) {
      const clone = ['-c', `protocol.version=${protocol}`, 'clone', host.url('ann/one.wiki.git')]
      const { code, notes } = await client.run([...clone, `empty${protocol}`])
      assert.equal(code, 0, notes)
      assert.match(notes, /empty repository/)
    }
    assert.equal(existsSync(wiki), false, 'readers make nothing')
    const pushed = await Promise.all([
      pushWiki(asAnn(host), work, 'main'),
      pushWiki(asAnn(host), work, 'main:other'),
    ])
    assert.deepEqual(
      pushed.map(({ code }) => code),
      [0, 0],
    )
    await client.git(['clone', '--quiet', '--branch=main', host.url('ann/one.wiki'), 'copy'])
    await client.commit(work, 'second')
    assert.equal((await pushWiki(asAnn(host), work, 'main', 'main:refs/tags/v1')).code, 0)
    await client.git(['pull', '--quiet', '--tags'], join(client.home, 'copy'))

    assert.equal(readFileSync(join(client.home, 'copy', 'file.txt'), 'utf8'), 'second\n')
    await client.git(['--git-dir', wiki, 'fsck', '--strict'])
  })

  test('checks out what came first, and keeps that branch', async (t) => {
    const { host, client, work } = await startWithWork(t)

    assert.equal((await pushWiki(asAnn(host), work, 'main:refs/heads/pages')).code, 0)
    await client.git(['clone', '--quiet', host.url('ann/one.wiki.git'), 'copy'])

    const branch = await client.git(['branch', '--show-current'], join(client.home, 'copy'))
    assert.equal(branch, 'pages')
    const dropped = await pushWiki(
      asAnn(host),
      work,
      ':pages',
      'main:more',
      'main:refs/pull/1/head',
    )
    assert.notEqual(dropped.code, 0)
    assert.match(dropped.notes, /the default branch cannot be deleted/)
    assert.match(dropped.notes, /reserved ref/)
    assert.match(await client.git(['ls-remote', host.url('ann/one.wiki.git')]), /refs\/heads\/more/)
  })

  test('is apart from the code: no rule of its branches, no activity, no count but the size', async (t) => {
    const { host, app, ann, work } = await startWithWork(t)
    const rule = { rule_name: '**', enable_push: false }
    assertStatus(await app.post(ann, '/repos/ann/one/branch_protections', rule), 201)
    const before = (await app.get(ann, '/repos/ann/one')).body
    app.passTime(100)

    assert.equal((await pushWiki(asAnn(host), work, 'main', 'main:other')).code, 0)
    const jobs = await app.ctx.db.selectFrom('job').select('kind').distinct().execute()
    await app.ctx.jobs.runDue()

    assert.deepEqual(
      jobs.map(({ kind }) => kind),
      ['measure_wiki'],
    )
    const { size, ...after } = (await app.get(ann, '/repos/ann/one')).body
    assert.partialDeepStrictEqual(before, after)
    assert.deepEqual([before.empty, before.size], [true, 0])
    assert.ok(size > 0)
    assert.equal((await app.get(ann, '/repos/ann/one/activities/feeds')).body.length, 1)
    assertStatus(await app.get(ann, '/repos/ann/one/branches/other'), 404)
    const code = await app.get(ann, `^/ann/one.git/${fetchRefs}`)
    assert.doesNotMatch(code.text, /refs\/heads/)
  })

  test('goes with its repository under every name, and ends with it; copies begin without one', async (t) => {
    const { host, app, client, ann, work } = await startWithWork(t)
    const bob = await app.addCaller('bob')
    assert.equal((await pushWiki(asAnn(host), work, 'main')).code, 0)
    const wiki = await wikiOf(app, 'one')

    await app.patch(ann, '/repos/ann/one', { name: 'two', template: true })
    for (const [old, now] of [
      ['one.wiki.git', 'two.wiki.git'],
      ['one.wiki', 'two.wiki'],
    ]) {
      const sent = await app.get(undefined, `^/ann/${old}/${fetchRefs}`)
      assert.deepEqual([sent.status, sent.headers['location']], [301, `/ann/${now}/${fetchRefs}`])
    }
    await client.commit(work, 'after the rename')
    assert.equal((await pushWiki(asAnn(host), work, 'main')).code, 0)
    assertStatus(await app.post(bob, '/repos/ann/two/forks', { name: 'fork' }), 202)
    assertStatus(await app.get(bob, `^/bob/fork.wiki/${fetchRefs}`), 404)
    await app.patch(bob, '/repos/bob/fork', { has_wiki: true })
    const made = { owner: 'bob', name: 'made', git_content: true, labels: true }
    assertStatus(await app.post(bob, '/repos/ann/two/generate', made), 201)
    for (const copy of ['fork', 'made']) {
      const { status, text } = await app.get(bob, `^/bob/${copy}.wiki/${fetchRefs}`)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /refs\/heads/)
    }
    const root = await app.addAdmin()
    assertStatus(await app.post(root, '/repos/ann/two/transfer', { new_owner: 'bob' }), 202)
    assert.match(
      (await app.get(undefined, `^/bob/two.wiki/${fetchRefs}`)).text,
      /refs\/heads\/main/,
    )

    assertStatus(await app.delete(bob, '/repos/bob/two'), 204)
    assertStatus(await app.get(bob, `^/bob/two.wiki/${fetchRefs}`), 404)
    await app.ctx.jobs.runDue()
    assert.equal(existsSync(wiki), false)
  })

  test('belongs to its repository for the doctor, and is found when that is gone', async (t) => {
    const { host, app, work } = await startWithWork(t)
    assert.equal((await pushWiki(asAnn(host), work, 'main')).code, 0)
    const folder = await folderNameOf(app, 'one')
    const paths = [repositoryFolder(app.ctx.config, folder), await wikiOf(app, 'one')]
    const doctor = () => machineOf(app).admin(['doctor'])
    for (const path of paths) utimesSync(path, 1, 1)
    await app.ctx.jobs.runDue()
    const healthy = await doctor()
    await sweepFolders(app.ctx)
    assert.deepEqual([healthy.status, paths.every((path) => existsSync(path))], [0, true])

    await app.ctx.db.deleteFrom('repository').execute()
    const { out } = await doctor()
    await sweepFolders(app.ctx)

    assert.equal(out.match(/belongs to no repository/g)?.length, 1)
    assert.deepEqual(
      paths.filter((path) => existsSync(path)),
      [],
    )
  })
})

/**
 * Organization guild with repositories, and people whose teams say different things of code and
 * wiki.
 */
async function startWithTeams(t: TestContext) {
  const app = await startApp(t, { lfs: { enabled: true } })
  const ann = await app.addCaller('ann')
  await app.post(ann, '/orgs', { username: 'guild' })
  await app.post(ann, '/orgs/guild/repos', { name: 'secret', private: true })
  await app.post(ann, '/orgs/guild/repos', { name: 'open' })
  const join_ = async (name: string, units_map: object) => {
    const who = await app.addCaller(name)
    const team = { name: `team-${name}`, permission: 'read', units_map }
    const { body } = await app.post(ann, '/orgs/guild/teams', team)
    await app.put(ann, `/teams/${body.id}/members/${name}`)
    for (const repo of ['secret', 'open'])
      await app.put(ann, `/teams/${body.id}/repos/guild/${repo}`)
    return who
  }
  return {
    app,
    ann,
    writer: await join_('writer', { 'repo.wiki': 'write' }),
    reader: await join_('reader', { 'repo.wiki': 'read' }),
    coder: await join_('coder', { 'repo.code': 'write' }),
    stranger: await app.addCaller('stranger'),
  }
}

suite('who may read and write a wiki', () => {
  const statusesOf = async (app: TestApp, who: TestCaller | undefined, path: string) => {
    const push = await app.post(who, `^/${path}/git-receive-pack`, '0000', receiveType)
    const refs = [fetchRefs, pushRefs].map((query) => app.get(who, `^/${path}/${query}`))
    const [fetched, asked] = (await Promise.all(refs)) as [TestAnswer, TestAnswer]
    assert.equal(push.status, asked.status, 'the look before a push is answered as the push')
    return [fetched.status, push.status]
  }

  test('is said by its own unit, not by the code', async (t) => {
    const { app, ann, writer, reader, coder, stranger } = await startWithTeams(t)
    const expected: [TestCaller | undefined, string, number[], number[]][] = [
      [ann, 'secret', [200, 200], [200, 200]],
      [writer, 'secret', [200, 200], [403, 403]],
      [reader, 'secret', [200, 403], [403, 403]],
      [coder, 'secret', [403, 403], [200, 200]],
      [stranger, 'secret', [404, 404], [404, 404]],
      [undefined, 'secret', [401, 401], [401, 401]],
      [writer, 'open', [200, 200], [200, 403]],
      [coder, 'open', [200, 403], [200, 200]],
      [stranger, 'open', [200, 403], [200, 403]],
      [undefined, 'open', [200, 401], [200, 401]],
    ]

    for (const [who, name, wiki, code] of expected) {
      const label = `${who?.name ?? 'nobody'} ${name}`
      assert.deepEqual(await statusesOf(app, who, `guild/${name}.wiki.git`), wiki, `${label} wiki`)
      assert.deepEqual(await statusesOf(app, who, `guild/${name}.git`), code, label)
    }
    const refused = await app.get(reader, `^/guild/secret.wiki/${pushRefs}`)
    assert.equal(refused.text, 'You may not write to the wiki of this repository.\n')
    for (const [scopes, statuses] of [
      [['read:repository'], [200, 403]],
      [
        ['public-only', 'write:repository'],
        [404, 404],
      ],
      [['write:issue'], [403, 403]],
    ] as const) {
      const limited = await app.withToken(ann.account, scopes)
      assert.deepEqual(await statusesOf(app, limited, 'guild/secret.wiki.git'), statuses)
    }
  })

  test('is nobody where it is switched off or lies elsewhere, and nobody writes to an archive or a mirror', async (t) => {
    const { app, ann, stranger } = await startWithTeams(t)
    const statuses = async (who?: TestCaller) => statusesOf(app, who, 'guild/open.wiki.git')
    const elsewhere = { external_wiki_url: 'http://wiki.example.org' }

    for (const change of [{ has_wiki: false }, { has_wiki: true, external_wiki: elsewhere }]) {
      assertStatus(await app.patch(ann, '/repos/guild/open', change), 200)
      assert.deepEqual(await statuses(ann), [404, 404])
      assert.deepEqual(await statuses(stranger), [404, 404])
      assert.deepEqual(await statuses(), [401, 401])
      const { text } = await app.get(ann, `^/guild/open.wiki/${fetchRefs}`)
      assert.equal(text, 'Repository not found\n')
    }
    assertStatus(await app.patch(ann, '/repos/guild/secret', { archived: true }), 200)
    assert.deepEqual(await statusesOf(app, ann, 'guild/secret.wiki.git'), [200, 403])
    const row = { is_archived: 0, is_mirror: 1 } as const
    await app.ctx.db.updateTable('repository').set(row).where('name', '=', 'secret').execute()
    assert.deepEqual(await statusesOf(app, ann, 'guild/secret.wiki.git'), [200, 403])
  })

  test('confuses no services: not those of git, nor a wiki with code, LFS or a new repository', async (t) => {
    const { app, ann, writer, reader, coder } = await startWithTeams(t)
    const wiki = '^/guild/secret.wiki.git'

    for (const query of ['?service=git-upload-pack', '?service=git-receive-pack&service=x']) {
      const path = `${wiki}/git-receive-pack${query}`
      assertStatus(await app.post(reader, path, '0000', receiveType), 403)
    }
    for (const query of [
      'service=git-upload-archive',
      'service=git-upload-pack&service=git-receive-pack',
    ]) {
      assertStatus(await app.get(ann, `${wiki}/info/refs?${query}`), 400)
    }
    for (const path of ['info/refs', 'HEAD', 'objects/info/packs']) {
      assertStatus(await app.get(undefined, `${wiki}/${path}`), 401)
      assertStatus(await app.get(coder, `${wiki}/${path}`), 403)
    }
    assertStatus(await app.get(ann, `${wiki}/git-upload-archive`), 404)
    const lfs = { accept: LFS_TYPE, 'content-type': LFS_TYPE }
    for (const operation of ['download', 'upload']) {
      const batch = { operation, objects: [{ oid: 'a'.repeat(64), size: 1 }] }
      const ask = (who?: TestCaller) =>
        app.post(who, `${wiki}/info/lfs/objects/batch`, JSON.stringify(batch), lfs)
      assertStatus(await ask(), 401)
      assertStatus(await ask(writer), 404)
      // Who may create it is told why a push of files to an unknown repository does not.
      assertStatus(await ask(ann), operation === 'upload' ? 403 : 404)
    }
    assertStatus(await app.get(writer, `${wiki}/info/lfs/objects/${'a'.repeat(64)}`), 404)
    for (const path of ['guild/secret.wiki.wiki.git', 'guild/.wiki.git', 'guild/none.wiki.git']) {
      assertStatus(await app.get(ann, `^/${path}/${pushRefs}`), 404)
    }
    assertStatus(await app.get(ann, '/repos/guild/secret.wiki'), 404)
  })
})
