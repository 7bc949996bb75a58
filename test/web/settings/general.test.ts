// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import {
  assertSessionEnded,
  assertAsksFirst,
  dot,
  fromElsewhere,
  signIn,
  uploadPicture,
} from '../support.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const form = {
  name: 'one',
  description: '',
  website: '',
  default_branch: 'main',
}

suite('/{owner}/{repo}/settings', () => {
  test('is for those who administer the repository, who find it behind a tab', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn, byBob } = setup

    await assertForAdministrators(setup, settings, settings, { ...form, name: 'two' })
    await assertForAdministrators(setup, settings, `${settings}/topics`, { topics: 'x' })

    assert.match((await byAnn.get('/ann/one')).text, /href="\/ann\/one\/settings"/)
    assert.doesNotMatch((await byBob.get('/ann/one')).text, /ann\/one\/settings"/)
    const { body } = await app.get(ann, '/repos/ann/one')
    assert.deepEqual([body.name, body.topics], ['one', []])
  })

  test('changes what the API changes, and leads to where the repository is then', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await app.post(ann, '/repos/ann/one/branches', { new_branch_name: 'next' })
    const page = await byAnn.get(settings)
    assert.match(page.text, /name="name"[^>]* value="one"/)
    assert.match(page.text, /<option value="next">/)

    const answer = await byAnn.post(settings, {
      ...form,
      name: 'lantern',
      description: evil,
      website: 'https://example.org',
      default_branch: 'next',
      private: 'true',
      confirmed: 'private',
      template: 'true',
    })

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann/lantern/settings?saved=yes')
    const { body } = await app.get(ann, '/repos/ann/lantern')
    assert.partialDeepStrictEqual(body, {
      name: 'lantern',
      description: evil,
      website: 'https://example.org',
      default_branch: 'next',
      private: true,
      template: true,
    })
    const again = await byAnn.get('/ann/lantern/settings?saved=yes')
    assert.match(wordsOf(again), /Saved\./)
    assert.match(again.text, /name="private"[^>]* checked/)
    assert.equal(hasScript(again), false)
  })

  test('takes an empty box for no, and nothing that has a form of its own', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await app.patch(ann, '/repos/ann/one', { private: true, template: true })

    assertStatus(
      await byAnn.post(settings, {
        ...form,
        confirmed: 'public',
        has_issues: 'false',
        archived: 'true',
      }),
      303,
    )

    const { body } = await app.get(ann, '/repos/ann/one')
    assert.partialDeepStrictEqual(body, {
      private: false,
      template: false,
      has_issues: true,
      archived: false,
    })
  })

  test('tells what is wrong where it is wrong, keeps what was typed and changes nothing', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await app.post(ann, '/user/repos', { name: 'taken' })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ name: '' }, /^name: This is needed/],
      [{ name: evil }, /^name: Only letters/],
      [{ name: 'Taken' }, /^name: There is a repository of this name/],
      [{ name: 'a.git' }, /^name: This name is kept/],
      [{ name: 'x'.repeat(101) }, /^name: This is too long/],
      [{ default_branch: 'nowhere' }, /^default_branch: There is no branch/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byAnn.post(settings, {
        ...form,
        description: `kept ${evil}`,
        ...changes,
      })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.match(answer.text, /value="kept &lt;script/)
      assert.equal(hasScript(answer), false)
    }
    const { body } = await app.get(ann, '/repos/ann/one')
    assert.deepEqual([body.name, body.description, body.default_branch], ['one', '', 'main'])
  })

  test('leaves a fork as visible as its base, and publishing to whom the server lets', async (t) => {
    const { app, ann, byAnn, bob } = await startWithSettings(t, {
      repositories: { force_private: true },
    })
    await app.post(bob, '/repos/ann/one/forks', {})
    const byBob = await signIn(app, 'bob')

    assert.match(
      (await byBob.get('/bob/one/settings')).text,
      /name="private"[^>]* checked disabled/,
    )
    assert.match((await byAnn.get(settings)).text, /name="private"[^>]* checked disabled/)
    assertStatus(await byAnn.post(settings, form), 303)
    assertStatus(await byBob.post('/bob/one/settings', form), 303)

    assert.equal((await app.get(ann, '/repos/ann/one')).body.private, true)
    assert.equal((await app.get(bob, '/repos/bob/one')).body.private, true)
    await app.addAdmin()
    const byRoot = await signIn(app, 'root')
    assert.doesNotMatch((await byRoot.get(settings)).text, /name="private"[^>]* disabled/)
    assertStatus(await byRoot.post(settings, { ...form, confirmed: 'public' }), 303)
    assert.equal((await app.get(ann, '/repos/ann/one')).body.private, false)
    const page = await byAnn.get(settings)
    assert.match(page.text, /name="private"/)
    assert.doesNotMatch(page.text, /name="private"[^>]* disabled/)
  })

  test('has the topics', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    const path = `${settings}/topics`

    assertStatus(await byAnn.post(path, { topics: 'Lamp, oil  light' }), 303)
    assert.deepEqual((await app.get(ann, '/repos/ann/one')).body.topics, ['lamp', 'light', 'oil'])
    const bad = await byAnn.post(path, { topics: `good ${evil}` })
    const many = await byAnn.post(path, {
      topics: Array.from({ length: 26 }, (_, at) => `t${at}`).join(' '),
    })

    assertStatus(bad, 422)
    assert.match(complaintIn(bad.text), /^topics: A topic begins/)
    assert.match(bad.text, /value="good &lt;script/)
    assertStatus(many, 422)
    assert.match(complaintIn(many.text), /^topics: These are too many/)
    assert.deepEqual((await app.get(ann, '/repos/ann/one')).body.topics, ['lamp', 'light', 'oil'])
    assertStatus(await byAnn.post(path, { topics: '' }), 303)
    assert.deepEqual((await app.get(ann, '/repos/ann/one')).body.topics, [])
  })
})

