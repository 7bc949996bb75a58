import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { keyOf } from '../../../src/platform/files/key.ts'
import { sweepAttachments } from '../../../src/repositories/attachments/sweep.ts'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { sweepFolders } from '../../../src/repositories/repository/sweep.ts'
import { filesFolder } from '../../../src/platform/storage/open-storage.ts'
import { emptyTrash } from '../../../src/platform/sweeps/trash.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { machineOf } from '../../support/terminal.ts'
import { signIn } from '../../web/support.ts'

const DAY = 86_400

async function addStrayFile({ ctx }: TestApp): Promise<string> {
  const key = keyOf(randomUUID())
  await ctx.files.put(
    key,
    (async function* () {
      yield Buffer.from('x')
    })(),
  )
  utimesSync(join(filesFolder(ctx.config), key), 1, 1)
  return key
}

function addStrayFolder({ ctx }: TestApp): string {
  const path = repositoryFolder(ctx.config, randomUUID())
  mkdirSync(path, { recursive: true })
  utimesSync(path, 1, 1)
  return path
}

async function isStored({ ctx }: TestApp, key: string): Promise<boolean> {
  for await (const file of ctx.files.list()) if (file.key === key) return true
  return false
}

suite('what a sweep takes', () => {
  test('comes back from the trash, and is gone for good after some days', async (t) => {
    const app = await startApp(t, { storage: { trash_days: 3 } })
    const key = await addStrayFile(app)
    const folder = addStrayFolder(app)

    await sweepAttachments(app.ctx)
    await sweepFolders(app.ctx)
    assert.deepEqual([await isStored(app, key), existsSync(folder)], [false, false])
    const listed = await machineOf(app).admin(['trash', 'list'])
    assert.equal(listed.out.split('\n').length, 3)
    const restored = await machineOf(app).admin(['trash', 'restore'])
    assert.match(restored.notes, /^2 brought back, 0 left/)
    assert.deepEqual([await isStored(app, key), existsSync(folder)], [true, true])

    await sweepAttachments(app.ctx)
    await sweepFolders(app.ctx)
    app.passTime(3 * DAY)
    await emptyTrash(app.ctx)
    assert.equal((await machineOf(app).admin(['trash', 'list'])).out.split('\n').length, 3)
    app.passTime(DAY)
    await emptyTrash(app.ctx)
    assert.equal((await machineOf(app).admin(['trash', 'list'])).out.split('\n').length, 1)
    assert.match((await machineOf(app).admin(['trash', 'restore'])).notes, /^0 brought back/)
  })

  test('is nothing where it would be too much, until somebody allows it', async (t) => {
    const app = await startApp(t)
    await app.addAdmin('root')
    const folders = Array.from({ length: 11 }, () => addStrayFolder(app))
    const keys = await Promise.all(Array.from({ length: 11 }, () => addStrayFile(app)))

    await sweepAttachments(app.ctx)
    await sweepFolders(app.ctx)
    assert.ok(folders.every((path) => existsSync(path)))
    assert.ok((await Promise.all(keys.map((key) => isStored(app, key)))).every(Boolean))

    const { lastLine, out } = await machineOf(app).admin(['sweep', 'list'])
    assert.match(out, /^attachments +11 of 11$/m)
    assert.match(lastLine, /^repositories +11 of 11$/)
    const root = await signIn(app, 'root')
    const page = await root.get('/-/admin')
    assert.match(page.text, /repositories.*11 of 11/s)
    const doctor = await machineOf(app).admin(['doctor'])
    assert.equal(doctor.status, 1)
    assert.match(doctor.out, /repositories: 11 of 11/)

    assert.equal((await machineOf(app).admin(['sweep', 'allow', '--name', 'x'])).status, 2)
    await machineOf(app).admin(['sweep', 'allow', '--name', 'repositories'])
    await sweepFolders(app.ctx)
    await sweepAttachments(app.ctx)

    assert.ok(folders.every((path) => !existsSync(path)))
    assert.ok((await Promise.all(keys.map((key) => isStored(app, key)))).every(Boolean))
  })

  test('is nothing on the first day of a database', async (t) => {
    const app = await startApp(t)
    const folder = addStrayFolder(app)

    await app.ctx.schedule.runNow('sweep_repository_folders')
    await app.ctx.schedule.stop()
    assert.ok(existsSync(folder))
    app.passTime(DAY)
    await app.ctx.schedule.runNow('sweep_repository_folders')
    await app.ctx.schedule.stop()

    assert.ok(!existsSync(folder))
  })
})
