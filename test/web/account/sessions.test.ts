import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { fromElsewhere, signIn, Visitor } from '../support.ts'
import { assertOwn, settings, startWithAccount } from './setup.ts'

const path = `${settings}/sessions`

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get(path)).status === 200
}

async function idsIn(visitor: Visitor): Promise<readonly string[]> {
  const { text } = await visitor.get(path)
  return [...text.matchAll(/name="id" value="(\d+)"/g)].map(([, id = '']) => id)
}

suite(path, () => {
  test('lists where the viewer is signed in, and ends one or all others', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await assertOwn(setup, path, `${path}/end-others`)
    assert.deepEqual(await idsIn(byAnn), [])
    assert.doesNotMatch(wordsOf(await byAnn.get(path)), /End all others/)
    const second = await signIn(app, 'ann')
    const third = await signIn(app, 'ann')
    assert.match(wordsOf(await byAnn.get(path)), /This browser signed in just now/)
    const [id = ''] = await idsIn(third)
    assert.equal((await idsIn(byAnn)).length, 2)

    assertStatus(await third.post(`${path}/end`, { id }), 303)
    const left = await Promise.all([byAnn, second, third].map(isSignedIn))

    assert.equal(left.filter(Boolean).length, 2)
    assert.equal(await isSignedIn(third), true)
    assertStatus(await third.post(`${path}/end-others`), 303)
    assert.deepEqual(await Promise.all([byAnn, second, third].map(isSignedIn)), [
      false,
      false,
      true,
    ])
  })

  test('says which browser and system each is', async (t) => {
    const { app, byAnn } = await startWithAccount(t)
    const like = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'
    const agents = [
      [
        'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        'Firefox on Linux',
      ],
      [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Safari/537.36`, 'Chrome on Windows'],
      [`Mozilla/5.0 (Windows NT 10.0) ${like} Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
      [`Mozilla/5.0 (Linux; Android 10; K) ${like} Mobile Safari/537.36`, 'Chrome on Android'],
      [
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36',
        'Chrome on Linux',
      ],
      [
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
        'Safari on iOS',
      ],
      ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Unknown', 'A browser on macOS'],
      ['curl/8.17.0', 'curl'],
      ['', 'Another browser'],
      [evil, 'Another browser'],
      [`Lynx/2.9 ${'x'.repeat(5000)}\t end`, 'Lynx'],
    ] as const

    for (const [agent, name] of agents) {
      const form = { user_name: 'ann', password: PASSWORD }
      const headers = { 'user-agent': agent }
      assertStatus(await new Visitor(app).post('/user/login', form, headers), 303)
      const page = await byAnn.get(path)
      assert.match(wordsOf(page), new RegExp(`\\b${name} signed in just now · used just now End`))
      assert.equal(hasScript(page), false)
      assertStatus(await byAnn.post(`${path}/end-others`), 303)
    }

    const own = await new Visitor(app).post(
      '/user/login',
      { user_name: 'ann', password: PASSWORD },
      { 'user-agent': `${agents[0][0]}\t${'x'.repeat(5000)}` },
    )
    const cookie = (own.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    assert.match(
      wordsOf(await new Visitor(app, { cookie }).get(path)),
      /Firefox on Linux This browser signed in just now/,
    )
    const { agent } = await app.ctx.db
      .selectFrom('session')
      .select('agent')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(agent.length, 255)
    assert.doesNotMatch(agent, /\p{Cc}/u)
  })

  test('ends nobody else’s, and none from other sites', async (t) => {
    const { app, byAnn } = await startWithAccount(t)
    await app.addPerson('bob')
    const byBob = await signIn(app, 'bob')
    await signIn(app, 'ann')
    const [id = ''] = await idsIn(byAnn)

    assertStatus(await byBob.post(`${path}/end`, { id }), 404)
    assertStatus(await byBob.post(`${path}/end-others`), 303)
    assertStatus(await byAnn.post(`${path}/end`, { id }, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${path}/end-others`, {}, fromElsewhere), 403)

    assert.deepEqual(await idsIn(byAnn), [id])
  })
})