suite('/{owner}/{repo}/settings/avatar', () => {
  const path = `${settings}/avatar`

  test('gives the repository a picture at its head, and takes it away', async (t) => {
    const { app, ann, byAnn, visitor } = await startWithSettings(t)
    const pictureOf = async () => (await app.get(ann, '/repos/ann/one')).body.avatar_url as string
    assert.doesNotMatch((await byAnn.get(settings)).text, /avatar\/delete|repo-avatars/)

    const answer = await uploadPicture(byAnn, path, dot)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], `${settings}?saved=yes`)
    const picture = new URL(await pictureOf()).pathname
    assert.equal((await visitor.get(picture)).headers['content-type'], 'image/png')
    for (const page of ['/ann/one', '/ann/one/issues']) {
      const head = /<div class="title">[^]*?<h1>/.exec((await visitor.get(page)).text)?.[0] ?? ''
      assert.ok(head.includes(`src="${picture}" alt=""`), page)
    }
    assertAsksFirst(await byAnn.get(settings), `${path}/delete`)
    assertStatus(await byAnn.post(`${path}/delete`), 303)
    assert.equal(await pictureOf(), '')
    assert.doesNotMatch((await byAnn.get(settings)).text, /repo-avatars/)
  })

  test('is a picture of a sensible size, from those who administer the repository', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn, byBob, visitor } = setup

    for (const image of [Buffer.from('<svg onload="x()"/>'), Buffer.alloc(0)]) {
      const answer = await uploadPicture(byAnn, path, image)
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), /^avatar: The image is none/)
    }
    assertStatus(await byAnn.post(path, { avatar: 'x' }), 422)
    const large = await uploadPicture(byAnn, path, Buffer.concat([dot, Buffer.alloc(1_048_576)]))
    assert.match(complaintIn(large.text), /^avatar: The image is larger/)
    assertStatus(await uploadPicture(byAnn, path, Buffer.alloc(3_000_000)), 413)
    assertStatus(await uploadPicture(byBob, path, dot), 403)
    assertStatus(await uploadPicture(byAnn, path, dot, fromElsewhere), 403)
    assertSessionEnded(await uploadPicture(visitor, path, dot))
    await assertForAdministrators(setup, settings, `${path}/delete`)
    assert.equal((await app.get(ann, '/repos/ann/one')).body.avatar_url, '')
  })
})
