// One database is enough: what SSH asks of it is asked over HTTP, too.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { LARGE_PACK_BYTES } from '../../../src/platform/git/large-pack.ts'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { parseCommand } from '../../../src/protocols/ssh/command.ts'
import { pointerTo, skipWithoutGitLfs } from '../../code/lfs/support.ts'
import { assertStatus } from '../../support/expect.ts'
import { skipWithoutSsh, startSsh } from './support.ts'

suite('git over SSH', { skip: skipWithoutSsh }, () => {
  test('pushes, clones, fetches and archives with the key of an account', async (t) => {
    const ssh = await startSsh(t)
    const { host, ann } = ssh
    const { app, client } = host
    const record = (await app.get(ann, '/repos/ann/one')).body
    assert.equal(record.ssh_url, ssh.url('ann/one.git'))
    const work = await client.makeRepository()

    await client.git(['push', ssh.url('ann/one.git'), 'main', 'main:other'], work)
    assert.match((await client.run(['push', ssh.url('ann/one'), 'main'], work)).notes, /up-to-date/)
    await client.git(['-c', 'protocol.version=0', 'clone', '--quiet', ssh.url('ann/one.git'), 'v0'])
    await client.git([
      'clone',
      '--quiet',
      '--depth=1',
      '--filter=blob:none',
      ssh.url('ann/one'),
      'v2',
    ])
    const archive = ['archive', '--format=tar', `--remote=${ssh.url('ann/one.git')}`, 'main']
    assert.match(await client.git(archive), /first/)

    for (const copy of ['v0', 'v2']) {
      assert.equal(readFileSync(join(client.home, copy, 'file.txt'), 'utf8'), 'first\n')
    }
    const after = (await app.get(ann, '/repos/ann/one')).body
    assert.deepEqual([after.empty, after.branch_count], [false, 2])
    const feed = (await app.get(ann, '/repos/ann/one/activities/feeds')).body
    assert.ok(feed.some(({ op_type }: { op_type: string }) => op_type === 'commit_repo'))
    const [key] = (await app.get(ann, '/user/keys')).body
    assert.notEqual(key.last_used_at, '1970-01-01T00:00:00Z')
    await host.assertSound('ann/one')
  })

  test('keeps a large pack as it comes, and unpacks a small one', async (t) => {
    const ssh = await startSsh(t)
    const { client } = ssh.host
    const work = await client.makeRepository()
    const remote = ssh.url('ann/one.git')
    const folder = await ssh.host.folderOf('ann/one')
    const packs = async () =>
      /^packs: (\d+)$/m.exec(await client.git(['-C', folder, 'count-objects', '-v']))?.[1]

    await client.git(['push', '--push-option=x', remote, 'main', 'main:other'], work)
    await client.git(['push', remote, '--delete', 'other'], work)
    assert.equal(await packs(), '0')
    writeFileSync(join(work, 'noise'), randomBytes(LARGE_PACK_BYTES))
    await client.commit(work, 'noise')
    await client.git(['push', remote, 'main'], work)

    assert.equal(await packs(), '1')
    await ssh.host.assertSound('ann/one')
  })

  test('answers to a pack that is broken', async (t) => {
    const ssh = await startSsh(t)
    const child = ssh.start('git', 'ann', "git-receive-pack '/ann/one.git'")
    t.after(() => child.kill())
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/main\0report-status`
    child.stdin.write(`${pktLine(command)}0000PACK\0\0\0\x02\0\0\0\0${'x'.repeat(20)}`)
    // Still there, as a client that waits for its answer is.
    await once(child, 'close')

    assert.match(said, /unpack .*(error|abnormal|fail)/)
  })

  test('knows what an account may do, and follows renames', async (t) => {
    const ssh = await startSsh(t)
    const { host, ann } = ssh
    const { app, client } = host
    const bob = await app.addCaller('bob')
    await app.post(bob, '/user/keys', { title: 'x', key: ssh.makeKey('bob', 'rsa') })
    await app.post(bob, '/user/keys', {
      title: 'reading',
      key: ssh.makeKey('reader', 'ecdsa'),
      read_only: true,
    })
    const work = await client.makeRepository()
    const push = (path: string) => client.run(['push', ssh.url(path), 'main'], work)
    const look = (path: string) => client.run(['ls-remote', ssh.url(path)])
    await app.post(ann, '/user/repos', { name: 'open' })

    await ssh.use('bob')
    for (const path of ['ann/one.git', 'ann/none.git', 'nobody/one.git', 'one.git']) {
      const { code, notes } = await look(path)
      assert.notEqual(code, 0)
      assert.match(notes, /Repository not found|no such command/)
    }
    assert.equal((await look('ann/open.git')).code, 0)
    assert.match((await push('ann/open.git')).notes, /may not write/)
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    assert.equal((await push('ann/one.git')).code, 0)
    await app.patch(ann, '/repos/ann/one', { name: 'renamed' })
    assert.equal((await look('ann/one.git')).code, 0)
    await ssh.use('reader')
    assert.equal((await look('ann/renamed.git')).code, 0)
    assert.match((await push('ann/renamed.git')).notes, /reading only/)

    await ssh.use('ann')
    await app.patch(ann, '/repos/ann/renamed', { archived: true })
    assert.match((await push('ann/renamed.git')).notes, /archived/)
    const root = await app.addAdmin()
    await app.patch(root, '/admin/users/ann', {
      prohibit_login: true,
      login_name: 'ann',
      source_id: 0,
    })
    assert.match((await look('ann/renamed.git')).notes, /prohibited/)
  })

  test('opens no more with a key than what the key was added with', async (t) => {
    const ssh = await startSsh(t)
    const { host, ann } = ssh
    const { app, client } = host
    const added = async (name: string, scopes: readonly string[]) => {
      const token = await app.withToken(ann.account, scopes)
      const answer = await app.post(token, '/user/keys', { title: name, key: ssh.makeKey(name) })
      assertStatus(answer, 201)
      await ssh.use(name)
      const read = await client.run(['ls-remote', ssh.url('ann/one')])
      const write = await client.run(['push', ssh.url('ann/one'), `main:${name}`], work)
      return { read, write, readOnly: answer.body.read_only as boolean }
    }
    const work = await client.makeRepository()

    const none = await added('none', ['write:user', 'write:issue'])
    const reads = await added('reads', ['write:user', 'read:repository'])
    const writes = await added('writes', ['write:user', 'write:repository'])

    for (const { code, notes } of [none.read, none.write]) {
      assert.notEqual(code, 0)
      assert.match(notes, /added by a token that reaches no repositories/)
    }
    assert.deepEqual([reads.read.code, writes.read.code, writes.write.code], [0, 0, 0])
    assert.match(reads.write.notes, /for reading only/)
    assert.deepEqual([none.readOnly, reads.readOnly, writes.readOnly], [true, true, false])
  })

  test('serves the wiki too, to those whom its unit lets in', async (t) => {
    const ssh = await startSsh(t)
    const { host, ann } = ssh
    const { app, client } = host
    const bob = await app.addCaller('bob')
    await app.post(bob, '/user/keys', { title: 'x', key: ssh.makeKey('bob') })
    const key = { title: 'w', key: ssh.makeKey('writing'), read_only: false }
    assertStatus(await app.post(ann, '/repos/ann/one/keys', key), 201)
    const work = await client.makeRepository()
    const push = (path: string) => client.run(['push', ssh.url(path), 'main'], work)
    const look = (path: string) => client.run(['ls-remote', ssh.url(path)])

    assert.deepEqual([(await look('ann/one.wiki.git')).code, (await look('ann/one')).out], [0, ''])
    assert.equal((await push('ann/one.wiki.git')).code, 0)
    await app.patch(ann, '/repos/ann/one', { name: 'two' })
    assert.match((await look('ann/one.wiki.git')).out, /refs\/heads\/main/)
    await ssh.use('writing')
    await client.commit(work, 'second')
    assert.equal((await push('ann/two.wiki.git')).code, 0)
    assert.equal((await look('ann/two.git')).out, '', 'the code has nothing of it')

    await ssh.use('bob')
    assert.match((await look('ann/two.wiki.git')).notes, /Repository not found/)
    await app.put(ann, '/repos/ann/two/collaborators/bob', { permission: 'read' })
    assert.equal((await look('ann/two.wiki.git')).code, 0)
    assert.match((await push('ann/two.wiki.git')).notes, /may not write to the wiki/)
    await app.patch(ann, '/repos/ann/two', { has_wiki: false })
    for (const name of ['bob', 'writing', 'ann']) {
      await ssh.use(name)
      assert.match((await look('ann/two.wiki.git')).notes, /Repository not found/)
      assert.match((await push('ann/two.wiki.git')).notes, /Repository not found/)
    }
    const lfs = await ssh.run('ann', 'git-lfs-authenticate', 'ann/two.wiki.git', 'download')
    assert.deepEqual([lfs.code, lfs.out], [1, ''])
  })

  test('opens one repository with a deploy key, for reading or for writing', async (t) => {
    const ssh = await startSsh(t)
    const { host, ann } = ssh
    const { app, client } = host
    await app.post(ann, '/user/repos', { name: 'two', private: true })
    const reading = { title: 'r', key: ssh.makeKey('reading'), read_only: true }
    const writing = { title: 'w', key: ssh.makeKey('writing'), read_only: false }
    assertStatus(await app.post(ann, '/repos/ann/one/keys', reading), 201)
    assertStatus(await app.post(ann, '/repos/ann/one/keys', writing), 201)
    const work = await client.makeRepository()
    const push = (path: string, ref = 'main') =>
      client.run(['push', ssh.url(path), `HEAD:${ref}`], work)

    await ssh.use('reading')
    assert.match((await push('ann/one.git')).notes, /may not write/)
    assert.equal((await client.run(['ls-remote', ssh.url('ann/one.git')])).code, 0)
    assert.notEqual((await client.run(['ls-remote', ssh.url('ann/two.git')])).code, 0)
    await ssh.use('writing')
    assert.equal((await push('ann/one.git')).code, 0)
    assert.notEqual((await push('ann/two.git')).code, 0)

    // It opens the code alone: what its commits say closes nothing.
    assertStatus(await app.post(ann, '/repos/ann/one/issues', { title: 'x' }), 201)
    await client.commit(work, 'fixes #1')
    assert.equal((await push('ann/one.git')).code, 0)
    await app.ctx.jobs.runDue()
    assert.equal((await app.get(ann, '/repos/ann/one/issues/1')).body.state, 'open')

    // The rules of branches hold for keys too.
    const rule = { rule_name: 'main', enable_push: true, enable_push_whitelist: true }
    assertStatus(await app.post(ann, '/repos/ann/one/branch_protections', rule), 201)
    await client.commit(work, 'second')
    assert.notEqual((await push('ann/one.git')).code, 0)
    const path = '/repos/ann/one/branch_protections/main'
    await app.patch(ann, path, { push_whitelist_deploy_keys: true })
    assert.equal((await push('ann/one.git')).code, 0)

    const [, { id }] = (await app.get(ann, '/repos/ann/one/keys')).body
    await app.delete(ann, `/repos/ann/one/keys/${id}`)
    assert.notEqual((await push('ann/one.git', 'other')).code, 0)
  })

  test('has no shell, no other command, no forwarding, and no strangers', async (t) => {
    const ssh = await startSsh(t)
    ssh.makeKey('stranger')

    const greeting = await ssh.run('ann', '-T')
    assert.equal(greeting.code, 0)
    assert.match(greeting.out, /^Hi there, ann! .*laptop.* no shell/)
    for (const command of [
      'id',
      'git-upload-pack',
      "git-upload-pack 'ann/one.git'; id",
      'git-upload-pack --help',
      "git-upload-pack '../../etc'",
      'git upload-pack $(id)/x',
      'git-lfs-transfer ann/one.git download',
    ]) {
      const { code, out, notes } = await ssh.run('ann', command)
      assert.deepEqual([code, out], [1, ''], command)
      assert.match(notes, /^codestead: /)
    }
    assert.notEqual(
      (await ssh.run('ann', '-N', '-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:1')).code,
      0,
    )
    assert.match((await ssh.run('stranger', '-T')).notes, /Permission denied \(publickey\)/)
    assert.match((await ssh.runAs('root', 'ann', '-T')).notes, /Permission denied/)

    const { config } = ssh.host.app.ctx
    assert.equal(statSync(join(config.data, 'ssh_host_ed25519_key')).mode & 0o777, 0o600)
  })

  test('ends connections that do not sign in', async (t) => {
    const ssh = await startSsh(t, { ssh: { sign_in_timeout: '1s' } })

    const socket = connect(ssh.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.resume()
    const [hadError] = (await once(socket, 'close')) as [boolean]

    assert.equal(typeof hadError, 'boolean')
  })

  test('hands out tickets for Git LFS', { skip: skipWithoutGitLfs }, async (t) => {
    const ssh = await startSsh(t)
    const { host, ann } = ssh
    const { app, client } = host
    const work = await client.makeRepository()
    await client.git(['lfs', 'install'])
    await client.git(['lfs', 'track', '*.bin'], work)
    const bytes = Buffer.alloc(200_000, 'large ')
    writeFileSync(join(work, 'big.bin'), bytes)
    await client.commit(work, 'with a large file')
    await client.git(['remote', 'add', 'origin', ssh.url('ann/one.git')], work)

    await client.git(['push', 'origin', 'main'], work)
    const key = { title: 'r', key: ssh.makeKey('reading'), read_only: true }
    await app.post(ann, '/repos/ann/one/keys', key)
    await ssh.use('reading')
    await client.git(['clone', '--quiet', ssh.url('ann/one.git'), 'copy'])

    assert.ok(readFileSync(join(client.home, 'copy', 'big.bin')).equals(bytes))
    const { oid } = pointerTo(bytes)
    const ask = await ssh.run('reading', 'git-lfs-authenticate', 'ann/one.git', 'download')
    const { href, header, expires_in } = JSON.parse(ask.out)
    assert.equal(expires_in, 1800)
    const path = `^${new URL(href as string).pathname}`
    assertStatus(await app.get(undefined, `${path}/objects/${oid}`, header), 200)
    assertStatus(
      await app.put(undefined, `${path}/objects/${oid}/${bytes.length}`, bytes, header),
      403,
    )
    assertStatus(await app.get(undefined, `^/ann/two/info/lfs/objects/${oid}`, header), 404)
    const forged = { authorization: `${header.Authorization.slice(0, -1)}x` }
    assertStatus(await app.get(undefined, `${path}/objects/${oid}`, forged), 401)
    const upload = await ssh.run('reading', 'git-lfs-authenticate', 'ann/one.git', 'upload')
    assert.notEqual(upload.code, 0)
    app.passTime(1801)
    assertStatus(await app.get(undefined, `${path}/objects/${oid}`, header), 401)
  })

  test('hands out tickets that end with the key that was shown', async (t) => {
    const ssh = await startSsh(t)
    const { ann } = ssh
    const { app } = ssh.host
    const more = { title: 'more', key: ssh.makeKey('more') }
    const { body } = await app.post(ann, '/user/keys', more)
    const ask = await ssh.run('more', 'git-lfs-authenticate', 'ann/one.git', 'upload')
    const { href, header } = JSON.parse(ask.out)
    const content = 'bytes'
    const { oid, size } = pointerTo(content)
    const path = `^${new URL(href as string).pathname}/objects/${oid}`
    assertStatus(await app.put(undefined, `${path}/${size}`, content, header), 200)
    assertStatus(await app.get(undefined, path, header), 200)

    assertStatus(await app.delete(ann, `/user/keys/${body.id}`), 204)
    assertStatus(await app.get(undefined, path, header), 401)
    assertStatus(await app.put(undefined, `${path}/${size}`, content, header), 401)
  })
})

suite('a command over SSH', () => {
  test('is understood in the forms that git sends', () => {
    const path = { owner: 'ann', repo: 'one', part: 'code' }
    for (const text of [
      "git-upload-pack '/ann/one.git'",
      "git upload-pack 'ann/one.git'",
      'git-upload-pack ann/one',
    ]) {
      assert.deepEqual(parseCommand(text), { kind: 'upload-pack', path })
    }
    assert.deepEqual(parseCommand("git-lfs-authenticate 'ann/one.git' upload"), {
      kind: 'lfs-authenticate',
      path,
      operation: 'upload',
    })
    assert.deepEqual(parseCommand("git-receive-pack 'ann/one.wiki.git'"), {
      kind: 'receive-pack',
      path: { owner: 'ann', repo: 'one', part: 'wiki' },
    })
    assert.partialDeepStrictEqual(parseCommand('git-lfs-authenticate ann/one.wiki.git upload'), {
      path: { repo: 'one.wiki', part: 'code' },
    })
    for (const text of ['', 'git-upload-pack', "git-upload-pack 'a/b' x", 'git-shell a/b', 'a/b']) {
      assert.equal(parseCommand(text), undefined)
    }
  })
})
