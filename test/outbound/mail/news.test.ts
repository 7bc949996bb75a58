import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { notifyOfIssue } from '../../../src/outbound/notifications/notify.ts'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { addBranch, addCollaborator, openPull } from '../../collaboration/pulls/setup.ts'
import { startWithRepository, type Setup } from '../../code/commits/setup.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { startMailServer, type MailServer, type Received } from '../../support/mail-server.ts'
import { countStatements } from '../../support/statements.ts'
import { fromElsewhere, signIn } from '../../web/support.ts'

interface MailSetup extends Setup {
  readonly mail: MailServer
  readonly cat: TestCaller
  readonly issues: string
  /** All that is mailed of what has happened since. */
  readonly mailed: () => Promise<readonly Received[]>
}

async function withMail(t: TestContext, changes: ConfigChanges = {}): Promise<MailSetup> {
  const mail = await startMailServer(t)
  const setup = await startWithRepository(t, {
    ...changes,
    mail: { ...mail.settings, ...changes.mail },
  })
  const cat = await setup.app.addCaller('cat')
  const mailed = async () => {
    await setup.app.ctx.jobs.runDue()
    return mail.take()
  }
  return { ...setup, mail, cat, issues: `${setup.path}/issues`, mailed }
}

const to = (mails: readonly Received[]) => mails.map((mail) => mail.to.join()).sort()

async function choose({ app }: Setup, who: TestCaller, mail_news: string): Promise<void> {
  const browser = await signIn(app, who.name)
  assertStatus(await browser.post('/user/settings/notifications', { mail_news }), 303)
}

