import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { startApp } from '../../support/app.ts'
import { startMailServer } from '../../support/mail-server.ts'

/** Somebody who is to be mailed, with all that is logged. */
async function withJob(t: TestContext, settings: object = {}) {
  const mail = await startMailServer(t)
  const lines: { msg: string; reason?: string }[] = []
  const write = (line: string) => lines.push(JSON.parse(line) as { msg: string })
  const log = pino({ level: 'warn' }, { write })
  const app = await startApp(t, { mail: { ...mail.settings, ...settings } }, log)
  await app.addPerson('ann')
  const { jobs, db } = app.ctx
  const enqueue = () => jobs.enqueue(db, 'mail_reset', { email: 'ann@example.org' })
  const waiting = () => db.selectFrom('job').selectAll().execute()
  const givenUp = () =>
    lines.filter(({ msg }) => msg === 'mail given up').map(({ reason }) => reason)
  return { mail, app, jobs, enqueue, waiting, givenUp }
}

suite('a mail', () => {
  test('is tried again when the server is away, under the same id', async (t) => {
    const { mail, app, jobs, enqueue, waiting, givenUp } = await withJob(t)
    const ids = new Set<string | undefined>()
    await enqueue()

    for (const code of [451, 421, 450]) {
      mail.refusal = { code, at: code === 450 ? 'recipient' : 'message' }
      await jobs.runDue()
      const [job] = await waiting()
      assert.match(job?.last_error ?? '', new RegExp(`^mail not sent: .*${code}`))
      app.passTime(600)
    }
    mail.refusal = undefined
    await jobs.runDue()
    ids.add(mail.take()[0]?.headers['message-id'])

    assert.deepEqual([ids.size, await waiting(), givenUp()], [1, [], []])
    assert.match([...ids][0] ?? '', /^<reset-\d+@codestead\.test>$/)
    await jobs.runDue()
    assert.deepEqual(mail.take(), [])
  })

  test('is given up, with a line in the log, when the server will never take it', async (t) => {
    for (const at of ['recipient', 'message'] as const) {
      const { mail, jobs, enqueue, waiting, givenUp } = await withJob(t)
      mail.refusal = { code: 550, at }
      await enqueue()

      await jobs.runDue()

      assert.deepEqual([mail.take(), await waiting()], [[], []])
      assert.equal(givenUp().length, 1)
      assert.match(givenUp()[0] ?? '', /550/)
    }
  })

  test('is given up when it was tried for long enough', async (t) => {
    const { mail, app, jobs, enqueue, waiting, givenUp } = await withJob(t, { retry_for: '20m' })
    mail.refusal = { code: 451, at: 'message' }
    await enqueue()
    await jobs.runDue()
    app.passTime(600)
    await jobs.runDue()
    assert.deepEqual([(await waiting()).length, givenUp()], [1, []])

    app.passTime(600)
    await jobs.runDue()

    assert.deepEqual([await waiting(), givenUp().length], [[], 1])
    mail.refusal = undefined
    app.passTime(86_400)
    await jobs.runDue()
    assert.deepEqual(mail.take(), [])
  })

  test('is not sent again when whoever sent it has died over it', async (t) => {
    const { mail, app, jobs, enqueue, waiting, givenUp } = await withJob(t)
    await enqueue()
    const left = { worker: 'another', lease_until: app.ctx.now() - 1 }
    await app.ctx.db.updateTable('job').set(left).execute()

    await jobs.runDue()

    assert.deepEqual([mail.take(), await waiting()], [[], []])
    assert.match(givenUp()[0] ?? '', /may have sent it/)
  })

  test('waits with the others of its lane, and holds nothing else back', async (t) => {
    const { mail, app, jobs, enqueue } = await withJob(t)
    const done: string[] = []
    jobs.handle('remove_repository_folder', async () => void done.push('folder'))
    mail.refusal = { code: 451, at: 'message' }
    await enqueue()
    await jobs.enqueue(app.ctx.db, 'remove_repository_folder', { folder: 'x' })

    await jobs.runDue()

    assert.deepEqual(done, ['folder'])
  })
})
