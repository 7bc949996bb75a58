import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { folderOf } from '../../support/fill.ts'
import { addTemplate, countFolders, generate, readAll } from './support.ts'

suite('POST /repos/{owner}/{repo}/generate', () => {
  test('copies the files of the default branch into one commit by the new owner', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const ben = await app.addCaller('ben')
    await app.post(ben, '/orgs', { username: 'acme' })
    const full = await addTemplate(
      app,
      ann,
      'tpl',
      {
        'README.md': '$REPO_NAME\r\n',
        'bin/run': { content: '#!/bin/sh\n', mode: '100755' },
        link: { content: '../../etc/passwd', mode: '120000' },
        '.gitignore': 'ignored\n',
        ignored: 'kept all the same',
        '.gitattributes': '* text=auto\n',
        'empty.txt': '',
        'wörter "und" \\ mehr.txt': 'x',
        'binary.bin': Buffer.from([0, 1, 2, 36, 123]),
      },
      { description: 'of the template', website: 'https://x.test' },
    )

    const made = await generate(app, ben, full, {
      name: 'copy',
      git_content: true,
      description: 'mine',
    })

    assertStatus(made, 201)
    assert.partialDeepStrictEqual(made.body, {
      full_name: 'ben/copy',
      description: 'mine',
      template: false,
      fork: false,
      mirror: false,
      empty: false,
      private: false,
      default_branch: 'main',
      branch_count: 1,
      watchers_count: 1,
      has_actions: true,
      website: '',
      licenses: [],
      permissions: { admin: true, push: true, pull: true },
    })
    assert.equal((await app.get(ben, '/repos/ben/copy')).body.size, made.body.size)
    assert.deepEqual(await readAll(app, 'ben/copy'), await readAll(app, full))
    const commits = await app.get(ben, '/repos/ben/copy/commits')
    assert.equal(commits.body.length, 1)
    assert.partialDeepStrictEqual(commits.body[0].commit, {
      message: 'Initial commit\n',
      author: { name: 'ben', email: 'ben@example.org' },
      committer: { name: 'ben' },
    })
    const feed = await app.get(ben, '/repos/ben/copy/activities/feeds')
    assert.deepEqual(
      feed.body.map((each: { op_type: string }) => each.op_type),
      ['create_repo'],
    )
    await app.ctx.git.run(await folderOf(app, 'ben/copy'), ['fsck', '--strict'])
    assertStatus(
      await generate(app, ben, full, { owner: 'acme', name: 'ours', git_content: true }),
      201,
    )
    const ours = await app.get(ben, '/repos/acme/ours/commits')
    assert.equal(ours.body[0].commit.author.name, 'acme')
  })

  test('keeps object format, submodules and names in no known encoding', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(
      app,
      ann,
      'tpl',
      {},
      { object_format_name: 'sha256', trust_model: 'committer' },
    )
    const folder = await folderOf(app, full)
    const stream = Buffer.concat([
      Buffer.from('feature done\ncommit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 0\n'),
      Buffer.from(`M 160000 ${'ab'.repeat(32)} sub/module\nM 100644 inline "caf`),
      Buffer.from([0xe9]),
      Buffer.from('"\ndata 2\nx\n\nM 100644 inline .gitea/template\ndata 2\n**\ndone\n'),
    ])
    await app.ctx.git.run(folder, ['fast-import', '--quiet'], { input: stream })

    const made = await generate(app, ann, full, { name: 'copy', git_content: true })

    assertStatus(made, 201)
    assert.equal(made.body.object_format_name, 'sha256')
    const copy = await folderOf(app, 'ann/copy')
    const listed = await app.ctx.git.run(copy, ['ls-tree', '-r', '-z', '--name-only', 'main'])
    assert.deepEqual(
      listed,
      Buffer.concat([Buffer.from('caf'), Buffer.from([0xe9]), Buffer.from('\0sub/module\0')]),
    )
    assert.equal((await readAll(app, 'ann/copy'))['sub/module'], `160000 ${'ab'.repeat(32)}`)
    const row = await app.ctx.db
      .selectFrom('repository')
      .select('trust_model')
      .where('name', '=', 'copy')
      .executeTakeFirstOrThrow()
    assert.equal(row.trust_model, 'committer')
  })

  test('copies topics, labels and branch protections when asked for, and nothing else', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const ben = await app.addCaller('ben')
    const full = await addTemplate(app, ann, 'tpl')
    await app.put(ann, `/repos/${full}/topics`, { topics: ['beta', 'alpha'] })
    await app.put(ann, `/repos/${full}/collaborators/ben`, { permission: 'write' })
    await app.post(ann, `/repos/${full}/labels`, {
      name: 'kind/bug',
      color: '#ee0701',
      description: 'a bug',
      exclusive: true,
    })
    await app.post(ann, `/repos/${full}/labels`, {
      name: 'old',
      color: '00aabb',
      is_archived: true,
    })
    const rule = {
      rule_name: 'release/*',
      required_approvals: 2,
      enable_push: true,
      enable_push_whitelist: true,
    }
    assertStatus(
      await app.post(ann, `/repos/${full}/branch_protections`, {
        ...rule,
        push_whitelist_usernames: ['ann', 'ben'],
      }),
      201,
    )
    const other = await addTemplate(app, ann, 'other')
    const config = { url: 'http://example.org/hook', content_type: 'json' }
    for (const [path, body] of [
      ['labels', { name: 'elsewhere', color: 'fff' }],
      ['branch_protections', { rule_name: 'elsewhere' }],
      ['hooks', { type: 'gitea', config }],
    ] as const)
      assertStatus(await app.post(ann, `/repos/${other}/${path}`, body), 201)
    await app.put(ann, `/repos/${other}/topics`, { topics: ['elsewhere'] })
    const items = {
      topics: true,
      labels: true,
      protected_branch: true,
      git_hooks: true,
      webhooks: true,
    }

    const made = await generate(app, ann, full, { name: 'all', ...items })

    assertStatus(made, 201)
    assert.partialDeepStrictEqual(made.body, {
      topics: ['alpha', 'beta'],
      empty: true,
      default_branch: 'main',
      size: 0,
    })
    assert.deepEqual(
      (await app.get(ann, '/repos/ann/all/labels')).body.map(
        ({ id: _id, url: _url, ...label }: Record<string, unknown>) => label,
      ),
      [
        {
          name: 'kind/bug',
          exclusive: true,
          is_archived: false,
          color: 'ee0701',
          description: 'a bug',
        },
        { name: 'old', exclusive: false, is_archived: false, color: '00aabb', description: '' },
      ],
    )
    assert.deepEqual((await app.get(ann, '/repos/ann/all/hooks')).body, [])
    const [copied, ...more] = (await app.get(ann, '/repos/ann/all/branch_protections')).body
    assert.deepEqual(more, [])
    assert.partialDeepStrictEqual(copied, { ...rule, push_whitelist_usernames: ['ann'] })
    await app.put(ann, '/repos/ann/all/collaborators/ben', { permission: 'write' })
    const [later] = (await app.get(ann, '/repos/ann/all/branch_protections')).body
    assert.deepEqual(
      later.push_whitelist_usernames,
      ['ann'],
      'who got access later is not on the list',
    )
    assert.equal((await app.get(ann, '/topics/search?q=alpha')).body.topics[0].repo_count, 2)
    assertStatus(
      await generate(app, ben, full, {
        name: 'hooks',
        git_hooks: true,
        webhooks: true,
        avatar: true,
      }),
      201,
    )
    assert.deepEqual((await app.get(ben, '/repos/ben/hooks/labels')).body, [])
    assert.deepEqual((await app.get(ben, '/repos/ben/hooks')).body.topics, [])
    assert.deepEqual((await app.get(ben, '/repos/ben/hooks/branch_protections')).body, [])
  })

  test('names the branch as asked, else as the template does, else as the server does', async (t) => {
    const app = await startApp(t, { repositories: { default_branch: 'trunk' } })
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', { a: 'x' }, { default_branch: 'main' })
    const empty = await addTemplate(app, ann, 'empty', {}, { default_branch: 'dev' })
    const branch = async (from: string, options: { name: string; [more: string]: unknown }) => {
      const made = await generate(app, ann, from, options)
      assertStatus(made, 201)
      const { default_branch, empty: isEmpty } = (await app.get(ann, `/repos/ann/${options.name}`))
        .body
      return [default_branch, isEmpty]
    }

    assert.deepEqual(await branch(full, { name: 'a', git_content: true }), ['main', false])
    assert.deepEqual(
      await branch(full, { name: 'b', git_content: true, default_branch: 'next/one' }),
      ['next/one', false],
    )
    assert.deepEqual(await branch(full, { name: 'c', labels: true }), ['trunk', true])
    assert.deepEqual(await branch(full, { name: 'd', labels: true, default_branch: 'next' }), [
      'next',
      true,
    ])
    assert.deepEqual(await branch(empty, { name: 'e', git_content: true }), ['trunk', true])
    assert.deepEqual(Object.keys(await readAll(app, 'ann/b', 'next/one')), ['a'])
    const bad = { name: 'x', git_content: true, default_branch: 'a..b' }
    assertError(await generate(app, ann, full, bad), 422, '[DefaultBranch]: GitRefName')
  })

  test('checks in the order of the contract, and leaves nothing behind when it refuses', async (t) => {
    const app = await startApp(t)
    const [ann, ben, cai] = [
      await app.addCaller('ann'),
      await app.addCaller('ben'),
      await app.addCaller('cai'),
    ]
    const root = await app.addAdmin()
    await app.patch(root, '/admin/users/cai', { max_repo_creation: 0 })
    const full = await addTemplate(app, ann, 'tpl', { a: 'x' })
    await addTemplate(app, ann, 'secret', {}, { private: true })
    await addTemplate(app, ann, 'closed')
    await app.patch(ann, '/repos/ann/closed', { has_code: false })
    await app.post(ann, '/user/repos', { name: 'plain' })
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })
    const reader = await app.withToken(ben.account, ['read:repository'])
    const before = countFolders(app)
    const body = { owner: 'ben', name: 'x', git_content: true }
    const post = (who: typeof ben | undefined, template: string, change: object = {}) =>
      app.post(who, `/repos/${template}/generate`, { ...body, ...change })

    assertError(await post(reader, 'ann/nosuch'), 403, /write:repository/)
    assertError(await post(undefined, 'ann/secret'), 404)
    assertError(await post(ben, 'ann/secret'), 404)
    assertError(await post(undefined, full, { name: 5 }), 401, 'token is required')
    assertError(await post(undefined, 'ann/closed'), 401)
    assertError(await post(ben, 'ann/closed', { name: 5 }), 403, /specific read permission/)
    assertError(await post(ben, 'ann/plain', { name: '' }), 422, '[Name]: Required')
    assertError(await post(ben, full, { name: 'a b' }), 422, '[Name]: AlphaDashDot')
    assertError(await post(ben, full, { name: 'n'.repeat(101) }), 422, '[Name]: MaxSize')
    assertError(
      await post(ben, full, { description: 'n'.repeat(2049) }),
      422,
      '[Description]: MaxSize',
    )
    assertError(
      await post(ben, 'ann/plain', { git_content: false }),
      422,
      'this is not a template repo',
    )
    const acme = { owner: 'acme', name: 'x', git_content: false }
    assertError(
      await app.post(root, `/repos/${full}/generate`, acme, { sudo: 'acme' }),
      422,
      'not allowed creating repository for organization',
    )
    const none = await post(ben, full, { owner: 'nosuch', git_content: false })
    assertError(none, 422, 'must select at least one template item')
    await app.addPerson('dora')
    await app.post(root, '/admin/users/dora/rename', { new_username: 'renamed' })
    for (const owner of ['nosuch', '', 'hidden', 'dora']) {
      const unknown = await post(ben, full, { owner, name: '-' })
      assertStatus(unknown, 404)
      assert.deepEqual(unknown.body, { error: `request owner \`${owner}\` does not exist` })
    }
    const other = 'Only admin can generate repository for other user.'
    assertError(await post(ben, full, { owner: 'ann', name: '-' }), 403, other)
    assertError(await post(ben, full, { owner: 'BEN', name: '-' }), 403, other)
    assertError(
      await post(ben, full, { owner: 'acme', name: '-' }),
      403,
      'Given user is not allowed to create repository in organization.',
    )
    assertError(
      await post(cai, full, { owner: 'cai', name: '-' }),
      403,
      'user has reached maximum limit of repositories [limit: 0]',
    )
    assertError(await post(ben, full, { name: '-' }), 422, 'name is reserved [name: -]')
    assertError(
      await post(ben, full, { name: 'x.git' }),
      422,
      'name pattern is not allowed [pattern: *.git]',
    )
    assertError(await post(ben, full, { name: 'a..b' }), 422, /^name is invalid \[a\.\.b\]/)
    assertError(
      await post(ann, full, { owner: 'ann', name: 'TPL' }),
      409,
      'The repository with the same name already exists.',
    )
    assert.equal(countFolders(app), before)
    assertStatus(await post(root, full, { owner: 'cai', name: 'gift' }), 201)
    assertStatus(await post(ann, 'ann/closed', { owner: 'acme', name: 'ours' }), 201)
    assert.equal(
      (await post(ann, full, { owner: 'ann', name: 'p', private: true })).body.private,
      true,
    )
  })

  test('makes one of twenty that want the same name', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', { a: 'x' })
    const before = countFolders(app)

    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        generate(app, ann, full, { name: 'same', git_content: true }),
      ),
    )

    const statuses = Map.groupBy(answers, ({ status }) => status)
    assert.deepEqual([statuses.get(201)?.length, statuses.get(409)?.length], [1, 19])
    assert.equal(countFolders(app), before + 1)
  })

  test('tells that a template which is deleted meanwhile is gone, and leaves nothing', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const rounds = Array.from({ length: 6 }, async (_, round) => {
      const full = await addTemplate(app, ann, `tpl${round}`, { a: 'x', b: 'y'.repeat(100_000) })
      const folder = await folderOf(app, full)
      const making = generate(app, ann, full, { name: `copy${round}`, git_content: true })
      for (let turns = 0; turns < round * 4; turns++) await new Promise(setImmediate)
      await app.delete(ann, `/repos/${full}`)
      rmSync(folder, { recursive: true, force: true })
      return (await making).status
    })

    const statuses = await Promise.all(rounds)

    for (const status of statuses) assert.ok([201, 404].includes(status), String(status))
    assert.equal(countFolders(app), statuses.filter((status) => status === 201).length)
  })

  test('forces what is made to be private when the server says so', async (t) => {
    const app = await startApp(t, { repositories: { force_private: true } })
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl')

    const made = await generate(app, ann, full, { name: 'copy', labels: true, private: false })

    assert.equal(made.body.private, true)
  })
})
