import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startGitHost } from '../../platform/git/support.ts'
import { foldersOf, refsOf } from '../mirrors/support.ts'
import { atOnce } from '../../support/at-once.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const PATH = '/admin/unadopted'

/**
 * A server with a folder for repositories of others, and a repository of one commit to be put
 * there.
 */
async function start(t: TestContext, changes: ConfigChanges = {}) {
  const host = await startGitHost(t, changes)
  const { app, client } = host
  const [root, ann] = [await app.addAdmin(), await app.addCaller('ann')]
  const work = await client.makeRepository()
  const place = join(app.ctx.config.data, 'adopt')
  const put = async (path: string, source = work) => {
    const folder = join(place, path)
    await client.git(['clone', '--quiet', '--bare', '--no-hardlinks', source, folder])
    return folder
  }
  const adopt = (path: string) => app.post(root, `${PATH}/${path}`)
  const list = async (query = '') => (await app.get(root, `${PATH}${query}`)).body
  return { host, app, client, root, ann, work, place, put, adopt, list }
}

suite('GET /admin/unadopted', () => {
  test('lists what waits, by lower-case names, page by page', async (t) => {
    const { app, root, put, place } = await start(t)
    assert.deepEqual((await app.get(root, PATH)).body, [])
    for (const name of ['ann/b', 'Ann/A', 'ann/B', 'zoe/z', 'ann/a.wiki', 'ann/a b']) {
      await put(`${name}.git`)
    }
    mkdirSync(join(place, 'ann', 'plain'))
    writeFileSync(join(place, 'ann', 'file.git'), '')
    symlinkSync(join(place, 'zoe'), join(place, 'linked'))
    symlinkSync(join(place, 'zoe', 'z.git'), join(place, 'ann', 'linked.git'))

    const all = await app.get(root, PATH)
    const second = await app.get(root, `${PATH}?page=2&limit=2`)

    assert.deepEqual(all.body, ['ann/a', 'ann/b', 'zoe/z'])
    assert.equal(all.headers['x-total-count'], '3')
    assert.deepEqual(second.body, ['zoe/z'])
    assert.equal(second.headers['x-total-count'], '3')
    assert.match(second.headers['link'] ?? '', /page=1.*rel="first"/)
  })

  test('finds them by a pattern, of the owner or of both names', async (t) => {
    const { app, root, put, list } = await start(t)
    for (const name of ['ann/one', 'ann/two', 'bob/one']) await put(`${name}.git`)

    assert.deepEqual(await list('?pattern=ann'), ['ann/one', 'ann/two'])
    assert.deepEqual(await list('?pattern=A*'), ['ann/one', 'ann/two'])
    assert.deepEqual(await list('?pattern=*/one'), ['ann/one', 'bob/one'])
    assert.deepEqual(await list('?pattern=ann/t?o'), ['ann/two'])
    assert.deepEqual(await list('?pattern=one'), [])
    assertError(await app.get(root, `${PATH}?pattern=[`), 422, /Invalid pattern/)
  })

  test('is for administrators, as adopting and deleting are', async (t) => {
    const { app, ann, put, list } = await start(t)
    await put('ann/one.git')

    for (const [method, path] of [
      ['GET', PATH],
      ['POST', `${PATH}/ann/one`],
      ['DELETE', `${PATH}/ann/one`],
    ] as const) {
      assertStatus(await app.send(undefined, method, path), 401)
      assertStatus(await app.send(ann, method, path), 403)
    }

    assert.deepEqual(await list(), ['ann/one'])
  })
})

