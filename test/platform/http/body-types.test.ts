// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FORM, formBody } from '../../repositories/attachments/form.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('bodies, by their content type', () => {
  test('the content type decides how a body is read', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const patch = (body: string, type: string) =>
      app.patch(ann, '/user/settings', body, { 'content-type': type })

    assertError(await patch('{"location":"x"}', 'text/plain'), 422, '[]: Unsupported Content-Type')
    for (const type of [
      'application/json; charset=utf-8',
      'application/vnd.example+json',
      'json',
      'APPLICATION/JSON',
    ]) {
      assertStatus(await patch('{"location":"x"}', type), 200)
    }
    const form = await patch(
      'full_name=Ann+A&hide_email=on&location=',
      'application/x-www-form-urlencoded',
    )
    assert.partialDeepStrictEqual(form.body, { full_name: 'Ann A', hide_email: true, location: '' })
    const loud = await patch('full_name=LOUD', 'Application/X-WWW-Form-URLEncoded')
    assert.equal(loud.body.full_name, 'LOUD')
    const parts = formBody([{ name: 'full_name', content: 'parts' }])
    const capitals = FORM['content-type'].replace('multipart/form-data', 'Multipart/Form-Data')
    const inParts = await app.patch(ann, '/user/settings', parts, { 'content-type': capitals })
    assert.equal(inParts.body.full_name, 'parts')
    const bare = await app.post(root, '/admin/users', '{"username":"x"}', { 'content-type': '' })
    assertError(bare, 422, '[]: Empty Content-Type')
  })

  test('PATCH and DELETE without a content type take their fields from the query', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/emails', { emails: ['second@example.org'] })

    const patched = await app.patch(ann, '/user/settings?location=There')
    const deleted = await app.delete(ann, '/user/emails?emails=second@example.org')

    assert.equal(patched.body.location, 'There')
    assertStatus(deleted, 204)
    assert.equal((await app.get(ann, '/user/emails')).body.length, 1)
  })

  test('the fields of a form and of the query are one', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
    await app.post(ann, '/user/repos', { name: 'one' })
    const bug = await app.post(ann, '/repos/ann/one/labels', { name: 'bug', color: 'fff' })
    const place = async (body: string | Buffer, type: Record<string, string>) =>
      (await app.patch(ann, '/user/settings?location=query', body, type)).body.location as string
    const texts = (location: string) => formBody([{ name: 'location', content: location }])

    const opened = await app.post(
      ann,
      '/repos/ann/one/issues?body=below&title=query',
      `title=form&labels=${bug.body.id}&milestone=&due_date=&closed=true`,
      urlencoded,
    )
    const long = 'long '.repeat(2000)
    const posted = await app.post(
      ann,
      '/repos/ann/one/issues?title=query',
      formBody([
        { name: 'title', content: 'form' },
        { name: 'body', content: long },
      ]),
      FORM,
    )

    assert.deepEqual(
      [await place('location=form', urlencoded), await place('', urlencoded)],
      ['form', 'query'],
    )
    assert.equal(await place(texts('form'), FORM), 'form')
    assertStatus(opened, 201)
    const { title, body, labels, state, milestone, due_date } = opened.body
    assert.deepEqual([title, body, labels], ['form', 'below', [bug.body]])
    assert.deepEqual([state, milestone, due_date], ['closed', null, null])
    assert.deepEqual([posted.body.title, posted.body.body], ['query', long])
  })

  test('a form of several parts has as many fields as a record', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const labels = Array.from({ length: 40 }, (_, index) => `l${index}`)
    await app.post(ann, '/user/repos', { name: 'one' })
    for (const name of labels) {
      await app.post(ann, '/repos/ann/one/labels', { name, color: 'fff' })
    }
    await app.post(ann, '/repos/ann/one/issues', { title: 'one' })
    const fields = (count: number) =>
      formBody(
        Array.from({ length: count }, (_, index) => ({ name: 'labels', content: `l${index}` })),
      )

    const labelled = await app.post(ann, '/repos/ann/one/issues/1/labels', fields(40), FORM)

    assertStatus(labelled, 200)
    assert.equal(labelled.body.length, 40)
    assertStatus(await app.post(ann, '/repos/ann/one/issues/1/labels', fields(1001), FORM), 500)
  })

  test('a form of several parts that cannot be read is 500 when posted, else 422', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const whole = formBody([{ name: 'name', content: 'one' }])
    const torn = whole.subarray(0, whole.length - 20)
    const unbounded = { 'content-type': 'multipart/form-data' }
    const broken: [string | Buffer, Record<string, string>][] = [
      ['x', unbounded],
      [torn, FORM],
    ]

    for (const [body, type] of broken) {
      const posted = await app.post(ann, '/user/repos', body, type)
      assert.deepEqual(
        [posted.status, posted.text, posted.headers['content-type']],
        [500, 'failed to parse request multipart form', 'text/plain; charset=utf-8'],
      )
      assertError(await app.patch(ann, '/user/settings', body, type), 422, /^\[\]: /)
    }
    assertStatus(await app.post(undefined, '/repos/no/one/issues', 'x', unbounded), 500)
    assertError(await app.post(undefined, '/user/repos', torn, FORM), 401)
  })
})
