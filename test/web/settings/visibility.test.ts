import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { TestApp, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { signIn } from '../support.ts'
import { settings, startWithSettings } from './setup.ts'

const repo = '/repos/ann/one'

/**
 * ann/one with a star and two watches, a fork of Bob's with a star, and one of acme's, which Cat
 * owns.
 */
async function startWithForks(t: TestContext) {
  const mail = await startMailServer(t)
  const setup = await startWithSettings(t, { mail: mail.settings })
  const { app, ann, bob } = setup
  const cat = await app.addCaller('cat')
  assertStatus(await app.post(cat, '/orgs', { username: 'acme' }), 201)
  assertStatus(await app.post(bob, `${repo}/forks`, {}), 202)
  assertStatus(await app.post(cat, `${repo}/forks`, { organization: 'acme' }), 202)
  for (const path of [repo, '/repos/bob/one']) await app.put(cat, `/user/starred${path.slice(6)}`)
  await app.put(cat, `${repo}/subscription`)
  await app.ctx.jobs.runDue()
  mail.take()
  const mailed = async () => {
    await app.ctx.jobs.runDue()
    return mail.take()
  }
  const news = async (who: TestCaller) => (await app.get(who, '/notifications')).body
  return { ...setup, cat, mailed, news, watches: await watchesOf(app, ann) }
}

async function watchesOf(app: TestApp, who: TestCaller) {
  const of = async (path: string) => (await app.get(who, path)).body.watchers_count as number
  return {
    own: await of(repo),
    forks: (await of('/repos/bob/one')) + (await of('/repos/acme/one')),
  }
}

/** The fields of the question, as a browser sends them. */
function answerIn({ text }: { readonly text: string }): Record<string, string> {
  const inputs = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]))
}

suite('a repository that is made private in its settings', () => {
  test('asks first, with the stars, watches and forks that are concerned', async (t) => {
    const { app, ann, byAnn, watches } = await startWithForks(t)
    const form = { name: 'one', description: 'typed', website: '', default_branch: 'main' }

    const question = await byAnn.post(settings, { ...form, private: 'true' })

    assertStatus(question, 200)
    const words = wordsOf(question)
    assert.match(words, /Make ann\/one private\?/)
    assert.ok(words.includes(`It loses 1 star and ${watches.own} watches, also yours`))
    assert.match(
      words,
      new RegExp(`2 forks become private, too, and lose 1 star and ${watches.forks} watch`),
    )
    const before = (await app.get(ann, repo)).body
    assert.partialDeepStrictEqual(before, { private: false, description: '', stars_count: 1 })
    const wrong = await byAnn.post(settings, { ...form, private: 'true', confirmed: 'public' })
    assertStatus(wrong, 200)
    assertStatus(await byAnn.post(settings, answerIn(question)), 303)
    const expected = { private: true, description: 'typed', stars_count: 0, watchers_count: 0 }
    assert.partialDeepStrictEqual((await app.get(ann, repo)).body, expected)
    assertStatus(await byAnn.post(settings, { ...form, private: 'true' }), 303)
  })

  test('takes its forks along, whose owners are told by notification and mail', async (t) => {
    const { app, ann, bob, cat, byAnn, mailed, news } = await startWithForks(t)
    const form = { name: 'one', default_branch: 'main', private: 'true', confirmed: 'private' }

    assertStatus(await byAnn.post(settings, form), 303)
    const mails = await mailed()

    for (const [who, owner] of [
      [bob, 'bob'],
      [cat, 'acme'],
    ] as const) {
      const { body } = await app.get(who, `/repos/${owner}/one`)
      assert.partialDeepStrictEqual(body, { private: true, stars_count: 0, watchers_count: 0 })
      const [told, ...others] = await news(who)
      assert.deepEqual(others, [])
      assert.partialDeepStrictEqual(told, {
        unread: true,
        subject: {
          type: 'Repository',
          title: `${owner}/one`,
          html_url: `http://codestead.test/${owner}/one`,
        },
      })
    }
    assert.deepEqual(await news(ann), [])
    assert.deepEqual(mails.map(({ to }) => to.join()).sort(), [
      'bob@example.org',
      'cat@example.org',
    ])
    const subjects = mails.map(({ headers }) => headers['subject'] ?? '').sort()
    assert.deepEqual(subjects, [
      '[acme/one] Your fork is private now',
      '[bob/one] Your fork is private now',
    ])
    const byBob = await signIn(app, 'bob')
    assert.match(wordsOf(await byBob.get('/notifications')), /bob\/one This fork is private now/)
    assertStatus(await byBob.get('/bob/one'), 200)
    assert.deepEqual(await news(bob), [])
    assertStatus(await app.patch(ann, repo, { private: false }), 200)
    assert.deepEqual(await news(cat), [])
    assert.deepEqual((await app.get(cat, '/notifications?all=true')).body, [])
  })

  test('tells the owners of forks also when the API does it, and each once', async (t) => {
    const { app, ann, bob, news, mailed } = await startWithForks(t)

    for (const isPrivate of [true, true, false, true]) {
      assertStatus(await app.patch(ann, repo, { private: isPrivate }), 200)
    }

    assert.equal((await news(bob)).length, 1)
    assert.equal((await mailed()).length, 4)
  })
})

suite('a repository that is published in its settings', () => {
  test('asks first, with the forks that are published, too', async (t) => {
    const { app, ann, byAnn } = await startWithForks(t)
    assertStatus(await app.patch(ann, repo, { private: true }), 200)
    const form = { name: 'one', description: evil, default_branch: 'main', template: 'true' }

    const question = await byAnn.post(settings, form)

    assertStatus(question, 200)
    assert.match(
      wordsOf(question),
      /Make ann\/one public\? Everybody .* 2 forks become public, too/,
    )
    assert.equal(hasScript(question), false)
    assert.equal((await app.get(ann, repo)).body.private, true)
    const answer = { ...answerIn(question), description: 'plain' }
    assertStatus(await byAnn.post(settings, answer), 303)
    const expected = { private: false, description: 'plain', template: true }
    assert.partialDeepStrictEqual((await app.get(ann, repo)).body, expected)
  })
})
