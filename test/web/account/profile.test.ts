import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import {
  assertSessionEnded,
  assertAsksFirst,
  dot,
  fromElsewhere,
  uploadPicture,
} from '../support.ts'
import { assertOwn, settings, startWithAccount } from './setup.ts'

const profile = {
  full_name: `Ann ${evil}`,
  description: evil,
  website: 'https://example.org',
  location: 'Here',
}

suite(settings, () => {
  test('is behind the menu, and says what the account says about itself', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    await assertOwn(setup, settings, settings, profile)
    assert.equal((await app.get(ann, '/user/settings')).body.full_name, '')
    assert.match((await byAnn.get('/')).text, /href="\/user\/settings"/)

    const answer = await byAnn.post(settings, { ...profile, hide_email: 'true', theme: 'x' })

    assert.equal(answer.headers['location'], '/user/settings?saved=yes')
    const { body } = await app.get(ann, '/user/settings')
    assert.partialDeepStrictEqual(body, {
      ...profile,
      hide_email: true,
      hide_activity: false,
      theme: 'gitea-auto',
    })
    const page = await byAnn.get('/user/settings?saved=yes')
    assert.match(wordsOf(page), /Saved\./)
    assert.match(page.text, /name="hide_email"[^>]* checked/)
    assert.equal(hasScript(page), false)
    assertStatus(await byAnn.post(settings, profile), 303)
    assert.equal((await app.get(ann, '/user/settings')).body.hide_email, false)
  })

  test('tells what is wrong where it is wrong, keeps what was typed and changes nothing', async (t) => {
    const { app, ann, byAnn } = await startWithAccount(t)
    const wrong: [Record<string, string>, RegExp][] = [
      [{ website: 'javascript:alert(1)' }, /^website: This is no address/],
      [{ location: 'x'.repeat(51) }, /^location: This is too long/],
      [{ full_name: 'x'.repeat(101) }, /^full_name: This is too long/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byAnn.post(settings, { ...profile, ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.match(answer.text, /name="description"[^>]* value="&lt;script/)
      assert.equal(hasScript(answer), false)
    }
    assert.equal((await app.get(ann, '/user/settings')).body.description, '')
  })
})

const path = `${settings}/avatar`

suite('the picture of an account on its page', () => {
  test('is uploaded, shown and removed', async (t) => {
    const { app, ann, byAnn } = await startWithAccount(t)
    const pictureOf = async () => (await app.get(ann, '/user')).body.avatar_url as string
    const drawn = await pictureOf()
    assert.doesNotMatch((await byAnn.get(settings)).text, /avatar\/delete/)

    assertStatus(await uploadPicture(byAnn, path, dot), 303)

    const picture = new URL(await pictureOf()).pathname
    assert.equal((await byAnn.get(picture)).headers['content-type'], 'image/png')
    assert.ok((await byAnn.get(settings)).text.includes(`src="${picture}"`))
    assertAsksFirst(await byAnn.get(settings), `${settings}/avatar/delete`)
    assertStatus(await byAnn.post(`${settings}/avatar/delete`), 303)
    assert.equal(await pictureOf(), drawn)
  })

  test('is a picture, of a sensible size, from a page of this server', async (t) => {
    const { app, ann, byAnn, visitor } = await startWithAccount(t)
    const drawn = (await app.get(ann, '/user')).body.avatar_url as string

    for (const image of [Buffer.from('<svg onload="x()"/>'), Buffer.alloc(0)]) {
      const answer = await uploadPicture(byAnn, path, image)
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), /^avatar: The image is none/)
    }
    const large = await uploadPicture(byAnn, path, Buffer.concat([dot, Buffer.alloc(1_048_576)]))
    assertStatus(large, 422)
    assert.match(complaintIn(large.text), /^avatar: The image is larger/)
    assertStatus(await uploadPicture(byAnn, path, Buffer.alloc(3_000_000)), 413)
    const unfinished = { 'content-type': 'multipart/form-data; boundary=other' }
    assertStatus(await uploadPicture(byAnn, path, dot, unfinished), 422)
    assertStatus(await uploadPicture(byAnn, path, dot, fromElsewhere), 403)
    assertSessionEnded(await uploadPicture(visitor, path, dot))
    assertStatus(await byAnn.post(`${settings}/avatar/delete`, {}, fromElsewhere), 403)

    assert.equal((await app.get(ann, '/user')).body.avatar_url, drawn)
  })
})
