import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { wordsOf } from '../../web/repository/support.ts'
import { fromElsewhere, signIn } from '../../web/support.ts'

const transfer = '/repos/ann/r/transfer'
const cancel = '/ann/r/settings/danger/transfer/cancel'

/**
 * Ann's repository `r`; Bob and Cat, who own the organization `acme`; and Dan, who is a member of
 * it.
 */
async function start(t: TestContext, options: object = {}) {
  const mail = await startMailServer(t)
  const app = await startApp(t, { mail: mail.settings })
  const [ann, bob, cat, dan] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cat'),
    await app.addCaller('dan'),
  ]
  assertStatus(await app.post(ann, '/user/repos', { name: 'r', ...options }), 201)
  assertStatus(await app.post(bob, '/orgs', { username: 'acme' }), 201)
  const { body: teams } = await app.get(bob, '/orgs/acme/teams')
  assertStatus(await app.put(bob, `/teams/${teams[0].id}/members/cat`), 204)
  const { body: team } = await app.post(bob, '/orgs/acme/teams', {
    name: 'Readers',
    permission: 'read',
    units: ['repo.code'],
  })
  assertStatus(await app.put(bob, `/teams/${team.id}/members/dan`), 204)
  const mailed = async () => {
    await app.ctx.jobs.runDue()
    return mail.take()
  }
  const news = async (who: TestCaller) => (await app.get(who, '/notifications')).body
  const offer = async (to: string) =>
    assertStatus(await app.post(ann, transfer, { new_owner: to }), 201)
  return { app, ann, bob, cat, dan, mailed, news, offer }
}

