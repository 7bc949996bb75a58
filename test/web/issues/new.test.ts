// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { addFile, issues, startWithIssues } from './setup.ts'

const path = `${issues}/new`
const folder = '.gitea/ISSUE_TEMPLATE'
const markdown = `---\nname: Bug ${evil}\nabout: Broken ${evil}\ntitle: "[bug] "\nlabels: [bug]\n---\n## What happened ${evil}\n`
const form = `name: Wish
about: Missing
title: "[wish] "
body:
  - type: markdown
    attributes:
      value: "Thank you **much**"
  - type: input
    id: who
    attributes:
      label: Who
      description: "Your *role*"
    validations:
      required: true
  - type: textarea
    id: log
    attributes:
      label: Log
      render: text
  - type: dropdown
    id: where
    attributes:
      label: Where
      options: [North, South]
  - type: checkboxes
    id: agreed
    attributes:
      label: Agreed
      options:
        - label: I have searched
          required: true
        - label: I will help
`

suite('/{owner}/{repo}/issues/new', () => {
  test('makes an issue, as the API does', async (t) => {
    const { app, ann, byBob } = await startWithIssues(t)
    const page = await byBob.get(`${path}?title=Beam&body=${encodeURIComponent(evil)}`)
    assertStatus(page, 200)
    assert.equal(hasScript(page), false)
    assert.match(page.text, /name="title"[^>]* value="Beam"/)

    const made = await byBob.post(path, { title: 'Beam', body: 'a\r\nb' })

    assertStatus(made, 303)
    assert.equal(made.headers['location'], '/ann/one/issues/1')
    const { body } = await app.get(ann, '/repos/ann/one/issues/1')
    assert.deepEqual([body.title, body.body, body.user.login], ['Beam', 'a\nb', 'bob'])
    const untitled = await byBob.post(path, { title: ' ', body: evil })
    assertStatus(untitled, 422)
    assert.match(untitled.text, /Give it a title\./)
    assert.match(untitled.text, /&lt;script&gt;/)
    assert.equal(hasScript(untitled), false)
  })

  test('takes nothing from strangers, from other sites or where nothing may be written', async (t) => {
    const { app, ann, byAnn, byBob, visitor } = await startWithIssues(t)

    assert.equal(
      (await visitor.get(path)).headers['location'],
      '/user/login?redirect_to=%2Fann%2Fone%2Fissues%2Fnew',
    )
    assertSessionEnded(await visitor.post(path, { title: 'x' }))
    assertStatus(await byBob.post(path, { title: 'x' }, fromElsewhere), 403)
    assert.match(
      (await visitor.get(`${path}/choose`)).headers['location'] ?? '',
      /^\/user\/login\?redirect_to=/,
    )
    await app.patch(ann, '/repos/ann/one', { has_issues: false })
    for (const page of [path, `${path}/choose`]) assertStatus(await byAnn.get(page), 404)
    assertStatus(await byAnn.post(path, { title: 'x' }), 404)
    await app.patch(ann, '/repos/ann/one', { has_issues: true, archived: true })
    for (const page of [path, `${path}/choose`]) assertStatus(await byAnn.get(page), 423)
    assertStatus(await byAnn.post(path, { title: 'x' }), 423)
    assert.match((await byAnn.get(path)).text, /This repository is archived: it can be read/)
    await app.patch(ann, '/repos/ann/one', { archived: false, private: true })
    assertStatus(await byBob.post(path, { title: 'x' }), 404)
    assertStatus(await byBob.get(path), 404)
    assert.deepEqual((await app.get(ann, '/repos/ann/one/issues')).body, [])
  })

  test('offers the templates of the repository, and the ways that its settings name', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { app, ann, byAnn } = setup
    await addFile(setup, `${folder}/bug.md`, markdown)
    await addFile(
      setup,
      `${folder}/config.yaml`,
      'blank_issues_enabled: false\ncontact_links:\n  - name: Forum\n    url: https://forum.example\n    about: Ask\n  - name: Odd\n    url: "javascript:alert(1)"\n    about: Odd\n',
    )

    const led = await byAnn.get(path)
    const choice = await byAnn.get(`${path}/choose`)

    assert.equal(led.headers['location'], '/ann/one/issues/new/choose')
    assert.equal(hasScript(choice), false)
    assert.match(choice.text, /template=\.gitea%2FISSUE_TEMPLATE%2Fbug\.md/)
    assert.match(choice.text, /href="https:\/\/forum\.example\/" rel="nofollow noopener"/)
    assert.doesNotMatch(choice.text, /javascript:|_blank/)
    assert.equal((await byAnn.get(`${path}?template=_blank`)).status, 303)
    assert.equal((await byAnn.get(`${path}?template=nonsense`)).status, 303)
    await app.patch(ann, '/repos/ann/one', { has_code: false })
    assert.match((await byAnn.get(path)).text, /<h2>New issue<\/h2>/)
    assert.doesNotMatch((await byAnn.get(`${path}/choose`)).text, /bug\.md|Forum/)
  })

  test('says to those who write code which templates are not used, and why', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { byAnn, byBob } = setup
    const broken = `name: Bug\nabout: "It is\nbroken"\nbody:\n  - type: input\n    attributes:\n      label: "Which\n version"\n`
    await addFile(setup, `${folder}/broken.yaml`, 'name: [\n')

    const alone = await byAnn.get(path)
    await addFile(setup, `${folder}/bug.yaml`, broken)
    await addFile(setup, `${folder}/nameless.md`, '---\nname: ""\nabout: x\n---\ntext')
    await addFile(setup, `${folder}/config.yaml`, 'contact_links: 1\n')
    const choice = await byAnn.get(`${path}/choose`)
    const toReader = await byBob.get(`${path}/choose`)

    assert.match(wordsOf(alone), /These files are not used: \.gitea\/ISSUE_TEMPLATE\/broken\.yaml/)
    const words = wordsOf(choice)
    assert.match(words, /nameless\.md ?: \S+ is required/)
    assert.match(words, /config\.yaml ?: .*should be a list/)
    assert.match(words, /Bug It is broken/)
    assert.match(wordsOf(toReader), /Bug It is broken/)
    assert.doesNotMatch(toReader.text, /These files are not used|broken\.yaml/)
  })

  test('begins with the text of a template, and labels as it says', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { app, ann, byAnn } = setup
    await app.post(ann, '/repos/ann/one/labels', { name: 'bug', color: '#d73a4a' })
    await addFile(setup, `${folder}/bug.md`, markdown)
    const template = `${folder}/bug.md`

    const page = await byAnn.get(`${path}?template=${encodeURIComponent(template)}`)
    const made = await byAnn.post(path, { template, title: '[bug] x', body: 'y' })

    assert.equal(hasScript(page), false)
    assert.match(page.text, /value="\[bug\] "[^]*## What happened/)
    assertStatus(made, 303)
    const { body } = await app.get(ann, '/repos/ann/one/issues/1')
    assert.deepEqual(
      body.labels.map(({ name }: { name: string }) => name),
      ['bug'],
    )
  })

  test('assigns those whom a template names, as far as they can be', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { app, ann, byAnn, byBob } = setup
    const template = `${folder}/task.md`
    const front = '---\nname: Task\nabout: Work\nassignees:\n  - bob\n  - nobody\n---\nWork'
    await addFile(setup, template, front)
    const assigned = async (number: number) =>
      (await app.get(ann, `/repos/ann/one/issues/${number}`)).body.assignees

    assertStatus(await byAnn.post(path, { template, title: 'a', body: 'b' }), 303)
    assertStatus(await byBob.post(path, { template, title: 'a', body: 'b' }), 303)
    await app.patch(ann, '/repos/ann/one', { private: true })
    assertStatus(await byAnn.post(path, { template, title: 'a', body: 'b' }), 303)

    assert.equal((await assigned(1))[0].login, 'bob')
    assert.equal(await assigned(2), null)
    assert.equal(await assigned(3), null)
  })

  test('is labelled, assigned and put into a milestone by those who write issues', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob } = setup
    const add = async (what: string, fields: Record<string, string>) =>
      (await app.post(ann, `/repos/ann/one/${what}`, fields)).body.id as number
    const label = String(await add('labels', { name: `bug ${evil}`, color: '#ff0000' }))
    const other = String(await add('labels', { name: 'feature', color: '#00ff00' }))
    const milestone = String(await add('milestones', { title: `v1 ${evil}` }))
    const facts = [
      ['facts', 'chosen'],
      ['label', label],
      ['label', other],
      ['assignee', 'ann'],
      ['assignee', 'bob'],
      ['milestone', milestone],
    ] as const
    const texts = [
      ['title', 'a'],
      ['body', 'b'],
    ] as const

    const page = await byAnn.get(path)
    assert.equal(hasScript(page), false)
    assert.match(wordsOf(page), /Labels bug .* feature Assignees ann Milestone None v1/)
    assert.doesNotMatch((await byBob.get(path)).text, /name="(?:facts|label|assignee|milestone)"/)
    const untitled = await byAnn.post(path, facts)
    assertStatus(untitled, 422)
    assert.equal(untitled.text.match(/ checked/g)?.length, 4)
    assert.match(untitled.text, new RegExp(`<option value="${milestone}" selected>`))
    assertStatus(await byAnn.post(path, [...facts, ...texts]), 303)
    assertStatus(await byBob.post(path, [...facts, ...texts]), 303)
    const gone = { facts: 'chosen', label: '999', assignee: 'nobody', milestone: '999' }
    assertStatus(await byAnn.post(path, { ...gone, title: 'a', body: 'b' }), 303)

    const said = async (number: number) => {
      const { body } = await app.get(ann, `/repos/ann/one/issues/${number}`)
      const names = body.assignees?.map(({ login }: { login: string }) => login)
      return [body.labels.length, names, body.milestone?.id]
    }
    assert.deepEqual(await said(1), [2, ['ann', 'bob'], Number(milestone)])
    assert.deepEqual(await said(2), [0, undefined, undefined])
    assert.deepEqual(await said(3), [0, undefined, undefined])
  })

  test('begins with what a template says, which can be changed', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { app, ann, byAnn } = setup
    await app.post(ann, '/repos/ann/one/labels', { name: 'bug', color: '#ff0000' })
    const template = `${folder}/bug.md`
    await addFile(
      setup,
      template,
      '---\nname: Bug\nabout: Broken\nlabels: [bug]\nassignees: [bob]\n---\nWhat?',
    )

    const page = await byAnn.get(`${path}?template=${encodeURIComponent(template)}`)
    assert.match(page.text, /name="label" value="\d+" checked/)
    assert.match(page.text, /name="assignee" value="bob" checked/)
    assertStatus(await byAnn.post(path, { template, facts: 'chosen', title: 'a', body: 'b' }), 303)

    const { body } = await app.get(ann, '/repos/ann/one/issues/1')
    assert.deepEqual([body.labels, body.assignees], [[], null])
  })

  test('asks what a form asks, and writes the answers down', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { app, ann, byBob } = setup
    await addFile(setup, `${folder}/wish.yaml`, form)
    const template = `${folder}/wish.yaml`
    const page = await byBob.get(`${path}?template=${encodeURIComponent(template)}`)
    assert.match(page.text, /<strong>much<\/strong>[^]*<em>role<\/em>/)
    assert.match(wordsOf(page), /Who \(needed\)/)
    const answers = {
      template,
      title: 'More light',
      'form-field-who': 'a keeper',
      'form-field-log': 'x\r\n```\r\ny',
      'form-field-where': '1',
      'form-field-agreed': '0',
    }

    for (const [missing, label] of [
      ['form-field-who', 'Who'],
      ['form-field-agreed', 'Agreed'],
    ] as const) {
      const refused = await byBob.post(path, { ...answers, [missing]: '' })
      assertStatus(refused, 422)
      assert.ok(refused.text.includes(`“${label}” is needed.`))
      assert.match(refused.text, /<option value="1" selected>South/)
    }
    assertStatus(await byBob.post(path, answers), 303)
    const ticks = { ...answers, 'form-field-log': '` '.repeat(200_000) }
    assertStatus(await byBob.post(path, ticks), 303)
    const { body } = await app.get(ann, '/repos/ann/one/issues/1')
    assert.equal(
      body.body,
      '### Who\n\na keeper\n\n### Log\n\n````text\nx\n```\ny\n````\n\n### Where\n\nSouth\n\n### Agreed\n\n- [x] I have searched\n- [ ] I will help\n',
    )
  })
})
