import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { createOwn as create, foldersOf, TAKEN } from './support.ts'

suite('POST /user/repos', () => {
  test('checks the body, in the order of its fields', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const cases: [object, string][] = [
      [{ name: '' }, '[Name]: Required'],
      [{ name: null }, '[Name]: Required'],
      [{ name: 'a b' }, '[Name]: AlphaDashDot'],
      [{ name: 'a\n' }, '[Name]: AlphaDashDot'],
      [{ name: 'é' }, '[Name]: AlphaDashDot'],
      [{ name: 'n '.repeat(101) }, '[Name]: AlphaDashDot'],
      [{ name: 'n'.repeat(101), description: 'd'.repeat(2049) }, '[Name]: MaxSize'],
      [{ description: '😀'.repeat(2049), license: 'x'.repeat(101) }, '[Description]: MaxSize'],
      [{ issue_labels: 'x'.repeat(256) }, '[IssueLabels]: MaxSize'],
      [{ gitignores: 'x'.repeat(1025) }, '[Gitignores]: MaxSize'],
      [{ license: 'x'.repeat(101) }, '[License]: MaxSize'],
      [{ readme: 'x'.repeat(256) }, '[Readme]: MaxSize'],
      [{ default_branch: 'a b' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: 'x.lock' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: 'x '.repeat(60) }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: 'x'.repeat(101) }, '[DefaultBranch]: MaxSize'],
      [{ default_branch: '-x' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: 'HEAD' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: '漢'.repeat(84), auto_init: true }, '[DefaultBranch]: GitRefName'],
      [{ object_format_name: 'unknown' }, '[ObjectFormatName]: MaxSize'],
    ]

    for (const [body, message] of cases) assertError(await create(app, ann, body), 422, message)
    for (const body of [{ private: 'yes' }, { auto_init: 1 }, { template: [] }, { readme: {} }])
      assertError(await create(app, ann, { ...body, name: '' }), 422, /^\[\]: /)
    assert.deepEqual(foldersOf(app), [])
    const longest = { description: '😀'.repeat(2048), default_branch: 'b'.repeat(100) }
    assertStatus(await create(app, ann, { ...longest, name: 'n'.repeat(100) }), 201)
  })

  test('refuses what the contract refuses, and leaves nothing behind', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const init = { auto_init: true }
    const noReadme = 'readme template does not exist, available templates: [Default]'
    const cases: [object, number, string | RegExp][] = [
      [{ ...init, readme: 'Nope' }, 400, noReadme],
      [{ ...init, readme: '../../etc/passwd' }, 400, noReadme],
      [
        { issue_labels: '/abs/x' },
        422,
        'failed to load label template file "/abs/x": label template "/abs/x" not found',
      ],
      [{ issue_labels: 'default' }, 422, /label template "default" not found$/],
      [{ object_format_name: 'md5' }, 422, /md5/],
      [{ object_format_name: 'SHA1' }, 422, /SHA1/],
      [{ name: '-' }, 422, 'name is reserved [name: -]'],
      [{ name: '.' }, 422, 'name is reserved [name: .]'],
      [{ name: '..' }, 422, 'name is reserved [name: ..]'],
      [{ name: 'x.GIT' }, 422, 'name pattern is not allowed [pattern: *.git]'],
      [{ name: '.git' }, 422, 'name pattern is not allowed [pattern: *.git]'],
      [{ name: 'x.wiki' }, 422, 'name pattern is not allowed [pattern: *.wiki]'],
      [{ name: 'x.Rss' }, 422, 'name pattern is not allowed [pattern: *.rss]'],
      [{ name: 'x.atom' }, 422, 'name pattern is not allowed [pattern: *.atom]'],
      [
        { name: 'a..b' },
        422,
        'name is invalid [a..b]: must be valid alpha or numeric or dash(-_) or dot characters',
      ],
      [{ ...init, gitignores: 'Go,../b' }, 422, /\.\.\/b/],
      [{ ...init, gitignores: 'Go, Node' }, 422, / Node/],
      [{ ...init, license: '..\\..\\x' }, 422, /license/],
      [{ ...init, license: 'mit' }, 422, /license/],
    ]

    for (const [body, status, message] of cases)
      assertError(await create(app, ann, body), status, message)
    assert.deepEqual(foldersOf(app), [])
    assert.deepEqual(await app.ctx.db.selectFrom('repository').select('id').execute(), [])
    assert.deepEqual(await app.ctx.db.selectFrom('activity').select('id').execute(), [])
    assertStatus(await create(app, ann, init), 201)
  })

  test('refuses in the order of the contract, whatever else is wrong', async (t) => {
    const app = await startApp(t, { repositories: { max_per_user: 1 } })
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await create(app, ann, {})
    const faults = { auto_init: true, gitignores: 'Nope', license: 'Nope' }
    const named = { ...faults, name: '..' }
    const formed = { ...named, object_format_name: 'md5' }
    const labelled = { ...formed, issue_labels: 'Nope' }
    const begun = { ...labelled, readme: 'Nope' }
    const root = await app.addAdmin()
    await create(app, root, {})

    assertError(await create(app, ann, { ...begun, description: 'x'.repeat(2049) }), 422)
    assertError(await create(app, ann, begun), 400)
    assertError(await create(app, ann, labelled), 403, /maximum limit/)
    assertError(await create(app, bob, labelled), 422, /label template/)
    assertError(await create(app, bob, formed), 422, /md5/)
    assertError(await create(app, bob, named), 422, 'name is reserved [name: ..]')
    assertError(await create(app, root, faults), 409, TAKEN)
    assertError(await create(app, bob, faults), 422, /gitignore/)
    await app.post(ann, '/orgs', { username: 'acme' })
    const acting = (body: object) => app.post(root, '/user/repos', body, { sudo: 'acme' })
    assertError(await acting({ ...begun, name: '' }), 422, '[Name]: Required')
    assertError(await acting(begun), 422, 'not allowed creating repository for organization')
  })

  test('gives a name once per owner, whatever the letter case', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await create(app, ann, {})

    assertError(await create(app, ann, {}), 409, TAKEN)
    assertError(await create(app, ann, { name: 'DEMO' }), 409, TAKEN)
    assertStatus(await create(app, bob, { name: 'Demo' }), 201)
    assert.equal(foldersOf(app).length, 2)
  })

  test('of one name twenty times at once makes one repository', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(app, ann, { name: index % 2 ? 'demo' : 'DEMO', auto_init: index % 3 === 0 }),
      ),
    )

    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal(answers.filter(({ status }) => status === 409).length, 19)
    assert.equal(foldersOf(app).length, 1)
  })

  test('keeps within the limit of the owner; administrators are exempt', async (t) => {
    const app = await startApp(t, { repositories: { max_per_user: 1 } })
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    await app.patch(root, '/admin/users/bob', { max_repo_creation: 0 })

    assertStatus(await create(app, ann, { name: 'one' }), 201)
    assertError(
      await create(app, ann, { name: 'two' }),
      403,
      'user has reached maximum limit of repositories [limit: -1]',
    )
    assertError(
      await create(app, bob, { name: 'one' }),
      403,
      'user has reached maximum limit of repositories [limit: 0]',
    )
    for (const name of ['one', 'two']) assertStatus(await create(app, root, { name }), 201)
    await app.patch(root, '/admin/users/ann', { max_repo_creation: 2 })
    assertStatus(await create(app, ann, { name: 'two' }), 201)
    assertError(
      await create(app, ann, { name: 'three' }),
      403,
      'user has reached maximum limit of repositories [limit: 2]',
    )
    assertStatus(await app.delete(ann, '/repos/ann/two'), 204)
    assertStatus(await create(app, ann, { name: 'three' }), 201)
    assertStatus(await app.post(root, '/admin/users/bob/repos', { name: 'given' }), 201)
  })

  test('keeps within it however many are made at once', async (t) => {
    const app = await startApp(t, { repositories: { max_per_user: 2 } })
    const ann = await app.addCaller('ann')

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => create(app, ann, { name: `r${index}` })),
    )

    assert.equal(answers.filter(({ status }) => status === 201).length, 2)
    assert.equal(answers.filter(({ status }) => status === 403).length, 6)
    assert.equal(foldersOf(app).length, 2)
  })

  test('needs a signed-in caller with both scopes and no public-only token', async (t) => {
    const app = await startApp(t)
    const ann = (await app.addCaller('ann')).account

    assertError(await create(app, undefined, { name: '' }), 401, 'token is required')
    assertError(
      await create(app, await app.withToken(ann, ['write:repository']), {}),
      403,
      /required=\[write:user\]/,
    )
    assertError(
      await create(app, await app.withToken(ann, ['write:user']), {}),
      403,
      /required=\[write:repository\]/,
    )
    const outside = await app.withToken(ann, ['public-only', 'all'])
    assertError(
      await create(app, outside, { name: '' }),
      403,
      'this endpoint is not available for public-only tokens',
    )
  })
})
