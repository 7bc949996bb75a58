// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, commit } from '../../code/commits/setup.ts'
import { addCollaborator, getPull, openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { pulls, startWithPulls, type PullSetup } from './setup.ts'

interface Said {
  readonly id: number
  readonly body: string
  readonly path: string
  readonly position: number
  readonly resolver: { readonly login: string } | null
}

async function reviewsOf({ app, ann, path }: PullSetup) {
  const { body } = await app.get(ann, `${path}/pulls/1/reviews`)
  return body as readonly { id: number; state: string; body: string; user: { login: string } }[]
}

async function saidOfCode(setup: PullSetup): Promise<readonly Said[]> {
  const { app, ann, path } = setup
  const all: Said[] = []
  for (const { id } of await reviewsOf(setup))
    all.push(...(await app.get(ann, `${path}/pulls/1/reviews/${id}/comments`)).body)
  return all
}

suite('POST /{owner}/{repo}/pulls/{index}/reviews', () => {
  test('hands in what somebody thinks, which the conversation shows', async (t) => {
    const setup = await startWithPulls(t)
    const { byBob, byAnn } = setup
    await openPull(setup)
    const path = `${pulls}/1/reviews`

    const refused = await byBob.post(path, { event: 'REQUEST_CHANGES', body: '**Not** yet' })
    const approved = await byBob.post(path, { event: 'APPROVED', body: '' })

    assert.match(refused.headers['location'] ?? '', /^\/ann\/one\/pulls\/1#pullrequestreview-\d+$/)
    assertStatus(approved, 303)
    const states = (await reviewsOf(setup)).map(({ state, body, user }) => [
      state,
      body,
      user.login,
    ])
    assert.deepEqual(states, [
      ['REQUEST_CHANGES', '**Not** yet', 'bob'],
      ['APPROVED', '', 'bob'],
    ])
    const page = await byAnn.get(`${pulls}/1`)
    assert.match(
      page.text,
      /wants something changed[^]*<strong>Not<\/strong> yet[^]*approved the changes/,
    )
    assert.match(wordsOf(page), /Reviewers .* bob approved the changes/)
  })

  test('is about the commits that were looked at', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byBob } = setup
    await openPull(setup)
    const page = await byBob.get(`${pulls}/1/files`)
    const [, seen = ''] = /reviews">[^]*name="commit_id" value="(\w+)">/.exec(page.text) ?? []
    await commit(setup, { 'a.txt': 'other\n' }, { branch: 'topic' })

    const late = { event: 'APPROVED', body: '', commit_id: seen }
    assertStatus(await byBob.post(`${pulls}/1/reviews`, late), 303)

    const { body } = await app.get(ann, `${path}/pulls/1/reviews`)
    assert.deepEqual([body[0].commit_id, body[0].stale], [seen, true])
    assert.match((await byBob.get(`${pulls}/1`)).text, /Before later changes/)
  })

  test('takes no word without reasons, about own work, or from those who may not speak', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path: repo, byAnn, byBob, visitor } = setup
    await openPull(setup)
    const path = `${pulls}/1/reviews`

    const silent = await byBob.post(path, { event: 'REQUEST_CHANGES', body: ' ' })
    assertStatus(silent, 422)
    assert.match(silent.text, /Say what is to be changed\./)
    assertStatus(await byBob.post(path, { event: 'COMMENT', body: '' }), 422)
    assertStatus(await byBob.post(path, { event: 'PENDING', body: 'x' }), 404)
    assert.doesNotMatch((await byAnn.get(`${pulls}/1/files`)).text, /value="APPROVED"/)
    assert.match((await byBob.get(`${pulls}/1/files`)).text, /value="APPROVED"/)
    assertStatus(await byAnn.post(path, { event: 'APPROVED', body: 'x' }), 422)
    assertStatus(await byBob.post(path, { event: 'APPROVED', body: 'x' }, fromElsewhere), 403)
    const led = await visitor.post(path, { event: 'APPROVED' })
    assertSessionEnded(led)
    await app.put(ann, `${repo}/issues/1/lock`, { lock_reason: '' })
    assertStatus(await byBob.post(path, { event: 'APPROVED', body: 'x' }), 403)
    assert.doesNotMatch(
      (await byBob.get(`${pulls}/1/files`)).text,
      /name="event"|Comment on a line/,
    )
    await archive(setup)
    assertStatus(await byAnn.post(path, { event: 'COMMENT', body: 'x' }), 423)
    assert.deepEqual(await reviewsOf(setup), [])
  })
})