suite('POST /admin/unadopted/{owner}/{repo}', () => {
  test('makes a private repository of it, with all that git carries', async (t) => {
    const { host, app, client, root, ann, work, place, put, adopt, list } = await start(t)
    const folder = await put('Ann/Tool.git')
    const git = (...parameters: string[]) => client.git(['--git-dir', folder, ...parameters])
    await git('branch', '-m', 'main', 'trunk')
    await git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
    for (const ref of ['refs/heads/dev', 'refs/tags/v1', 'refs/notes/x', 'refs/pull/1/head']) {
      await git('update-ref', ref, 'refs/heads/trunk')
    }
    await git('pack-refs', '--all')
    await git('update-ref', 'refs/heads/loose', 'refs/heads/trunk')
    await client.commit(work, 'a page')
    await put('Ann/Tool.wiki.git')

    const answer = await adopt('ann/tool')

    assert.deepEqual([answer.status, answer.text], [204, ''])
    await app.ctx.jobs.runDue()
    const { body } = await app.get(ann, '/repos/ann/tool')
    assert.partialDeepStrictEqual(body, {
      full_name: 'ann/Tool',
      private: true,
      empty: false,
      mirror: false,
      default_branch: 'trunk',
      branch_count: 3,
      original_url: '',
    })
    assert.ok(body.size > 0)
    assert.deepEqual(await refsOf(host, 'ann/tool'), [
      'refs/heads/dev',
      'refs/heads/loose',
      'refs/heads/trunk',
      'refs/notes/x',
      'refs/tags/v1',
    ])
    await host.assertSound('ann/tool')
    const feed = await app.get(ann, '/repos/ann/tool/activities/feeds')
    assert.deepEqual(
      feed.body.map(({ op_type }: { op_type: string }) => op_type),
      ['create_repo'],
    )
    await client.git(['clone', '--quiet', host.urlFor('ann', 'ann/tool.wiki.git'), 'wiki'])
    assert.equal(readFileSync(join(client.home, 'wiki', 'file.txt'), 'utf8'), 'a page\n')
    assert.deepEqual(await list(), [])
    assert.deepEqual(readdirSync(join(place, 'Ann')), [])
    assert.equal(foldersOf(app), 2)
    assertStatus(await app.get(root, '/repos/ann/Tool/contents/file.txt'), 200)
  })

  test('takes over empty ones, those of the other object format, and those of organizations', async (t) => {
    const { host, app, client, ann, place, put, adopt } = await start(t)
    assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
    await put('acme/long.git', await client.makeRepository('long', 'sha256'))
    mkdirSync(join(place, 'acme'), { recursive: true })
    await client.git(['init', '--quiet', '--bare', join(place, 'acme', 'empty.git')])

    assertStatus(await adopt('acme/long'), 204)
    assertStatus(await adopt('acme/empty'), 204)

    const long = (await app.get(ann, '/repos/acme/long')).body
    assert.partialDeepStrictEqual(long, { object_format_name: 'sha256', empty: false })
    await host.assertSound('acme/long')
    assert.equal((await app.get(ann, '/repos/acme/empty')).body.empty, true)
    const work = await client.makeRepository('more')
    const url = host.urlFor('ann', 'acme/empty.git')
    await client.git(['push', '--quiet', url, 'main'], work)
  })

  test('runs nothing that is named there, and keeps nothing but objects and references', async (t) => {
    const { host, app, client, put, adopt } = await start(t)
    const folder = await put('ann/one.git')
    const ran = join(client.home, 'ran')
    const program = join(client.home, 'program')
    writeFileSync(program, `#!/bin/sh\necho "$0" >> ${ran}\n`)
    chmodSync(program, 0o755)
    for (const hook of readdirSync(join(folder, 'hooks'))) {
      writeFileSync(join(folder, 'hooks', hook.replace('.sample', '')), readFileSync(program), {
        mode: 0o755,
      })
    }
    appendFileSync(
      join(folder, 'config'),
      `[core]\n\tfsmonitor = ${program}\n\talternateRefsCommand = ${program}\n\tsshCommand = ${program}\n` +
        `[uploadpack]\n\tpackObjectsHook = ${program}\n[include]\n\tpath = ${program}\n` +
        `[remote "origin"]\n\turl = ext::${program}\n\tpromisor = true\n`,
    )
    mkdirSync(join(folder, 'info'), { recursive: true })
    writeFileSync(join(folder, 'info', 'grafts'), 'x')

    assertStatus(await adopt('ann/one'), 204)
    await app.ctx.jobs.runDue()

    assert.ok(!existsSync(ran))
    const made = await host.folderOf('ann/one')
    assert.doesNotMatch(readFileSync(join(made, 'config'), 'utf8'), /program/)
    assert.ok(!existsSync(join(made, 'hooks')) && !existsSync(join(made, 'info', 'grafts')))
    await host.assertSound('ann/one')
  })

  test('does not take what lies elsewhere: alternates and links lead nowhere', async (t) => {
    const { app, client, work, put, place, adopt, list } = await start(t)
    const alternating = join(place, 'ann', 'alternating.git')
    mkdirSync(join(place, 'ann'), { recursive: true })
    await client.git(['clone', '--quiet', '--bare', '--shared', work, alternating])
    for (const [name, part] of [
      ['objects', 'objects'],
      ['refs', 'refs'],
      ['packs', 'objects/pack'],
    ] as const) {
      const folder = await put(`ann/${name}.git`)
      await client.git(['--git-dir', folder, 'repack', '-a', '-d', '--quiet'])
      renameSync(join(folder, part), join(client.home, name))
      symlinkSync(join(client.home, name), join(folder, part))
    }
    const single = await put('ann/single.git')
    writeFileSync(join(client.home, 'secret'), 'ref: refs/heads/secret\n')
    renameSync(join(single, 'HEAD'), join(single, 'old'))
    symlinkSync(join(client.home, 'secret'), join(single, 'HEAD'))

    assertError(await adopt('ann/alternating'), 422, /^it cannot be adopted: /)
    assertError(await adopt('ann/objects'), 422, 'it is no bare repository')
    assertError(await adopt('ann/refs'), 422, 'it is no bare repository')
    assertError(await adopt('ann/packs'), 422, /^it cannot be adopted: /)
    assertStatus(await adopt('ann/single'), 204)

    const { text } = await adopt('ann/alternating')
    assert.doesNotMatch(text, /codestead-test|repositories/)
    assert.equal((await app.get(undefined, '/repos/ann/single')).status, 404)
    const { default_branch: branch } = (
      await app.get(await app.addAdmin('r2'), '/repos/ann/single')
    ).body
    assert.equal(branch, 'main')
    assert.equal(foldersOf(app), 1)
    assert.deepEqual(await list(), ['ann/alternating', 'ann/objects', 'ann/packs', 'ann/refs'])
  })

  test('refuses objects that a push would be refused with', async (t) => {
    const { app, client, put, adopt } = await start(t)
    const folder = await put('ann/one.git')
    const git = (...parameters: string[]) => client.git(['--git-dir', folder, ...parameters])
    const blob = await git('rev-parse', 'main:file.txt')
    writeFileSync(
      join(client.home, 'tree'),
      Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')]),
    )
    const literally = ['--literally', '-t', 'tree', '-w', join(client.home, 'tree')]
    const tree = await git('hash-object', ...literally)
    const commit = await git(
      '-c',
      'user.name=x',
      '-c',
      'user.email=x',
      'commit-tree',
      '-m',
      'x',
      tree,
    )
    await git('update-ref', 'refs/heads/main', commit)

    assertError(await adopt('ann/one'), 422, /^it cannot be adopted: /)

    assert.ok(existsSync(folder))
    assert.equal(foldersOf(app), 0)
  })

  test('refuses references in a form that it does not read', async (t) => {
    const { place, adopt } = await start(t)
    const folder = join(place, 'ann', 'one.git')
    mkdirSync(join(folder, 'reftable'), { recursive: true })
    mkdirSync(join(folder, 'objects'))
    mkdirSync(join(folder, 'refs'))

    assertError(await adopt('ann/one'), 422, /reftable/)
  })

  test('wants an owner, a folder and a name that is free', async (t) => {
    const { app, ann, put, adopt } = await start(t)
    for (const name of ['nobody/one', 'ann/taken', 'ann/-', 'ann/feed.rss', 'ann/a..b']) {
      await put(`${name}.git`)
    }
    await app.post(ann, '/user/repos', { name: 'Taken' })

    assertError(await adopt('nobody/one'), 404)
    assertError(await adopt('ann/missing'), 404, 'not found')
    for (const path of [
      'ann/..',
      'ann/..%2f..%2fann%2ftaken',
      '..%2fadopt%2fann/taken',
      'ann/%00',
    ]) {
      assertStatus(await adopt(path), 404)
    }
    assertError(await adopt('ann/taken'), 409, 'The repository with the same name already exists.')
    assertError(await adopt('ann/-'), 422, 'name is reserved [name: -]')
    assertError(await adopt('ann/feed.rss'), 422, /name pattern is not allowed/)
    assertError(await adopt('ann/a..b'), 422, /name is invalid/)
    assert.equal(foldersOf(app), 1)
  })

  test('counts for the quota of its owner', async (t) => {
    const { app, client, work, put, adopt, list } = await start(t, { quota: { per_owner: '1MiB' } })
    await put('ann/small.git')
    writeFileSync(join(work, 'large'), randomBytes(2 * 1024 * 1024))
    await client.commit(work, 'large')
    await put('ann/large.git')

    assertStatus(await adopt('ann/small'), 204)
    assertStatus(await adopt('ann/large'), 413)

    assert.deepEqual(await list(), ['ann/large'])
    assert.equal(foldersOf(app), 1)
  })

  test('makes one of what is asked for many times at once', async (t) => {
    const { host, app, put, adopt } = await start(t)
    await put('ann/one.git')

    const answers = await Promise.all(Array.from({ length: 6 }, () => adopt('ann/one')))

    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 204).length, 1)
    assert.ok(
      statuses.every((status) => [204, 404, 409, 422].includes(status)),
      statuses.join(),
    )
    assert.equal(foldersOf(app), 1)
    await host.assertSound('ann/one')
  })

  test('leaves everything as it was when it fails at the end', async (t) => {
    const { app, put, adopt, list } = await start(t)
    await put('ann/one.git')
    const failing = t.mock.method(app.ctx.jobs, 'enqueue', () => Promise.reject(new Error('no')))

    assertStatus(await adopt('ann/one'), 500)

    assert.deepEqual(await list(), ['ann/one'])
    assert.equal(foldersOf(app), 0)
    failing.mock.restore()
    assertStatus(await adopt('ann/one'), 204)
  })
})

