import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { administration, assertSeenByAdministrators, startWithAdministrator } from './setup.ts'

const path = `${administration}/emails`

suite('/-/admin/emails', () => {
  test('lists the addresses of all people to administrators, and whose they are', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, ann, byRoot } = setup
    await app.post(ann, '/user/emails', { emails: ['second@example.org'] })
    await app.addPerson('bob', { visibility: 'private', fullName: 'Bob Builder' })
    await app.ctx.db
      .updateTable('email_address')
      .set({ is_activated: 0 })
      .where('address', '=', 'second@example.org')
      .execute()
    await assertSeenByAdministrators(setup, path)

    const page = await byRoot.get(path)

    const words = wordsOf(page)
    assert.match(words, /4 addresses ann@example\.org Primary of ann bob@example\.org Primary /)
    assert.match(words, /second@example\.org Not confirmed of ann/)
    assert.match(page.text, /of <a href="\/-\/admin\/users\/ann">ann<\/a>/)
  })

  test('finds by address and name, page by page', async (t) => {
    const { app, byRoot } = await startWithAdministrator(t, { api: { default_paging_num: 2 } })
    await app.addPerson('bob', { fullName: 'Ann Builder' })

    const first = await byRoot.get(`${path}?q=ANN`)

    assert.match(wordsOf(first), /2 addresses ann@example\.org .*bob@example\.org/)
    assert.match(wordsOf(await byRoot.get(`${path}?page=2`)), /3 addresses root@example\.org/)
    assert.match(wordsOf(await byRoot.get(`${path}?q=root%40`)), /1 address root@example\.org/)
    const none = await byRoot.get(`${path}?q=${encodeURIComponent(evil)}`)
    assert.match(wordsOf(none), /0 addresses There is none/)
    assert.equal(hasScript(none), false)
  })
})