suite('POST /{owner}/{repo}/pulls/{index}/files', () => {
  test('says something of a line, which stands below it and in the conversation', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn, byBob } = setup
    const { head } = await openPull(setup)
    const place = { path: 'a.txt', line: '1', side: 'new', file: '1', commit_id: head.sha }
    const fields = { ...place, body: 'Why **a**?' }

    const said = await byBob.post(`${pulls}/1/files`, fields)

    assert.equal(said.headers['location'], `${pulls}/1/files#file-1`)
    assert.partialDeepStrictEqual(await saidOfCode(setup), [
      { body: 'Why **a**?', path: 'a.txt', position: 1 },
    ])
    const files = await byAnn.get(`${pulls}/1/files`)
    assert.match(
      files.text,
      /<tr class="added">.*\n<tr class="remark">[^]*Why <strong>a<\/strong>\?/,
    )
    const page = await byAnn.get(`${pulls}/1`)
    assert.match(wordsOf(page), /a\.txt line 1 .* Why a \?/)
    assert.match(page.text, /<tr class="added"><td><\/td><td data-line="1">/)
    await commit(setup, { 'a.txt': 'other\n' }, { branch: 'topic' })
    assert.doesNotMatch((await byAnn.get(`${pulls}/1/files`)).text, /Why/)
    assert.match((await byAnn.get(`${pulls}/1`)).text, /Why/)
  })

  test('takes lines that are shown, and something said', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn, byBob, visitor } = setup
    const { head } = await openPull(setup)
    const path = `${pulls}/1/files`
    const place = { path: 'a.txt', line: '1', side: 'new', file: '1', commit_id: head.sha }
    const fields = { ...place, body: 'Why?' }

    for (const wrong of [{ line: '7' }, { side: 'old' }, { path: 'b.txt' }, { body: ' ' }]) {
      const answer = await byBob.post(path, { ...fields, ...wrong })
      assertStatus(answer, 422)
      const isKept = 'path' in wrong ? /<pre>Why\?<\/pre>/ : /<details class="remark-form" open>/
      assert.match(answer.text, isKept)
    }
    assert.match((await byBob.post(path, { ...fields, line: '7' })).text, />\nWhy\?<\/textarea>/)
    assertStatus(await byAnn.post(path, fields, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, fields))
    await commit(setup, { 'a.txt': 'other\n' }, { branch: 'topic' })
    const late = await byBob.post(path, fields)
    assertStatus(late, 422)
    assert.match(late.text, /Somebody has pushed meanwhile/)
    assert.deepEqual(await saidOfCode(setup), [])
  })

  test('is answered, and settled by the author and those who write', async (t) => {
    const setup = await startWithPulls(t)
    const { byAnn, byBob } = setup
    const { head } = await openPull(setup)
    const fields = { path: 'a.txt', line: '1', side: 'new', body: 'Why?', commit_id: head.sha }
    assertStatus(await byBob.post(`${pulls}/1/files`, fields), 303)
    const [first] = await saidOfCode(setup)
    const thread = `${pulls}/1/comments/${first?.id}`

    assertStatus(await byAnn.post(`${thread}/replies`, { body: 'Because' }), 303)
    const empty = await byAnn.post(`${thread}/replies`, { body: ' ' })
    assertStatus(empty, 422)
    assert.match(empty.text, /<details class="answer" open>[^]*Write something first/)
    assert.deepEqual(
      (await saidOfCode(setup)).map(({ body }) => body),
      ['Why?', 'Because'],
    )
    assert.match(wordsOf(await byBob.get(`${pulls}/1`)), /Why\? .* Because/)
    assert.doesNotMatch((await byBob.get(`${pulls}/1`)).text, /name="settled"/)
    assertStatus(await byBob.post(`${thread}/settled`, { settled: 'true' }), 403)
    assertStatus(await byAnn.post(`${thread}/settled`, { settled: 'true' }, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${thread}/settled`, { settled: 'true' }), 303)
    assert.equal((await saidOfCode(setup))[0]?.resolver?.login, 'ann')
    assert.match((await byBob.get(`${pulls}/1`)).text, /Settled by ann/)
    assertStatus(await byAnn.post(`${thread}/settled`, { settled: 'false' }), 303)
    assert.equal((await saidOfCode(setup))[0]?.resolver, null)
  })

  test('what is not handed in is seen by its author alone', async (t) => {
    const setup = await startWithPulls(t)
    const { app, bob, path, byAnn, byBob } = setup
    await openPull(setup)
    const comments = [{ path: 'a.txt', new_position: 1, body: 'Half a thought' }]
    await app.post(bob, `${path}/pulls/1/reviews`, { event: 'PENDING', body: 'begun', comments })

    assert.match((await byBob.get(`${pulls}/1/files`)).text, /Half a thought/)
    for (const page of ['', '/files'])
      assert.doesNotMatch((await byAnn.get(`${pulls}/1${page}`)).text, /Half a thought|begun/)
  })
})

suite('POST /{owner}/{repo}/pulls/{index}/reviewers', () => {
  test('asks those who are chosen, and those no longer who are not', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, bob, path: repo, byAnn, byBob } = setup
    await openPull(setup)
    const path = `${pulls}/1/reviewers`
    const asked = async () => {
      const { body } = await app.get(ann, `${repo}/pulls/1`)
      return body.requested_reviewers.map(({ login }: { login: string }) => login)
    }
    await addCollaborator(setup, bob, 'read')

    assert.match((await byAnn.get(`${pulls}/1`)).text, /name="reviewer" value="bob">/)
    assert.doesNotMatch((await byBob.get(`${pulls}/1`)).text, /name="reviewer"/)
    assertStatus(await byBob.post(path, { reviewer: 'bob' }), 403)
    assertStatus(await byAnn.post(path, { reviewer: 'bob' }, fromElsewhere), 403)
    assert.deepEqual(await asked(), [])
    assertStatus(await byAnn.post(path, { reviewer: 'bob' }), 303)
    assert.deepEqual(await asked(), ['bob'])
    const page = await byAnn.get(`${pulls}/1`)
    assert.match(wordsOf(page), /ann asked bob for a review/)
    assert.match(page.text, /name="reviewer" value="bob" checked/)
    const unknown = await byAnn.post(path, { reviewer: 'bob', other: 'nobody' })
    assertStatus(unknown, 422)
    assert.match(unknown.text, /value="nobody"[^]*nobody of this name/)
    assert.deepEqual(await asked(), ['bob'])
    assertStatus(await byAnn.post(path, { other: '' }), 303)
    assert.deepEqual(await asked(), [])
  })

  test('asks teams of the organization that has the repository', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, byAnn } = setup
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'tool', auto_init: true })
    const team = { permission: 'read', units: ['repo.code', 'repo.pulls'] }
    for (const name of ['Readers', 'others'])
      assertStatus(await app.post(ann, '/orgs/acme/teams', { ...team, name }), 201)
    assertStatus(await app.put(ann, '/repos/acme/tool/teams/Readers'), 204)
    const tool = { ...setup, path: '/repos/acme/tool' }
    await commit(tool, { 'a.txt': 'a' }, { new_branch: 'topic' })
    await openPull(tool)
    const path = '/acme/tool/pulls/1'
    const asked = async () =>
      (await getPull(tool, 1)).requested_reviewers_teams.map(({ name }: { name: string }) => name)

    const before = (await byAnn.get(path)).text
    assert.match(before, /name="team" value="Readers">/)
    assert.doesNotMatch(before, /value="others"/)
    assertStatus(await byAnn.post(`${path}/reviewers`, { team: 'others' }), 422)
    assertStatus(await byAnn.post(`${path}/reviewers`, { team: 'Readers' }), 303)
    assert.deepEqual(await asked(), ['Readers'])
    assert.match((await byAnn.get(path)).text, /name="team" value="Readers" checked/)
    assertStatus(await byAnn.post(`${path}/reviewers`, {}), 303)
    assert.deepEqual(await asked(), [])
  })
})
