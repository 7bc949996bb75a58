// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, base64, makePrivate } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { startInBrowser, type WebSetup } from '../files/setup.ts'
import { edit, evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'

const wiki = '/ann/one/wiki'

async function addPage({ app, ann, path }: WebSetup, title: string, text = ''): Promise<void> {
  const page = { title, content_base64: base64(text) }
  assertStatus(await app.post(ann, `${path}/wiki/new`, page), 201)
}

async function textOf({ app, ann, path }: WebSetup, name: string): Promise<string | undefined> {
  const { status, body } = await app.get(ann, `${path}/wiki/page/${encodeURIComponent(name)}`)
  return status === 200
    ? Buffer.from(body.content_base64 as string, 'base64').toString()
    : undefined
}

function shaIn(text: string): string {
  return /name="sha" value="(\w+)"/.exec(text)?.[1] ?? ''
}

suite('GET /{owner}/{repo}/wiki', () => {
  test('leads to pages by their titles in double brackets', async (t) => {
    const setup = await startInBrowser(t)
    await addPage(setup, 'a-b c', 'odd')
    await addPage(setup, 'x/y?', 'odder')
    await addPage(setup, 'Home', '[[a-b c]] [[there|x/y?]] [[None#part]]')

    const { text } = await setup.visitor.get(wiki)

    const hrefs = [...text.matchAll(/href="([^"]+)" rel="nofollow noopener">/g)].map(([, to]) => to)
    assert.equal(hrefs.length, 3)
    assert.match((await setup.visitor.get(hrefs[0] ?? '')).text, /odd</)
    assert.match((await setup.visitor.get(hrefs[1] ?? '')).text, /odder</)
    assert.equal(hrefs[2], `${wiki}/None#user-content-part`)
    assert.match(text, />there<\/a>/)
  })

  test('says what the place is for, and leads those who may to the first page', async (t) => {
    const { byAnn, byBob, visitor } = await startInBrowser(t)

    const empty = await visitor.get(wiki)

    assert.match(wordsOf(empty), /There are no pages yet/)
    assert.doesNotMatch(empty.text, /_new/)
    assert.match((await byAnn.get(wiki)).text, /href="\/ann\/one\/wiki\/_new\?title=Home"/)
    assert.match((await byAnn.get('/ann/one')).text, /href="\/ann\/one\/wiki"/)
    assertStatus(await byBob.get(`${wiki}/None`), 404)
    const begun = await byAnn.get(`${wiki}/None`)
    assert.equal(begun.headers['location'], `${wiki}/_new?title=None`)
  })

  test('shows pages with what stands beside and below them, and the links between them', async (t) => {
    const setup = await startInBrowser(t)
    const { visitor } = setup
    await addPage(setup, 'How to', 'how')
    assert.equal((await visitor.get(wiki)).headers['location'], `${wiki}/_pages`)
    const links =
      '[a](How-to) [b](/a-b+c.-) [c](./How-to.md#use) [d](https://x.example/) ![p](p.png)'
    await addPage(setup, 'Home', `# Hi\n\n${links}\n\n${evil}`)
    await addPage(setup, '_Sidebar', '**beside**')
    await addPage(setup, '_Footer', '**below**')
    await addPage(setup, 'a-b c', 'odd')
    await addPage(setup, 'x/y?', 'odder')

    const home = await visitor.get(wiki)
    const all = await visitor.get(`${wiki}/_pages`)

    assert.match(home.text, /<strong>beside<\/strong>/)
    assert.match(home.text, /<strong>below<\/strong>/)
    assert.match(all.text, /<code tabindex="0">http:\/\/\S+\/ann\/one\.wiki\.git<\/code>/)
    assert.equal(hasScript(home), false)
    for (const target of [
      `${wiki}/How-to`,
      `${wiki}/a-b+c.-`,
      `${wiki}/How-to#user-content-use`,
      'https://x.example/',
    ])
      assert.ok(home.text.includes(`href="${target}"`), target)
    assert.doesNotMatch(home.text, /<img src="[^"]*p\.png/)
    const addresses = Array.from(
      all.text.matchAll(/<b><a href="([^"]+)">/g),
      ([, address = '']) => address,
    )
    assert.equal(addresses.length, 6)
    for (const address of addresses) assertStatus(await visitor.get(address), 200)
    assert.match(wordsOf(await visitor.get(`${wiki}/a-b+c.-`)), /a-b c .*odd/)
    assert.match(
      wordsOf(await visitor.get(`${wiki}/How-to?action=history`)),
      /Add &quot;How to&quot;/,
    )
  })

  test('is missing where the unit is off or the repository is not shown', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn, visitor } = setup
    await addPage(setup, 'Home', 'text')
    const paths = [wiki, `${wiki}/Home`, `${wiki}/_pages`, `${wiki}/Home?action=history`]

    for (const path of paths) assertStatus(await visitor.get(path), 200)
    await makePrivate(setup)
    for (const path of paths) assertStatus(await visitor.get(path), 404)
    await edit(setup, { has_wiki: false })
    for (const path of [...paths, `${wiki}/_new`]) assertStatus(await byAnn.get(path), 404)
    assert.doesNotMatch((await byAnn.get('/ann/one')).text, /href="\/ann\/one\/wiki"/)
  })
})

