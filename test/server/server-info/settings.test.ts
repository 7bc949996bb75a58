// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'

suite('GET /settings/*', () => {
  test('are public and show the defaults', async (t) => {
    const app = await startApp(t)
    const read = async (name: string) => (await app.get(undefined, `/settings/${name}`)).body

    assert.deepEqual(await read('api'), {
      max_response_items: 50,
      default_paging_num: 30,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10485760,
      default_max_response_size: 104857600,
    })
    assert.partialDeepStrictEqual(await read('attachment'), {
      enabled: true,
      max_size: 100,
      max_files: 5,
    })
    assert.equal(
      (await read('attachment')).allowed_types,
      '.avif,.cpuprofile,.csv,.dmp,.docx,.fodg,.fodp,.fods,.fodt,.gif,.gz,.jpeg,.jpg,.json,.jsonc,.log,.md,.mov,.mp4,' +
        '.odf,.odg,.odp,.ods,.odt,.patch,.pdf,.png,.pptx,.svg,.tgz,.txt,.webm,.webp,.xls,.xlsx,.zip',
    )
    assert.deepEqual(await read('repository'), {
      mirrors_disabled: false,
      http_git_disabled: false,
      migrations_disabled: false,
      stars_disabled: false,
      time_tracking_disabled: false,
      lfs_disabled: false,
    })
    assert.deepEqual(await read('ui'), {
      default_theme: 'gitea-auto',
      allowed_reactions: ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'],
      custom_emojis: ['git', 'gitea', 'codeberg', 'gitlab', 'github', 'gogs'],
    })
  })

  test('show what is configured', async (t) => {
    const app = await startApp(t, {
      mirror: { enabled: false },
      repositories: { http_git: false, migrations: false, stars: false },
      time_tracking: { enabled: false },
      lfs: { enabled: false },
      attachment: { allowed_types: '', max_size: '7MiB' },
    })

    assert.deepEqual((await app.get(undefined, '/settings/repository')).body, {
      mirrors_disabled: true,
      http_git_disabled: true,
      migrations_disabled: true,
      stars_disabled: true,
      time_tracking_disabled: true,
      lfs_disabled: true,
    })
    assert.partialDeepStrictEqual((await app.get(undefined, '/settings/attachment')).body, {
      allowed_types: '',
      max_size: 7,
    })
  })
})

suite('GET /nodeinfo', () => {
  test('does not exist while federation is off', async (t) => {
    const app = await startApp(t)

    const { status, text } = await app.get(undefined, '/nodeinfo')

    assert.equal(status, 404)
    assert.equal(text, '404 page not found\n')
  })

  test('says whether anybody may register', async (t) => {
    for (const sign_up of [true, false]) {
      const app = await startApp(t, { federation: { enabled: true }, users: { sign_up } })
      assert.equal((await app.get(undefined, '/nodeinfo')).body.openRegistrations, sign_up)
    }
  })

  test('describes the server when it is on', async (t) => {
    const app = await startApp(t, { federation: { enabled: true } })
    await app.addPerson('ann')
    await app.ctx.db
      .updateTable('account')
      .set({ last_login_at: app.ctx.now() - 86_400 * 60 })
      .execute()
    await app.addPerson('bob')

    const { status, body } = await app.get(undefined, '/nodeinfo')

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      version: '2.1',
      software: { name: 'codestead' },
      openRegistrations: false,
      usage: { users: { total: 2, activeHalfyear: 1, activeMonth: 0 } },
    })
  })
})