suite('DELETE /admin/unadopted/{owner}/{repo}', () => {
  test('removes the folder and its wiki, whoever its owner is, and nothing behind links', async (t) => {
    const { app, client, root, ann, put, list } = await start(t)
    const folder = await put('nobody/one.git')
    await put('nobody/one.wiki.git')
    await put('nobody/two.git')
    mkdirSync(join(client.home, 'kept'))
    writeFileSync(join(client.home, 'kept', 'file'), '')
    symlinkSync(join(client.home, 'kept'), join(folder, 'link'))
    await app.post(ann, '/user/repos', { name: 'one' })

    assertStatus(await app.delete(root, `${PATH}/nobody/ONE`), 204)

    assert.deepEqual(await list(), ['nobody/two'])
    assert.ok(existsSync(join(client.home, 'kept', 'file')))
    assertError(await app.delete(root, `${PATH}/nobody/one`), 404, 'not found')
    assertError(await app.delete(root, `${PATH}/ann/one`), 404, 'not found')
    assertStatus(await app.get(ann, '/repos/ann/one'), 200)
    assert.equal(foldersOf(app), 1)
  })
})

suite('what is adopted', () => {
  test('at the same moment as it is deleted is there as a whole, or not found', async (t) => {
    const { app, client, root, ann, work, put, adopt } = await start(t)
    for (let count = 0; count < 30; count++) await client.commit(work, `commit ${count}`)
    const prepare = async (round: number) => {
      await put(`ann/r${round}.git`)
      return `ann/r${round}`
    }
    const remove = async (path: string) => {
      await delay(8)
      return app.delete(root, `${PATH}/${path}`)
    }

    await atOnce(prepare, [adopt, remove], async (path, [adopted]) => {
      const { status, body } = await app.get(ann, `/repos/${path}`)
      const expected = adopted.status === 404 ? [404, 404, undefined] : [204, 200, false]
      assert.deepEqual([adopted.status, status, body.empty], expected)
    })
  })

  test('twice at once is there once', async (t) => {
    const { app, ann, put, adopt } = await start(t)
    const prepare = async (round: number) => {
      await put(`ann/r${round}.git`)
      return `ann/r${round}`
    }

    await atOnce(prepare, [adopt, adopt], async (path, answers) => {
      const [done, refused] = answers.map(({ status }) => status).toSorted((a, b) => a - b)
      assert.equal(done, 204)
      assert.ok(refused === 404 || refused === 409, String(refused))
      assert.equal((await app.get(ann, `/repos/${path}`)).body.empty, false)
    })

    assert.equal(foldersOf(app), 6)
  })
})