suite('the forms of a wiki', () => {
  test('make a page, change it, rename it and delete it', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    assertStatus(await byAnn.get(`${wiki}/_new`), 200)

    const made = await byAnn.post(`${wiki}/_new`, { title: 'How to', content: 'a\r\nb' })

    assert.equal(made.headers['location'], `${wiki}/How-to`)
    assert.equal(await textOf(setup, 'How-to'), 'a\nb')
    const form = await byAnn.get(`${wiki}/How-to?action=edit`)
    const renamed = await byAnn.post(`${wiki}/How-to?action=edit`, {
      title: 'How so',
      content: 'c',
      message: 'Better',
      sha: shaIn(form.text),
    })
    assert.equal(renamed.headers['location'], `${wiki}/How-so`)
    assert.equal(await textOf(setup, 'How-so'), 'c')
    assert.equal(await textOf(setup, 'How-to'), undefined)
    assert.match(wordsOf(await byAnn.get(`${wiki}/How-so?action=history`)), /Better/)
    const mistyped = await byAnn.post(`${wiki}/How-so?action=delete`, { confirm: 'How' })
    assertStatus(mistyped, 422)
    assert.match(wordsOf(mistyped), /Type How so to delete it/)
    assert.equal(await textOf(setup, 'How-so'), 'c')
    const gone = await byAnn.post(`${wiki}/How-so?action=delete`, { confirm: 'How so' })
    assert.equal(gone.headers['location'], wiki)
    assert.equal(await textOf(setup, 'How-so'), undefined)
  })

  test('say in place what is wrong, and keep what was typed', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    await addPage(setup, 'Home', 'home')
    await addPage(setup, 'Other', 'other')
    const sha = shaIn((await byAnn.get(`${wiki}/Other?action=edit`)).text)
    for (const address of [`${wiki}/_new`, `${wiki}/Other?action=edit`]) {
      for (const [title, problem] of [
        [' ', /Give it a title/],
        ['Home', /There is a page of this title already/],
        ['_pages', /This title is kept for other things/],
        ['x'.repeat(300), /A page cannot have this title/],
      ] as const) {
        const answer = await byAnn.post(address, { title, content: evil, sha })
        assertStatus(answer, 422)
        assert.match(wordsOf(answer), problem)
        assert.match(answer.text, />\n&lt;script&gt;[^<]*<\/textarea>/)
        assert.equal(hasScript(answer), false)
      }
    }
    assert.equal(await textOf(setup, 'Home'), 'home')
    assert.equal(await textOf(setup, 'Other'), 'other')
  })

  test('tell of a change meanwhile, and lose neither text', async (t) => {
    const setup = await startInBrowser(t)
    const { app, ann, path, byAnn } = setup
    await addPage(setup, 'Home', 'first')
    const sha = shaIn((await byAnn.get(`${wiki}/Home?action=edit`)).text)
    await app.patch(ann, `${path}/wiki/page/Home`, { content_base64: base64('theirs') })
    const mine = { title: 'Home', content: 'mine' }

    const refused = await byAnn.post(`${wiki}/Home?action=edit`, { ...mine, sha })

    assertStatus(refused, 422)
    assert.match(wordsOf(refused), /Somebody has changed this page since you began/)
    assert.match(refused.text, />\nmine<\/textarea>/)
    assert.equal(await textOf(setup, 'Home'), 'theirs')
    const again = { ...mine, sha: shaIn(refused.text) }
    assertStatus(await byAnn.post(`${wiki}/Home?action=edit`, again), 303)
    assert.equal(await textOf(setup, 'Home'), 'mine')
  })

  test('take one of those that are saved in the same moment', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn } = setup
    await addPage(setup, 'Home', 'first')
    const sha = shaIn((await byAnn.get(`${wiki}/Home?action=edit`)).text)
    const texts = ['a', 'b', 'c', 'd']

    const answers = await Promise.all(
      texts.map((content) =>
        byAnn.post(`${wiki}/Home?action=edit`, { title: 'Home', content, sha }),
      ),
    )

    const taken = answers.flatMap(({ status }, index) => (status === 303 ? [texts[index]] : []))
    assert.equal(taken.length, 1)
    assert.equal(answers.filter(({ status }) => status === 422).length, 3)
    assert.equal(await textOf(setup, 'Home'), taken[0])
  })

  test('are not offered for what they could not give back as it is', async (t) => {
    const setup = await startInBrowser(t, { api: { default_max_blob_size: '100B' } })
    const { byAnn } = setup
    await addPage(setup, 'Home', 'x'.repeat(101))

    assert.match(wordsOf(await byAnn.get(wiki)), /The page is too large to be shown here/)
    assert.doesNotMatch((await byAnn.get(wiki)).text, /action=edit/)
    assertStatus(await byAnn.get(`${wiki}/Home?action=edit`), 404)
    const sent = { title: 'Home', content: '' }
    assertStatus(await byAnn.post(`${wiki}/Home?action=edit`, sent), 404)
  })

  test('are for those who may write, on this site', async (t) => {
    const setup = await startInBrowser(t)
    const { byAnn, byBob, visitor } = setup
    await addPage(setup, 'Home', 'home')
    const sent = [
      [`${wiki}/_new`, { title: 'x', content: 'x' }],
      [`${wiki}/Home?action=edit`, { title: 'Home', content: 'x' }],
      [`${wiki}/Home?action=delete`, { confirm: 'Home' }],
    ] as const
    for (const [address, fields] of sent) {
      assertSessionEnded(await visitor.post(address, fields))
      assertStatus(await byBob.post(address, fields), 403)
      assertStatus(await byAnn.post(address, fields, fromElsewhere), 403)
    }
    assertStatus(await byBob.get(`${wiki}/_new`), 404)
    assertStatus(await byBob.get(`${wiki}/Home?action=edit`), 404)
    assertStatus(await visitor.get(`${wiki}/_new`), 303)
    assert.doesNotMatch((await byBob.get(wiki)).text, /_new|action=edit/)
    assertStatus(await byAnn.post(`${wiki}/Home?action=none`), 404)
    assertStatus(await byAnn.post(`${wiki}/None?action=edit`, sent[1][1]), 404)
    await archive(setup)
    for (const [address, fields] of sent) assertStatus(await byAnn.post(address, fields), 423)
    assert.doesNotMatch((await byAnn.get(wiki)).text, /_new|action=edit/)
    assert.equal(await textOf(setup, 'Home'), 'home')
    assert.equal(await textOf(setup, 'x'), undefined)
  })
})
