import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { buildApp, type App } from '../../../src/server/app.ts'
import { configWith, loadConfig } from '../../../src/platform/config/config.ts'
import { withDatabase } from '../../../src/platform/db/database.ts'
import { makeEmptyDatabase } from '../../support/databases.ts'
import { TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { Machine, startMachine } from '../../support/terminal.ts'

const marks = ['database-id', 'repositories/database-id', 'files/marks']
const log = pino({ level: 'silent' })

async function startOn(t: TestContext, machine: Machine): Promise<App> {
  const app = await buildApp(loadConfig(machine.environment), log)
  t.after(() => app.close())
  return app
}

/** Starts, does something and stops again. */
async function during(machine: Machine, work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await buildApp(loadConfig(machine.environment), log)
  try {
    await work(new TestApp(app, { offset: 0 }))
  } finally {
    await app.close()
  }
}

/** A server that has served: ann has two repositories. */
async function startUsed(t: TestContext): Promise<Machine> {
  const machine = await startMachine(t)
  await during(machine, async (app) => {
    const ann = await app.addCaller('ann', { isAdmin: true })
    for (const name of ['one', 'two'])
      assertStatus(await app.post(ann, '/user/repos', { name, auto_init: true }), 201)
  })
  return machine
}

function foldersOf({ data }: Machine): readonly string[] {
  const shards = readdirSync(join(data, 'repositories')).filter((name) =>
    /^[0-9a-f]{2}$/.test(name),
  )
  return shards.flatMap((shard) => readdirSync(join(data, 'repositories', shard)))
}

/** The same data folder with a database on which nobody has ever been. */
async function withEmptyDatabase(t: TestContext, machine: Machine): Promise<Machine> {
  const { url, remove } = await makeEmptyDatabase()
  t.after(remove)
  if (url === '') rmSync(join(machine.data, 'codestead.db'))
  return new Machine(machine.data, url)
}

suite('a start', () => {
  test('on an empty database is refused beside a filled data folder, and changes nothing', async (t) => {
    const machine = await startUsed(t)
    const empty = await withEmptyDatabase(t, machine)

    await assert.rejects(startOn(t, empty), /belongs to another database.*adopt-database/)
    const command = await empty.admin(['user', 'list'])

    assert.equal(command.status, 1)
    assert.match(command.notes, /belongs to another database/)
    assert.equal(foldersOf(machine).length, 2)
  })

  test('on an empty database is refused beside repositories that no mark belongs to', async (t) => {
    const machine = await startUsed(t)
    for (const mark of marks) rmSync(join(machine.data, mark), { recursive: true })
    const empty = await withEmptyDatabase(t, machine)

    await assert.rejects(startOn(t, empty), /names 0 of 2 repositories/)
    assert.equal(foldersOf(machine).length, 2)
  })

  test('takes what was made before there were marks where the database names it', async (t) => {
    const machine = await startUsed(t)
    for (const mark of marks) rmSync(join(machine.data, mark), { recursive: true })

    await during(machine, async (app) => {
      assertStatus(await app.get(undefined, '/repos/ann/one'), 200)
    })

    assert.ok(existsSync(join(machine.data, 'repositories/database-id')))
  })

  test('is refused where the repositories are not there, as when a disk is not mounted', async (t) => {
    const machine = await startUsed(t)
    renameSync(join(machine.data, 'repositories'), join(machine.data, 'away'))
    mkdirSync(join(machine.data, 'repositories'))

    await assert.rejects(startOn(t, machine), /is a disk not mounted/)
    rmSync(join(machine.data, 'repositories'), { recursive: true })
    renameSync(join(machine.data, 'away'), join(machine.data, 'repositories'))

    await during(machine, async (app) => {
      assertStatus(await app.get(undefined, '/repos/ann/one'), 200)
    })
  })

  test('is allowed by somebody who has looked', async (t) => {
    const machine = await startUsed(t)
    const empty = await withEmptyDatabase(t, machine)
    await assert.rejects(startOn(t, empty))

    const look = await empty.admin(['adopt-database'])
    assert.match(look.out, /repositories on the disk +2\n/)
    assert.match(look.out, /the database names +0/)
    await assert.rejects(startOn(t, empty))
    assert.equal((await empty.admin(['adopt-database', '--yes'])).status, 0)

    await during(empty, async (app) => {
      // Neither the daily sweeps nor one that somebody asks for takes anything on the first day.
      await app.ctx.schedule.runDue()
      await app.ctx.schedule.runNow('sweep_repository_folders')
    })
    assert.equal(foldersOf(machine).length, 2)
  })
})

suite('an older copy of the database', () => {
  test('is noticed by the data folder', async (t) => {
    const machine = await startUsed(t)
    await during(machine, async () => undefined)
    await withDatabase(loadConfig(machine.environment), async (db) => {
      await db.updateTable('database_identity').set({ starts: 1 }).execute()
    })

    await assert.rejects(startOn(t, machine), /the database is older than .* knows of 1 starts.* 2/)
    await machine.admin(['adopt-database', '--yes'])

    await during(machine, async () => undefined)
  })
})

suite('the secret key', () => {
  test('is made for a new database only', async (t) => {
    const machine = await startUsed(t)
    const key = join(machine.data, 'secret.key')
    renameSync(key, `${key}.away`)

    await assert.rejects(startOn(t, machine), /secret\.key is missing.*new-secret-key/)
    assert.ok(!existsSync(key))
    renameSync(`${key}.away`, key)

    await during(machine, async () => undefined)
  })

  test('is that of the database, or somebody says that it is now', async (t) => {
    const machine = await startUsed(t)
    const other = { CODESTEAD_SECURITY_SECRET_KEY: 'x'.repeat(32) }
    const wrong = new Machine(
      machine.data,
      machine.environment['CODESTEAD_DATABASE_URL'] ?? '',
      other,
    )

    await assert.rejects(startOn(t, wrong), /not that of this database.*security\.secret_key/)
    assert.equal((await wrong.admin(['new-secret-key'])).status, 2)
    assert.equal((await wrong.admin(['new-secret-key', '--yes'])).status, 0)

    await during(wrong, async () => undefined)
    await assert.rejects(startOn(t, machine), /not that of this database/)
  })
})

suite('storage that goes away', () => {
  test('is not read as if nothing were there: 503 until it is back', async (t) => {
    const machine = await startMachine(t)
    const app = new TestApp(await startOn(t, machine), { offset: 0 })
    const ann = await app.addCaller('ann', { isAdmin: true })
    assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
    const { body } = await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1' })
    const octets = { 'content-type': 'application/octet-stream' }
    const assets = `/repos/ann/one/releases/${body.id}/assets`
    const file = await app.post(ann, `${assets}?name=x`, Buffer.from('x'), octets)
    assertStatus(file, 201)
    const api = ['branches', 'branches/main', 'tags', 'commits', 'contents', 'contents/README.md']
    const more = ['raw/README.md', 'archive/main.zip', 'git/refs', 'git/trees/main', 'wiki/pages']
    const pages = ['', '/src/branch/main', '/commits/branch/main', '/raw/branch/main/README.md']
    const git = '^/ann/one.git/info/refs?service=git-upload-pack'
    const paths = [
      ...[...api, ...more].map((path) => `/repos/ann/one/${path}`),
      ...pages.map((path) => `^/ann/one${path}`),
      git,
      `^/attachments/${file.body.uuid}`,
    ]
    const { data } = app.ctx.config
    for (const folder of ['repositories', 'files']) {
      renameSync(join(data, folder), join(data, `${folder}-away`))
      mkdirSync(join(data, folder))
    }

    for (const path of paths) {
      const { status } = await app.get(ann, path, { accept: 'text/html' })
      assert.deepEqual([path, status], [path, 503])
    }

    for (const folder of ['repositories', 'files']) {
      rmSync(join(data, folder), { recursive: true })
      renameSync(join(data, `${folder}-away`), join(data, folder))
    }
    for (const path of paths) {
      const { status } = await app.get(ann, path)
      const isThere = path.endsWith('/wiki/pages') ? status === 404 : status === 200
      assert.ok(isThere, `${path} ${status}`)
    }
  })

  test('is not written to, and health says so', async (t) => {
    const machine = await startMachine(t)
    const app = new TestApp(await startOn(t, machine), { offset: 0 })
    const ann = await app.addCaller('ann', { isAdmin: true })
    assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
    const release = { tag_name: 'v1', target_commitish: 'main', draft: true }
    const { body } = await app.post(ann, '/repos/ann/one/releases', release)
    const { data } = app.ctx.config
    for (const folder of ['repositories', 'files']) {
      renameSync(join(data, folder), join(data, `${folder}-away`))
      mkdirSync(join(data, folder))
    }

    const health = await app.get(undefined, '^/api/healthz')
    assertStatus(await app.post(ann, '/user/repos', { name: 'two', auto_init: true }), 503)
    const octets = { 'content-type': 'application/octet-stream' }
    const assets = `/repos/ann/one/releases/${body.id}/assets?name=x`
    assertStatus(await app.post(ann, assets, Buffer.from('x'), octets), 503)

    assertStatus(health, 503)
    assert.deepEqual(Object.keys(health.body.checks).sort(), [
      'database:ping',
      'storage:files',
      'storage:repositories',
    ])
    for (const folder of ['repositories', 'files']) {
      assert.deepEqual(readdirSync(join(data, folder)), [])
      rmSync(join(data, folder), { recursive: true })
      renameSync(join(data, `${folder}-away`), join(data, folder))
    }
    assertStatus(await app.get(undefined, '^/api/healthz'), 200)
    assertStatus(await app.post(ann, '/user/repos', { name: 'two', auto_init: true }), 201)
  })
})

test('a folder that the server makes is for its owner alone', async (t) => {
  const machine = await startMachine(t)
  const data = join(machine.data, 'new')
  const config = configWith(data, {
    database: { url: machine.environment['CODESTEAD_DATABASE_URL'] ?? '' },
  })

  const app = await buildApp(config, log)
  await app.close()

  assert.equal(statSync(data).mode & 0o777, 0o700)
})
