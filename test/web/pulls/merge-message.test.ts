// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64, commit } from '../../code/commits/setup.ts'
import { getPull, openPull, addBranch } from '../../collaboration/pulls/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { pulls, startWithPulls, type PullSetup } from './setup.ts'

/** The fields of the form, as a browser sends them when nobody changes any. */
function fieldsOf({ text }: TestAnswer): Record<string, string> {
  const form =
    /<form[^>]*action="[^"]*\/merge">(?:(?!<\/form>)[^])*merge-style[^]*?<\/form>/.exec(
      text,
    )?.[0] ?? ''
  const inputs = [...form.matchAll(/<input [^>]*name="(\w+)"[^>]* value="([^"]*)"/g)]
  const areas = [...form.matchAll(/<textarea [^>]*name="(\w+)"[^>]*>\n([^<]*)</g)]
  const found = [...inputs, ...areas].map(([, name = '', value = '']) => [name, plain(value)])
  return Object.fromEntries(
    found.filter(([name]) => !['delete_branch', 'force'].includes(name ?? '')),
  )
}

function plain(text: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => signs[name] ?? '')
}

function stylesOf({ text }: TestAnswer): readonly string[] {
  const select = /<select id="merge-style"[^]*?<\/select>/.exec(text)?.[0] ?? ''
  return [...select.matchAll(/value="([^"]+)"/g)].map(([, style = '']) => style)
}

async function messageOf({ app, ann, path }: PullSetup, number: number): Promise<string> {
  const { merge_commit_sha: id } = await getPull({ app, ann, path, bob: ann }, number)
  return (await app.get(ann, `${path}/git/commits/${id}`)).body.commit.message
}

suite('The message in the merge form', () => {
  test('is what the merge commit says when nobody changes it', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn } = setup
    for (const [index, style] of ['merge', 'rebase-merge'].entries()) {
      const title = `More of "it" <${index}>`
      await addBranch(setup, style, { [`${style}.txt`]: 'x\n' })
      const { number } = await openPull(setup, { head: style, title, body: 'Not this' })
      const usual = `Merge pull request '${title}' (#${number}) from ${style} into main`

      const fields = fieldsOf(await byAnn.get(`${pulls}/${number}`))
      assertStatus(await byAnn.post(`${pulls}/${number}/merge`, { ...fields, style }), 303)

      assert.partialDeepStrictEqual(fields, { merge_title: usual, merge_message: '' })
      assert.equal((await messageOf(setup, number)).trim(), usual)
    }
  })

  test('has the description of the pull request where the server is set up so', async (t) => {
    const changes = { repositories: { default_merge_description: true } }
    const setup = await startWithPulls(t, changes)
    const { app, ann, path, byAnn } = setup
    await openPull(setup, { title: 'The work', body: 'Why **so**\r\n\r\nFixes nothing' })

    const fields = fieldsOf(await byAnn.get(`${pulls}/1`))
    assertStatus(await byAnn.post(`${pulls}/1/merge`, { ...fields, style: 'merge' }), 303)

    const title = "Merge pull request 'The work' (#1) from topic into main"
    assert.equal((await messageOf(setup, 1)).trim(), `${title}\n\nWhy **so**\n\nFixes nothing`)
    await addBranch(setup, 'second', { 'b.txt': 'b\n' })
    await openPull(setup, { head: 'second', title: 'By the API', body: 'Not this' })
    assertStatus(await app.post(ann, `${path}/pulls/2/merge`, { do: 'merge' }), 200)
    assert.doesNotMatch(await messageOf(setup, 2), /Not this/)
  })

  test('has the messages and the authors of the commits for a squash', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup
    const cat = { name: 'Cat', email: 'cat@example.org' }
    const add = async (name: string, message: string, author?: object) => {
      const body = { content: base64(name), branch: 'topic', message, author }
      assertStatus(await app.post(ann, `${path}/contents/${name}`, body), 201)
    }
    await add('b.txt', 'Second\n\nWith a reason\n\nCo-authored-by: Dan <dan@example.org>')
    await add('c.txt', `Third ${evil}`, cat)
    await add('d.txt', 'Fourth', cat)
    await openPull(setup, { title: 'All four' })

    const page = await byAnn.get(`${pulls}/1`)
    const fields = fieldsOf(page)
    assertStatus(await byAnn.post(`${pulls}/1/merge`, { ...fields, style: 'squash' }), 303)

    const messages = ['* work on topic', '* Second\n\nWith a reason', `* Third ${evil}`, '* Fourth']
    const authors = ['Cat <cat@example.org>', 'Dan <dan@example.org>']
    const trailers = authors.map((author) => `Co-authored-by: ${author}`).join('\n')
    const expected = ['All four (#1)', ...messages, trailers].join('\n\n')
    assert.equal((await messageOf(setup, 1)).trim(), expected)
    assert.ok(!hasScript(page))
  })

  test('is for a squash of one commit what its title does not say', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup
    const one = { content: base64('b'), new_branch: 'one', message: 'Add b\n\nBecause of a' }
    assertStatus(await app.post(ann, `${path}/contents/b.txt`, one), 201)
    await openPull(setup, { head: 'one', title: 'Add b' })
    await openPull(setup, { head: 'topic', title: 'Other words' })

    const same = fieldsOf(await byAnn.get(`${pulls}/1`))
    const other = fieldsOf(await byAnn.get(`${pulls}/2`))

    assert.partialDeepStrictEqual(same, {
      squash_title: 'Add b (#1)',
      squash_message: 'Because of a',
    })
    assert.equal(other['squash_message'], 'work on topic')
  })

  test('is the usual title when it is emptied, and no body', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn } = setup
    await commit(setup, { 'b.txt': 'b\n' }, { branch: 'topic' })
    await openPull(setup, { title: 'The work' })
    const empty = { squash_title: ' ', squash_message: '', merge_title: 'x', merge_message: 'y' }

    assertStatus(await byAnn.post(`${pulls}/1/merge`, { ...empty, style: 'squash' }), 303)

    assert.equal((await messageOf(setup, 1)).trim(), 'The work (#1)')
  })

  test('stays as it was typed when the merge is refused', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn } = setup
    const { head } = await openPull(setup)
    const fields = fieldsOf(await byAnn.get(`${pulls}/1`))
    await commit(setup, { 'b.txt': 'b\n' }, { branch: 'topic' })
    const typed = { ...fields, squash_title: 'Mine', squash_message: 'All mine' }

    const refused = await byAnn.post(`${pulls}/1/merge`, { ...typed, style: 'squash' })

    assertStatus(refused, 422)
    assert.partialDeepStrictEqual(fieldsOf(refused), {
      squash_title: 'Mine',
      squash_message: 'All mine',
      merge_title: fields['merge_title'],
    })
    assert.notEqual(fieldsOf(refused)['head_commit_id'], head.sha)
  })
})