suite('mails of issues', () => {
  test('go to who hears of them, and hold together as a thread', async (t) => {
    const setup = await withMail(t)
    const { app, bob, cat, ann, issues, mailed } = setup
    const issue = { title: 'It breaks', body: 'See **this**, @cat: #1' }
    const { body: made } = await app.post(bob, issues, issue)

    const first = await mailed()
    assert.deepEqual(to(first), ['ann@example.org', 'cat@example.org'])
    const [opened] = first
    const url = 'http://codestead.test/ann/one/issues/1'
    assert.equal(opened?.headers['subject'], '[ann/one] It breaks (#1)')
    assert.equal(opened?.headers['from'], 'bob <code@example.org>')
    assert.equal(opened?.headers['message-id'], `<issue-${made.id}@codestead.test>`)
    assert.equal(opened?.headers['in-reply-to'], undefined)
    assert.equal(opened?.headers['list-id'], 'ann/one <one.ann.codestead.test>')
    assert.equal(opened?.headers['list-archive'], '<http://codestead.test/ann/one>')
    const choice = 'http://codestead.test/user/settings/notifications'
    assert.equal(opened?.headers['list-unsubscribe'], `<${choice}>`)
    assert.equal(opened?.headers['auto-submitted'], 'auto-generated')
    assert.match(
      opened?.text ?? '',
      /^bob opened issue #1 in ann\/one:\n\nSee \*\*this\*\*, @cat: #1\n\n/,
    )
    assert.ok(opened?.text.includes(`See it: ${url}\n`) && opened.text.includes(choice))
    assert.match(opened?.html ?? '', /See <strong>this<\/strong>/)
    assert.ok(opened?.html.includes(`<a href="${url}"`))
    assert.ok(opened?.html.includes('<a href="http://codestead.test/cat"'))

    const { body: comment } = await app.post(cat, `${issues}/1/comments`, { body: 'same here' })
    const second = await mailed()
    assert.deepEqual(to(second), ['ann@example.org', 'bob@example.org'])
    const [reply] = second
    assert.equal(reply?.headers['subject'], 'Re: [ann/one] It breaks (#1)')
    assert.equal(reply?.headers['message-id'], `<issue-${made.id}-${comment.id}@codestead.test>`)
    assert.equal(reply?.headers['in-reply-to'], opened?.headers['message-id'])
    assert.equal(reply?.headers['references'], opened?.headers['message-id'])
    assert.match(reply?.text ?? '', /^cat commented on issue #1 in ann\/one:\n\nsame here\n\n/)
    assert.ok(reply?.text.includes(`${url}#issuecomment-${comment.id}\n`))

    for (const [state, deed] of [
      ['closed', 'closed'],
      ['open', 'reopened'],
    ] as const) {
      await app.patch(ann, `${issues}/1`, { state })
      const changed = await mailed()
      assert.deepEqual(to(changed), ['bob@example.org', 'cat@example.org'])
      assert.match(changed[0]?.text ?? '', new RegExp(`^ann ${deed} issue #1 in ann/one:\n\n-- \n`))
    }
  })

  test('tell of pull requests, reviews and merges, too', async (t) => {
    const setup = await withMail(t)
    const { app, ann, bob, path, mailed } = setup
    await addBranch(setup, 'topic', { 'a.txt': 'a\n' })
    await addCollaborator(setup, bob, 'write')
    await app.put(bob, `${path}/subscription`)
    await openPull(setup, { body: 'look' })

    const opened = await mailed()
    assert.deepEqual(to(opened), ['bob@example.org'])
    assert.match(opened[0]?.text ?? '', /^ann opened pull request #1 in ann\/one:\n\nlook\n/)
    assert.match(opened[0]?.text ?? '', /http:\/\/codestead\.test\/ann\/one\/pulls\/1\n/)
    const comments = [{ path: 'a.txt', body: 'why?', new_position: 1 }]
    for (const [event, deed] of [
      ['REQUEST_CHANGES', 'asked for changes of'],
      ['APPROVED', 'approved'],
      ['COMMENT', 'reviewed'],
    ]) {
      const review = { event, body: 'my word', comments }
      assertStatus(await app.post(bob, `${path}/pulls/1/reviews`, review), 200)
      const [mail, ...others] = await mailed()
      assert.deepEqual([mail?.to, others], [['ann@example.org'], []])
      const said = `bob ${deed} pull request #1 in ann/one:\n\nmy word\n\n\`a.txt\`:\n\nwhy?\n\n`
      assert.ok(mail?.text.startsWith(said), mail?.text)
    }
    assertStatus(await app.post(ann, `${path}/pulls/1/merge`, { Do: 'merge' }), 200)
    const merged = await mailed()
    assert.deepEqual(to(merged), ['bob@example.org'])
    assert.match(merged[0]?.text ?? '', /^ann merged pull request #1 in ann\/one:/)
  })

  test('tell those who are assigned or asked for a review, also who want mentions alone', async (t) => {
    const setup = await withMail(t)
    const { app, ann, bob, cat, issues, path, mailed } = setup
    await addBranch(setup, 'topic', { 'a.txt': 'a\n' })
    for (const who of [bob, cat]) {
      await addCollaborator(setup, who, 'write')
      await app.delete(who, `${path}/subscription`)
    }
    await choose(setup, bob, 'mentions')
    await app.post(ann, issues, { title: 'It breaks', body: 'long ago' })
    await openPull(setup)
    await mailed()

    await app.patch(ann, `${issues}/1`, { assignees: ['bob'] })
    const [assigned, ...others] = await mailed()
    await app.post(ann, `${path}/pulls/2/requested_reviewers`, { reviewers: ['cat'] })
    const [asked, ...more] = await mailed()

    assert.deepEqual([others, more], [[], []])
    assert.deepEqual(assigned?.to, ['bob@example.org'])
    assert.match(assigned?.text ?? '', /^ann assigned issue #1 to you in ann\/one:\n\n-- \n/)
    assert.deepEqual(asked?.to, ['cat@example.org'])
    assert.match(
      asked?.text ?? '',
      /^ann asked you to review pull request #2 in ann\/one:\n\n-- \n/,
    )
  })

  test('are not sent to who may not see it any more, nor of what is gone, when they are sent', async (t) => {
    const setup = await withMail(t)
    const { app, ann, bob, cat, path, issues, mail, mailed } = setup
    const root = await app.addAdmin()
    const dan = await app.addCaller('dan')
    const everybody = [bob, cat, dan]
    for (const who of everybody) {
      await addCollaborator(setup, who, 'read')
      await app.put(who, `${path}/subscription`)
    }
    await app.patch(ann, path, { private: true })
    /**
     * To whom it is mailed when things have changed between the moment in which they were to be
     * told and the mail.
     */
    const mailedAfter = async (change: () => Promise<unknown>) => {
      mail.refusal = { code: 451, at: 'message' }
      await app.post(ann, issues, { title: 'news', body: '@bob @cat @dan' })
      await app.ctx.jobs.runDue()
      await change()
      mail.refusal = undefined
      app.passTime(3600)
      return to(await mailed())
    }
    const all = ['bob@example.org', 'cat@example.org', 'dan@example.org']

    assert.deepEqual(await mailedAfter(async () => undefined), all)
    const withoutBob = await mailedAfter(() => app.delete(ann, `${path}/collaborators/bob`))
    assert.deepEqual(withoutBob, all.slice(1))
    const states = [{ active: false }, { active: true, prohibit_login: true }]
    for (const state of states) {
      const change = () => app.patch(root, '/admin/users/dan', state)
      assert.deepEqual(await mailedAfter(change), ['cat@example.org'])
    }
    assert.deepEqual(await mailedAfter(() => choose(setup, cat, 'none')), [])
    await choose(setup, cat, 'all')
    const last = async () => (await app.get(ann, `${issues}?limit=1`)).body[0].number as number
    const remove = async () => app.delete(ann, `${issues}/${await last()}`)
    assert.deepEqual(await mailedAfter(remove), [])
    assert.deepEqual(await mailedAfter(() => app.patch(ann, path, { has_issues: false })), [])
  })

  test('say what stands there when they are sent', async (t) => {
    const { app, bob, mail, issues, mailed } = await withMail(t)
    mail.refusal = { code: 451, at: 'message' }
    await app.post(bob, issues, { title: 'typo', body: 'password: secret' })
    const { body: comment } = await app.post(bob, `${issues}/1/comments`, { body: 'oops' })
    await app.ctx.jobs.runDue()
    await app.patch(bob, `${issues}/1`, { title: 'better', body: 'nothing' })
    await app.delete(bob, `${issues}/comments/${comment.id}`)
    mail.refusal = undefined
    app.passTime(3600)

    const mails = await mailed()

    assert.deepEqual(
      mails.map(({ headers }) => headers['subject']),
      ['[ann/one] better (#1)'],
    )
    assert.doesNotMatch(mails.map(({ raw }) => raw).join(), /secret|oops/)
  })

  test('go only to those who chose so, on a page of their account', async (t) => {
    const setup = await withMail(t)
    const { app, ann, bob, cat, path, issues, mailed } = setup
    for (const who of [bob, cat]) await app.put(who, `${path}/subscription`)
    const browser = await signIn(app, 'bob')
    const settings = '/user/settings/notifications'
    const page = await browser.get(settings)
    assertStatus(page, 200)
    assert.match(page.text, /<option value="all" selected>/)
    assert.match((await browser.get('/user/settings')).text, new RegExp(`href="${settings}"`))

    await choose(setup, bob, 'mentions')
    await choose(setup, cat, 'none')
    assert.match((await browser.get(settings)).text, /<option value="mentions" selected>/)
    await app.post(ann, issues, { title: 'x', body: 'nobody' })
    assert.deepEqual(to(await mailed()), [])
    await app.post(ann, `${issues}/1/comments`, { body: '@bob @cat' })
    assert.deepEqual(to(await mailed()), ['bob@example.org'])
    await app.post(ann, `${issues}/1/comments`, { body: 'no more' })
    assert.deepEqual(to(await mailed()), [])
    for (const who of [bob, cat]) {
      assert.equal((await app.get(who, '/notifications/new')).body.new, 1)
    }

    const wrong = await browser.post(settings, { mail_news: 'some' })
    assertStatus(wrong, 422)
    assert.match(wrong.text, /Choose one of those that are offered/)
    assertStatus(await browser.post(settings, { mail_news: 'all' }, fromElsewhere), 403)
    assert.match((await browser.get(settings)).text, /<option value="mentions" selected>/)
  })

  test('go only to confirmed addresses, whatever somebody writes into an account', async (t) => {
    const { app, ann, bob, path, issues, mailed } = await withMail(t)
    await app.put(bob, `${path}/subscription`)
    const { db } = app.ctx
    const unconfirmed = { is_activated: 0 } as const
    await db
      .updateTable('email_address')
      .set(unconfirmed)
      .where('account_id', '=', bob.id)
      .execute()

    await app.post(ann, issues, { title: 'x' })

    assert.deepEqual(to(await mailed()), [])
  })

  test('cannot be given headers or markup by what people write', async (t) => {
    const { app, bob, issues, mailed } = await withMail(t)
    await app.patch(bob, '/user/settings', { full_name: 'Bob\r\nBcc: eve@example.org' })
    const title = 'x\r\nBcc: eve@example.org\r\n\r\n<b>\u2028Ünïcode'
    const body =
      '<script>alert(1)</script><img src="https://evil.example/pixel.png" alt="pixel">\n\n<a href="javascript:alert(1)">a</a> [b](/ann/one)\n\n.\n.\nBcc: eve@example.org'
    const made = await app.post(bob, issues, { title, body })
    assertStatus(made, 201)

    const [mail, ...others] = await mailed()

    assert.deepEqual([mail?.to, others], [['ann@example.org'], []])
    assert.equal(mail?.headers['bcc'], undefined)
    assert.match(
      mail?.headers['subject'] ?? '',
      /^\[ann\/one\] x Bcc: eve@example\.org <b> Ünïcode \(#1\)$/,
    )
    assert.doesNotMatch(mail?.html ?? '', /<script|evil\.example|href="javascript/)
    assert.match(mail?.html ?? '', /pixel/)
    assert.match(mail?.html ?? '', /<a href="http:\/\/codestead\.test\/ann\/one"/)
    assert.match(mail?.text ?? '', /\n\.\n\.\nBcc: eve@example\.org\n/)
  })

  test(
    'to many are found by as few statements as to few, and share few connections',
    { timeout: 120_000 },
    async (t) => {
      const { app, ann, bob, mail, issues, path } = await withMail(t, { mail: { at_once: 2 } })
      const count = countStatements(t, app)
      const { db, jobs } = app.ctx
      const tell = async () => {
        mail.connections = 0
        await app.post(ann, issues, { title: 'x' })
        const job = await db
          .selectFrom('job')
          .selectAll()
          .where('kind', '=', 'notify_of_issue')
          .executeTakeFirstOrThrow()
        await db.deleteFrom('job').where('id', '=', job.id).execute()
        const finish = async () => undefined
        const run = { id: job.id, createdAt: job.created_at, wasLeft: false, finish }
        const news = JSON.parse(job.payload) as { issueId: number; actorId: number }
        return count(() => notifyOfIssue(app.ctx, news, run))
      }
      await app.put(bob, `${path}/subscription`)
      const few = await tell()
      await jobs.runDue()
      assert.deepEqual(to(mail.take()), ['bob@example.org'])
      const repositoryId = (await app.get(ann, path)).body.id as number
      const people = Array.from({ length: 100 }, (_, number) => `p${number}`)
      const rows = await db
        .insertInto('account')
        .values(
          people.map((name) => ({
            kind: 'person' as const,
            name,
            lower_name: name,
            email: `${name}@example.org`,
            created_at: 0,
            updated_at: 0,
          })),
        )
        .returning(['id', 'name'])
        .execute()
      await db
        .insertInto('email_address')
        .values(
          rows.map(({ id, name }) => ({
            account_id: id,
            address: `${name}@example.org`,
            lower_address: `${name}@example.org`,
            is_primary: 1 as const,
            is_activated: 1 as const,
          })),
        )
        .execute()
      await db
        .insertInto('watch')
        .values(
          rows.map(({ id }) => ({ repository_id: repositoryId, account_id: id, created_at: 0 })),
        )
        .execute()

      const many = await tell()
      jobs.start()
      await mail.until(101)
      await jobs.stop()

      assert.equal(many, few)
      assert.equal(new Set(to(mail.take())).size, 101)
      assert.ok(mail.connections < 50, `${mail.connections} connections`)
    },
  )

  test('are not made where no mail is set up, nor is there a page to choose', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    await app.put(bob, `${path}/subscription`)
    await app.post(ann, `${path}/issues`, { title: 'x' })
    await app.post(ann, `${path}/releases`, { tag_name: 'v1', target_commitish: 'main' })

    // The tag has planned to have its record mended, should that be needed.
    app.passTime(301)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
    assert.equal((await app.get(bob, '/notifications/new')).body.new, 1)
    const browser = await signIn(app, 'bob')
    assertStatus(await browser.get('/user/settings/notifications'), 404)
    assert.doesNotMatch((await browser.get('/user/settings')).text, /settings\/notifications/)
  })
})

suite('mails of releases', () => {
  test('go to those who watch, once it is published', async (t) => {
    const setup = await withMail(t)
    const { app, ann, bob, cat, path, mailed } = setup
    await app.put(bob, `${path}/subscription`)
    await app.put(cat, `${path}/subscription`)
    await choose(setup, cat, 'mentions')
    const release = { tag_name: 'v1', name: 'First', body: 'For *all*', draft: true }

    const { body: draft } = await app.post(ann, `${path}/releases`, release)
    assert.deepEqual(to(await mailed()), [])
    await app.patch(ann, `${path}/releases/${draft.id}`, { draft: false })
    const published = await mailed()
    await app.patch(ann, `${path}/releases/${draft.id}`, { name: 'Other' })

    assert.deepEqual(to(published), ['bob@example.org'])
    const [mail] = published
    assert.equal(mail?.headers['subject'], '[ann/one] v1: First')
    assert.equal(mail?.headers['message-id'], `<release-${draft.id}@codestead.test>`)
    assert.equal(mail?.headers['list-id'], 'ann/one <one.ann.codestead.test>')
    assert.match(mail?.text ?? '', /^ann published v1 in ann\/one:\n\nFor \*all\*\n/)
    assert.match(mail?.text ?? '', /http:\/\/codestead\.test\/ann\/one\/releases\/tag\/v1\n/)
    assert.match(mail?.html ?? '', /For <em>all<\/em>/)
    assert.deepEqual(to(await mailed()), [])
    await app.post(ann, `${path}/releases`, { tag_name: 'v2', body: 'thanks to @cat' })
    assert.deepEqual(to(await mailed()), ['bob@example.org', 'cat@example.org'])
  })

  test('are not sent of what is gone or hidden by then, nor to who blocks its author', async (t) => {
    const setup = await withMail(t)
    const { app, ann, bob, cat, path, mail, mailed } = setup
    for (const who of [bob, cat]) {
      await addCollaborator(setup, who, 'read')
      await app.put(who, `${path}/subscription`)
    }
    await app.put(cat, '/user/blocks/ann')
    const mailedAfter = async (tag: string, change: (id: number) => Promise<unknown>) => {
      mail.refusal = { code: 451, at: 'message' }
      const { body } = await app.post(ann, `${path}/releases`, { tag_name: tag })
      await app.ctx.jobs.runDue()
      await change(body.id as number)
      mail.refusal = undefined
      app.passTime(3600)
      return to(await mailed())
    }

    assert.deepEqual(await mailedAfter('v1', async () => undefined), ['bob@example.org'])
    const remove = (id: number) => app.delete(ann, `${path}/releases/${id}`)
    assert.deepEqual(await mailedAfter('v2', remove), [])
    const hide = (id: number) => app.patch(ann, `${path}/releases/${id}`, { draft: true })
    assert.deepEqual(await mailedAfter('v3', hide), [])
    await app.patch(ann, path, { private: true })
    const leave = () => app.delete(ann, `${path}/collaborators/bob`)
    assert.deepEqual(await mailedAfter('v4', leave), [])
  })
})

suite('mails that a repository causes', () => {
  test('have an hourly limit; people who are mentioned come first, pages tell everybody', async (t) => {
    const setup = await withMail(t, { mail: { max_per_repository: 5 } })
    const { app, ann, bob, cat, issues, path, mailed } = setup
    for (const who of [bob, cat]) await app.put(who, `${path}/subscription`)

    await app.post(ann, issues, { title: 'one' })
    await app.post(ann, issues, { title: 'two' })
    assert.equal((await mailed()).length, 4)
    await app.post(ann, issues, { title: 'three', body: 'for @cat' })
    assert.deepEqual(to(await mailed()), ['cat@example.org'])
    await app.post(ann, `${path}/releases`, { tag_name: 'v1' })
    assert.deepEqual(to(await mailed()), [])
    for (const who of [bob, cat]) {
      assert.equal((await app.get(who, '/notifications/new')).body.new, 3)
    }

    app.passTime(3600)
    await app.post(ann, issues, { title: 'four' })
    assert.deepEqual(to(await mailed()), ['bob@example.org', 'cat@example.org'])
  })

  test('have a limit for all repositories of an owner', async (t) => {
    const setup = await withMail(t, { mail: { max_per_repository: 1 } })
    const { app, ann, bob, mailed } = setup
    for (let at = 0; at < 6; at++) {
      assertStatus(await app.post(ann, '/user/repos', { name: `r${at}` }), 201)
      await app.put(bob, `/repos/ann/r${at}/subscription`)
      await app.post(ann, `/repos/ann/r${at}/issues`, { title: 'news' })
    }

    assert.equal((await mailed()).length, 4)
  })
})
