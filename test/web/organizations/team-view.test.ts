// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { signIn, type Visitor } from '../support.ts'
import { startWithOrganization, type Setup } from './setup.ts'

const path = '/org/acme/teams'

interface WithTeams extends Setup {
  readonly byDan: Visitor
  readonly teamIds: Readonly<Record<'open' | 'inner' | 'closed', number>>
}

/**
 * Beside crew, which bob is in, teams that everybody, members and nobody but owners read; dan is a
 * stranger.
 */
async function startWithTeams(t: TestContext): Promise<WithTeams> {
  const setup = await startWithOrganization(t)
  const { app, ann } = setup
  await app.addPerson('dan')
  const add = async (name: string, visibility: string) => {
    const team = { name, visibility, permission: 'write', description: evil }
    const { body } = await app.post(ann, '/orgs/acme/teams', team)
    return body.id as number
  }
  const teamIds = {
    open: await add('open', 'public'),
    inner: await add('inner', 'limited'),
    closed: await add('closed', 'private'),
  }
  return { ...setup, teamIds, byDan: await signIn(app, 'dan') }
}

suite('/org/{org}/teams', () => {
  test('lists the teams that the viewer may read, as the API has it', async (t) => {
    const { app, ann, byAnn, byBob, byDan, visitor } = await startWithTeams(t)
    const listed = async (one: Visitor) => {
      const page = await one.get(path)
      assertStatus(page, 200)
      assert.equal(hasScript(page), false)
      return [...page.text.matchAll(/href="\/org\/acme\/teams\/(\w+)"/g)].map(([, name]) => name)
    }

    assert.deepEqual(await listed(byAnn), ['Owners', 'closed', 'crew', 'inner', 'open'])
    assert.deepEqual(await listed(byBob), ['Owners', 'crew', 'inner', 'open'])
    assert.deepEqual(await listed(byDan), ['open'])
    assert.equal(
      (await visitor.get(path)).headers['location'],
      `/user/login?redirect_to=${encodeURIComponent(path)}`,
    )
    assert.match((await byAnn.get(path)).text, /href="\/org\/acme\/settings\/teams"/)
    assert.doesNotMatch((await byBob.get(path)).text, /acme\/settings/)
    assert.match((await byBob.get(`${path}?limit=1`)).text, /teams\?limit=1&amp;page=2"/)
    await app.patch(ann, '/orgs/acme', { visibility: 'private' })
    assertStatus(await byDan.get(path), 404)
    assertStatus(await byDan.get(`${path}/open`), 404)
    assertStatus(await byBob.get(path), 200)
  })
})

suite('/org/{org}/teams/{team}', () => {
  test('is for those who may read the team, with its members for members', async (t) => {
    const { app, ann, teamIds, byAnn, byBob, byDan, visitor } = await startWithTeams(t)
    await app.addPerson('eve', { fullName: evil })
    await app.put(ann, `/teams/${teamIds.open}/members/eve`)
    const seen = async (one: Visitor) => {
      const statuses = []
      for (const team of ['Owners', 'crew', 'open', 'inner', 'closed', 'none']) {
        const { status } = await one.get(`${path}/${team}`)
        assert.equal((await one.get(`${path}/${team}/repositories`)).status, status)
        statuses.push(status)
      }
      return statuses
    }

    assert.deepEqual(await seen(byAnn), [200, 200, 200, 200, 200, 404])
    assert.deepEqual(await seen(byBob), [200, 200, 200, 200, 404, 404])
    assert.deepEqual(await seen(byDan), [404, 404, 200, 404, 404, 404])
    assert.deepEqual(await seen(visitor), [303, 303, 303, 303, 303, 303])
    const page = await byBob.get(`${path}/OPEN`)
    assert.match(page.text, /href="\/eve"/)
    assert.match(wordsOf(page), /What they may do: write/)
    assert.equal(hasScript(page), false)
    const toStranger = await byDan.get(`${path}/open`)
    assert.doesNotMatch(toStranger.text, /href="\/eve"|Members/)
    assert.match(wordsOf(toStranger), /What they may do: write/)
    assert.match(
      (await byAnn.get(`${path}/open`)).text,
      /href="\/org\/acme\/settings\/teams\/open"/,
    )
    assert.doesNotMatch(page.text, /acme\/settings/)
    assert.match((await byBob.get(`${path}/crew`)).text, /href="\/bob"/)
  })

  test('tells levels that differ by unit', async (t) => {
    const { app, ann, byBob, teamId } = await startWithOrganization(t)
    const unitsMap = { 'repo.code': 'write', 'repo.ext_wiki': 'read' }
    await app.patch(ann, `/teams/${teamId}`, { units_map: unitsMap })

    const page = await byBob.get(`${path}/crew`)

    assert.match(wordsOf(page), /differs by unit code: write external wiki: read/)
  })

  test('has those of its repositories that the viewer sees', async (t) => {
    const { app, ann, teamIds, byAnn, byBob, byDan } = await startWithTeams(t)
    for (const [name, isPrivate] of [
      ['shown', false],
      ['secret', true],
      ['other', false],
    ] as const) {
      await app.post(ann, '/orgs/acme/repos', { name, private: isPrivate, description: evil })
    }
    for (const name of ['shown', 'secret']) {
      assertStatus(await app.put(ann, `/teams/${teamIds.open}/repos/acme/${name}`), 204)
    }
    const listed = async (one: Visitor, page = `${path}/open/repositories`) => {
      const answer = await one.get(page)
      assert.equal(hasScript(answer), false)
      return [...answer.text.matchAll(/href="\/acme\/(\w+)"/g)].map(([, name = '']) => name).sort()
    }

    assert.deepEqual(await listed(byAnn), ['secret', 'shown'])
    assert.deepEqual(await listed(byBob), ['shown'])
    assert.deepEqual(await listed(byDan), ['shown'])
    assert.deepEqual(await listed(byDan, `${path}/open`), ['shown'])
    assert.deepEqual(await listed(byAnn, `${path}/open/repositories?q=secret`), ['secret'])
    assert.deepEqual(await listed(byAnn, `${path}/Owners/repositories`), [
      'other',
      'secret',
      'shown',
    ])
    const nothing = await byAnn.get(
      `${path}/open/repositories?q=${encodeURIComponent(`none${evil}`)}`,
    )
    assert.match(wordsOf(nothing), /Nothing fits/)
    assert.equal(hasScript(nothing), false)
    assert.match(wordsOf(await byBob.get(`${path}/crew/repositories`)), /It has none/)
  })
})