suite('A merge by fast-forward only', () => {
  test('is offered only while the base branch has no commits of its own', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup
    const allow = { has_pull_requests: true, allow_fast_forward_only_merge: true }
    assertStatus(await app.patch(ann, path, allow), 200)
    await openPull(setup)
    const before = await byAnn.get(`${pulls}/1`)
    await commit(setup, { 'm.txt': 'm\n' }, { branch: 'main' })

    const after = await byAnn.get(`${pulls}/1`)

    assert.ok(stylesOf(before).includes('fast-forward-only'))
    assert.doesNotMatch(wordsOf(before), /Fast-forward only is possible once/)
    assert.ok(!stylesOf(after).includes('fast-forward-only'))
    assert.ok(stylesOf(after).includes('rebase'))
    assert.match(wordsOf(after), /Fast-forward only is possible once .* has all commits of main/)
    const others = ['merge_commits', 'rebase', 'rebase_explicit', 'squash_merge']
    const off = Object.fromEntries(others.map((name) => [`allow_${name}`, false]))
    assertStatus(await app.patch(ann, path, { ...allow, ...off }), 200)
    assert.deepEqual(stylesOf(await byAnn.get(`${pulls}/1`)), [])
    assertStatus(await byAnn.post(`${pulls}/1/update`, { style: 'rebase' }), 303)
    assert.deepEqual(stylesOf(await byAnn.get(`${pulls}/1`)), ['fast-forward-only'])
    const fields = fieldsOf(await byAnn.get(`${pulls}/1`))
    assertStatus(
      await byAnn.post(`${pulls}/1/merge`, { ...fields, style: 'fast-forward-only' }),
      303,
    )
    const { merge_commit_sha: merge, head } = await getPull(setup, 1)
    assert.equal(merge, head.sha)
  })
})