suite('an offer of a repository', () => {
  test('is told to the person who decides on it, by notification, mail and start page', async (t) => {
    const { app, bob, dan, mailed, news, offer } = await start(t, { private: true })
    await offer('bob')

    const mails = await mailed()
    const [told, ...others] = await news(bob)
    const byBob = await signIn(app, 'bob')
    const begin = await byBob.get('/')
    const page = await byBob.get('/notifications')

    assert.deepEqual(
      mails.map(({ to }) => to),
      [['bob@example.org']],
    )
    assert.equal(mails[0]?.headers['subject'], '[ann/r] Transfer to bob')
    assert.match(mails[0]?.text ?? '', /^ann offers this repository to bob in ann\/r:/)
    assert.match(mails[0]?.text ?? '', /http:\/\/codestead\.test\/ann\/r\/transfer/)
    assert.deepEqual(others, [])
    assert.deepEqual(told.subject, {
      title: 'ann/r',
      url: 'http://codestead.test/api/v1/repos/ann/r',
      latest_comment_url: '',
      html_url: 'http://codestead.test/ann/r/transfer',
      latest_comment_html_url: '',
      type: 'Repository',
      state: '',
    })
    assert.partialDeepStrictEqual(told, { unread: true, repository: { full_name: 'ann/r' } })
    assert.match(wordsOf(begin), /ann offers ann\/r to bob/)
    assert.ok(begin.text.includes('href="/ann/r/transfer"'))
    assert.match(wordsOf(page), /ann\/r It is offered to you, .*accept or decline it/)
    assert.deepEqual((await app.get(bob, '/notifications/new')).body, { new: 1 })
    assert.deepEqual(await news(dan), [])
    assert.doesNotMatch((await (await signIn(app, 'dan')).get('/')).text, /id="offers"/)
  })

  test('is told to all owners of an organization, and to nobody else in it', async (t) => {
    const { app, ann, bob, cat, dan, mailed, news, offer } = await start(t, { private: true })
    const byCat = await signIn(app, 'cat')
    await offer('acme')

    const mails = await mailed()

    assert.deepEqual(mails.map(({ to }) => to.join()).sort(), [
      'bob@example.org',
      'cat@example.org',
    ])
    assert.match(mails[0]?.text ?? '', /offers this repository to acme/)
    for (const [who, count] of [
      [ann, 0],
      [bob, 1],
      [cat, 1],
      [dan, 0],
    ] as const) {
      assert.equal((await news(who)).length, count)
    }
    assert.match(wordsOf(await byCat.get('/')), /ann offers ann\/r to acme/)
    assertStatus(await byCat.get('/ann/r/transfer'), 200)
    assert.deepEqual(await news(cat), [])
    assert.equal((await news(bob)).length, 1)
  })

  test('is listed by its kind, and marked as read, and gone once it is decided on', async (t) => {
    const { app, bob, news, offer } = await start(t)
    await offer('bob')
    const list = async (query: string) =>
      (await app.get(bob, `/notifications?${query}`)).body.length
    const [{ id }] = await news(bob)

    assert.equal(await list('subject-type=repository'), 1)
    assert.equal(await list('subject-type=issue&subject-type=pull'), 0)
    assertStatus(await app.patch(bob, `/notifications/threads/${id}`, {}), 205)
    assert.equal(await list(''), 0)
    assert.equal(await list('all=true'), 1)
    assertStatus(await app.post(bob, `${transfer}/reject`), 200)
    assert.equal(await list('all=true'), 0)
    assertStatus(await app.get(bob, `/notifications/threads/${id}`), 404)
    await offer('bob')
    assert.equal(await list('all=true'), 1)
    assertStatus(await app.post(bob, `${transfer}/accept`), 202)
    assert.equal(await list('all=true'), 0)
  })

  test('is mailed to nobody who said no to mails or blocks who made it, nor once it is over', async (t) => {
    const { app, ann, bob, cat, mailed, news, offer } = await start(t)
    await app.put(cat, '/user/blocks/ann')
    await offer('acme')
    const cancelled = await (await signIn(app, 'ann')).post(cancel)
    assertStatus(cancelled, 303)

    assert.deepEqual(await mailed(), [])
    const byBob = await signIn(app, 'bob')
    assertStatus(await byBob.post('/user/settings/notifications', { mail_news: 'none' }), 303)
    await offer('acme')
    assert.deepEqual(await mailed(), [])
    assert.equal((await news(bob)).length, 1)
    assert.deepEqual(await news(cat), [])
    assert.deepEqual(await news(ann), [])
  })

  test('is taken back by who owns the repository, and by nobody else', async (t) => {
    const { app, ann, bob, news, offer } = await start(t, { private: true })
    await app.put(ann, '/repos/ann/r/collaborators/cat', { permission: 'admin' })
    await offer('bob')
    const [byAnn, byBob, byCat] = [
      await signIn(app, 'ann'),
      await signIn(app, 'bob'),
      await signIn(app, 'cat'),
    ]
    assert.match((await byAnn.get('/ann/r/settings/danger')).text, /Cancel the transfer/)
    assert.doesNotMatch((await byCat.get('/ann/r/settings/danger')).text, /Cancel the transfer/)

    for (const by of [byBob, byCat]) assertStatus(await by.post(cancel), 403)
    assertStatus(await byAnn.post(cancel, {}, fromElsewhere), 403)
    assert.equal((await news(bob)).length, 1)
    assert.match((await byAnn.post(cancel)).headers['location'] as string, /settings\/danger/)

    assert.deepEqual(await news(bob), [])
    assertStatus(await app.get(bob, '/repos/ann/r'), 404)
    assertError(await app.post(bob, `${transfer}/accept`), 404)
    assert.doesNotMatch((await byBob.get('/')).text, /id="offers"/)
    assertStatus(await byAnn.post(cancel), 303)
    await offer('bob')
    assert.equal((await news(bob)).length, 1)
  })

  test('is taken back or accepted, whatever comes at once', async (t) => {
    const { app, ann, bob, news, offer } = await start(t)
    await offer('bob')
    const byAnn = await signIn(app, 'ann')

    const [accepted] = await Promise.all([app.post(bob, `${transfer}/accept`), byAnn.post(cancel)])

    const { body: repo } = await app.get(ann, '/repos/ann/r')
    const owner = accepted.status === 202 ? 'bob' : 'ann'
    assert.equal((await app.get(ann, `/repos/${owner}/r`)).body.owner.login, owner)
    assert.equal(repo?.repo_transfer ?? null, null)
    assert.deepEqual(await news(bob), [])
  })
})
