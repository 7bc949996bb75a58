// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64, commit, startWithRepository } from '../code/commits/setup.ts'
import { addBranch, openPull } from '../collaboration/pulls/setup.ts'
import type { TestAnswer } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { signIn } from './support.ts'

function titleOf({ text }: TestAnswer): string {
  return /<title>([^]*?) · Codestead<\/title>/.exec(text)?.[1] ?? ''
}

suite('the title of a page', () => {
  test('says what the page is, also where several are of one kind', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'work', { 'a.txt': 'x\n' })
    await openPull(setup, { head: 'work', title: 'The work' })
    assertStatus(await app.post(ann, '/orgs', { username: 'guild' }), 201)
    const team = { name: 'crew', permission: 'read', units: ['repo.code'] }
    assertStatus(await app.post(ann, '/orgs/guild/teams', team), 201)
    const config = { url: 'https://example.org/', content_type: 'json' }
    const hook = await app.post(ann, `${path}/hooks`, { type: 'gitea', config, events: ['push'] })
    assertStatus(hook, 201)
    assertStatus(await app.post(ann, `${path}/branch_protections`, { rule_name: 'main' }), 201)
    const visitor = await signIn(app, 'ann')
    const hookPage = `/ann/one/settings/hooks/${hook.body.id as number}`
    assertStatus(await visitor.post(`${hookPage}/test`), 303)
    const { text } = await visitor.get(hookPage)
    const [, delivery = ''] = /href="([^"]*\/deliveries\/\d+)"/.exec(text) ?? []

    const titles: Readonly<Record<string, string>> = {
      '/explore/repos': 'Repositories · Explore',
      '/explore/repos?q=lamp': 'lamp · Repositories · Explore',
      '/explore/users': 'People · Explore',
      '/explore/organizations?q=lamp': 'lamp · Organizations · Explore',
      '/ann/one/pulls/1': 'The work #1 · ann/one',
      '/ann/one/pulls/1/commits': 'Commits · The work #1 · ann/one',
      '/ann/one/pulls/1/files': 'Files · The work #1 · ann/one',
      '/ann/one/settings/hooks': 'Webhooks · Settings · ann/one',
      '/ann/one/settings/hooks/new': 'New webhook · Webhooks · Settings · ann/one',
      [hookPage]: 'Webhook · Webhooks · Settings · ann/one',
      [delivery]: 'Delivery · Webhooks · Settings · ann/one',
      '/user/settings/hooks/new': 'New webhook · Webhooks · Settings',
      '/org/guild/settings/hooks/new': 'New webhook · Webhooks · Settings · guild',
      '/ann/one/settings/branches': 'Branches · Settings · ann/one',
      '/ann/one/settings/branches/new': 'New rule · Branches · Settings · ann/one',
      '/ann/one/settings/branches/edit?name=main': 'Rule for main · Branches · Settings · ann/one',
      '/org/guild/teams': 'Teams · guild',
      '/org/guild/teams/crew': 'crew · Teams · guild',
      '/org/guild/settings/teams': 'Teams · Settings · guild',
      '/org/guild/settings/teams/crew': 'crew · Teams · Settings · guild',
    }
    for (const [address, title] of Object.entries(titles)) {
      assert.equal(titleOf(await visitor.get(address)), title, address)
    }
  })
})

suite('the headings of a page', () => {
  test('are one of the first level, whatever is written in Markdown', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const text = '# One\n\n## Two\n\n<h1 align="center">Three</h1>\n\n###### Six\n'
    await commit(setup, { 'README.md': text })
    const page = { title: 'Home', content_base64: base64(text) }
    assertStatus(await app.post(ann, `${path}/wiki/new`, page), 201)
    assertStatus(await app.post(ann, `${path}/issues`, { title: 'x', body: text }), 201)
    const visitor = await signIn(app, 'ann')

    for (const address of [
      '/ann/one',
      '/ann/one/src/branch/main/README.md',
      '/ann/one/wiki',
      '/ann/one/issues/1',
    ]) {
      const { text: shown } = await visitor.get(address)
      assert.equal(shown.match(/<h1\b/g)?.length, 1, address)
      assert.match(shown, /<h2 [^>]*>One<\/h2>\s*<h3 [^>]*>Two<\/h3>/, address)
      assert.match(shown, /<h2 align="center">Three<\/h2>\s*<h6 [^>]*>Six<\/h6>/, address)
    }
    const { text: readme } = await visitor.get('/ann/one')
    assert.match(readme, /<h2 dir="auto" id="user-content-one">/)
  })
})
