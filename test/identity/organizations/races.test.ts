import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { anonymous } from '../../../src/platform/context.ts'
import { lock } from '../../../src/platform/db/lock.ts'
import {
  createRepository,
  type NewRepository,
} from '../../../src/repositories/repository/create.ts'
import { loadVisibleAccount } from '../../../src/identity/users/load.ts'
import { dropAccounts } from '../../../src/identity/users/remove.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { atOnce } from '../../support/at-once.ts'
import { testDialect } from '../../support/databases.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { untilItWaits } from '../../support/waiting.ts'
import { addOrganization, addTeam, logins, names, ownersOf } from './setup.ts'

function statuses(answers: readonly TestAnswer[]): readonly number[] {
  return answers.map(({ status }) => status).sort((a, b) => a - b)
}

function repeat<T>(times: number, what: (index: number) => T): readonly T[] {
  return Array.from({ length: times }, (_, index) => what(index))
}

function newRepository(name: string): NewRepository {
  const texts = { description: '', readme: '', gitignores: '', license: '', issueLabels: '' }
  const flags = { isPrivate: false, isTemplate: false, autoInit: false }
  const rest = { defaultBranch: 'main', objectFormat: '', trustModel: 'default' }
  return { name, ...texts, ...flags, ...rest }
}

const waysOut = [
  ['as members', (org: string, _team: number, name: string) => `/orgs/${org}/members/${name}`],
  [
    'from the team of owners',
    (_org: string, team: number, name: string) => `/teams/${team}/members/${name}`,
  ],
] as const

const onPostgres = testDialect === 'postgres' ? false : 'SQLite has one writer'

/** All repositories of the owner hear of them. */
const changesOfOwners = [
  [
    'the visibility of an organization',
    (app: TestApp, root: TestCaller) => app.patch(root, '/orgs/acme', { visibility: 'private' }),
  ],
  [
    'the visibility of a person',
    (app: TestApp, root: TestCaller) =>
      app.patch(root, '/admin/users/ann', { visibility: 'limited' }),
  ],
  [
    'the name of an organization',
    (app: TestApp, root: TestCaller) => app.post(root, '/orgs/acme/rename', { new_name: 'apex' }),
  ],
] as const

suite('at the same time', () => {
  test('twenty calls that make one organization make it once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const answers = await Promise.all(
      repeat(20, (index) =>
        app.post(ann, '/orgs', { username: index % 2 === 0 ? 'acme' : 'ACME' }),
      ),
    )

    assert.deepEqual(statuses(answers), [201, ...Array<number>(19).fill(422)])
    const { body: orgs } = await app.get(ann, '/user/orgs')
    assert.equal(orgs.length, 1)
    assert.deepEqual(names((await app.get(ann, '/orgs/acme/teams')).body), ['Owners'])
  })

  test('ten calls that make one team make it once', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')

    const answers = await Promise.all(
      repeat(10, () => app.post(ann, '/orgs/acme/teams', { name: 'devs', permission: 'read' })),
    )

    assert.deepEqual(statuses(answers), [201, ...Array<number>(9).fill(422)])
  })

  for (const [way, path] of waysOut) {
    test(`two owners who remove each other ${way} leave one, in each of several organizations`, async (t) => {
      const app = await startApp(t)
      const root = await app.addAdmin()
      const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
      const orgs = repeat(8, (index) => `org${index}`)
      const teams: number[] = []
      for (const org of orgs) {
        await addOrganization(app, ann, org)
        const owners = await ownersOf(app, ann, org)
        await app.put(ann, `/teams/${owners}/members/bob`)
        teams.push(owners)
      }

      const answers = await Promise.all(
        orgs.map((org, index) =>
          Promise.all([
            app.delete(ann, path(org, teams[index] ?? 0, 'bob')),
            app.delete(bob, path(org, teams[index] ?? 0, 'ann')),
          ]),
        ),
      )

      for (const pair of answers) {
        // Whoever comes second would remove the last owner, or is no owner any more.
        const [first, second] = statuses(pair)
        assert.equal(first, 204)
        assert.ok(second === 422 || second === 403, String(second))
      }
      for (const team of teams) {
        assert.equal((await app.get(root, `/teams/${team}/members`)).body.length, 1)
      }
    })
  }

  for (const [way, path] of waysOut) {
    test(`an owner who leaves ${way} waits for the decision about another, and counts with it`, async (t) => {
      const app = await startApp(t)
      const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
      const { id } = await addOrganization(app, ann, 'acme')
      const owners = await ownersOf(app, ann, 'acme')
      await app.put(ann, `/teams/${owners}/members/bob`)
      const { db } = app.ctx

      const leaving = await db.transaction().execute(async (tx) => {
        await lock(db.dialect, tx, 'organization', id)
        await tx.deleteFrom('team_member').where('account_id', '=', bob.id).execute()
        const request = app.delete(ann, path('acme', owners, 'ann'))
        await untilItWaits(db, request)
        return { request }
      })

      assertError(await leaving.request, 422, /last owner/)
      assert.deepEqual(logins((await app.get(ann, `/teams/${owners}/members`)).body), ['ann'])
    })
  }

  test('who watches a repository waits for the decision whether they still see it', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const { id } = await addOrganization(app, ann, 'acme')
    const team = { name: 'all', includes_all_repositories: true }
    await addTeam(app, ann, 'acme', team, [bob])
    assertStatus(await app.post(ann, '/orgs/acme/repos', { name: 'one', private: true }), 201)
    assertStatus(await app.delete(bob, '/repos/acme/one/subscription'), 204)
    const { db } = app.ctx

    const watching = await db.transaction().execute(async (tx) => {
      await lock(db.dialect, tx, 'organization', id)
      for (const table of ['team_member', 'organization_member'] as const)
        await tx.deleteFrom(table).where('account_id', '=', bob.id).execute()
      const request = app.put(bob, '/repos/acme/one/subscription')
      await untilItWaits(db, request)
      return { request }
    })

    assertError(await watching.request, 404)
    const watches = db.selectFrom('watch').selectAll().where('account_id', '=', bob.id)
    assert.deepEqual(await watches.execute(), [])
  })

  for (const [what, change] of changesOfOwners) {
    test(`${what} is done anew where PostgreSQL undid it`, { skip: onPostgres }, async (t) => {
      const app = await startApp(t)
      const root = await app.addAdmin()
      const ann = await app.addCaller('ann')
      const { id } = await addOrganization(app, ann, 'acme')
      const owner = what.includes('person') ? ann.id : id
      for (const path of ['/user/repos', '/orgs/acme/repos'])
        assertStatus(await app.post(ann, path, { name: 'one' }), 201)
      const { db } = app.ctx

      const changing = await db.transaction().execute(async (tx) => {
        // The other way round: a repository, then its owner. Who looks for a circle first is
        // undone.
        await sql`SET LOCAL deadlock_timeout = '30s'`.execute(tx)
        const later = { updated_at: app.ctx.now() }
        await tx.updateTable('repository').set(later).where('owner_id', '=', owner).execute()
        const request = change(app, root)
        await untilItWaits(db, request)
        await tx.updateTable('account').set(later).where('id', '=', owner).execute()
        return { request }
      })

      const { status, text } = await changing.request
      assert.ok(status === 200 || status === 204, `${status} ${text}`)
    })
  }

  test('moving people between teams leaves everybody who is in a team a member, and nobody else', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const people = await Promise.all(repeat(6, (index) => app.addCaller(`person${index}`)))
    await addOrganization(app, ann, 'acme')
    const devs = await addTeam(app, ann, 'acme', { name: 'devs' }, people)
    const docs = await addTeam(app, ann, 'acme', { name: 'docs' })

    const answers = await Promise.all(
      people.flatMap(({ name }) => [
        app.put(ann, `/teams/${docs.id}/members/${name}`),
        app.delete(ann, `/teams/${devs.id}/members/${name}`),
      ]),
    )

    assert.deepEqual(new Set(statuses(answers)), new Set([204]))
    const expected = people.map(({ name }) => name)
    assert.deepEqual(logins((await app.get(ann, `/teams/${devs.id}/members`)).body), [])
    assert.deepEqual(logins((await app.get(ann, `/teams/${docs.id}/members`)).body), expected)
    assert.deepEqual(logins((await app.get(ann, '/orgs/acme/members')).body), ['ann', ...expected])
  })

  test('deleting an organization while it is filled leaves nothing, and nothing fails', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' })

    const answers = await Promise.all([
      ...repeat(4, (index) =>
        app.post(ann, '/orgs/acme/teams', { name: `team${index}`, permission: 'read' }),
      ),
      app.delete(ann, '/orgs/acme'),
      app.put(ann, `/teams/${id}/members/bob`),
      app.patch(ann, `/teams/${id}`, { description: 'x' }),
      app.patch(ann, '/orgs/acme', { description: 'x' }),
      app.delete(ann, '/orgs/acme/members/bob'),
    ])

    // Who arrives after the deletion finds no organization, or is no owner of one.
    const failures = statuses(answers).filter((status) => status >= 400)
    assert.ok(
      failures.every((status) => status === 404 || status === 403),
      failures.join(' '),
    )
    assert.equal(answers[4]?.status, 204)
    assert.deepEqual((await app.get(bob, '/user/orgs')).body, [])
    assert.deepEqual((await app.get(bob, '/user/teams')).body, [])
  })

  test('who is taken out while they make a repository does not administrate it', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const owners = await ownersOf(app, ann, 'acme')
    const prepare = async (round: number) => {
      assertStatus(await app.put(ann, `/teams/${owners}/members/bob`), 204)
      return { name: `r${round}`, private: true }
    }
    const create = (made: object) => app.post(bob, '/orgs/acme/repos', made)
    const leave = () => app.delete(ann, '/orgs/acme/members/bob')

    await atOnce(prepare, [create, leave], async ({ name }, [, left]) => {
      assertStatus(left, 204)
      assertError(await app.get(bob, `/repos/acme/${name}`), 404)
    })
  })

  test('who is taken out while others make or share repositories does not watch them', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const all = { name: 'all', includes_all_repositories: true }
    const teams = [
      await addTeam(app, ann, 'acme', all),
      await addTeam(app, ann, 'acme', { name: 'some' }),
    ]
    const prepare = async (round: number) => {
      const shared = { name: `shared${round}`, private: true }
      assertStatus(await app.post(ann, '/orgs/acme/repos', shared), 201)
      for (const { id } of teams) assertStatus(await app.put(ann, `/teams/${id}/members/bob`), 204)
      return { round, shared: shared.name }
    }
    const add = async ({ round, shared }: { round: number; shared: string }) => {
      const [answer] = await Promise.all([
        app.put(ann, `/teams/${teams[1].id}/repos/acme/${shared}`),
        app.post(ann, '/orgs/acme/repos', { name: `r${round}`, private: true }),
      ])
      return answer
    }
    const leave = () => app.delete(ann, '/orgs/acme/members/bob')

    await atOnce(prepare, [add, leave], async () => {
      const { db } = app.ctx
      const watched = db.selectFrom('watch').selectAll().where('account_id', '=', bob.id)
      assert.deepEqual(await watched.execute(), [])
    })
  })

  test('a repository for an organization that is gone is not made, nor one left without its owner', async (t) => {
    const app = await startApp(t)
    const { ctx } = app
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'apex')
    const [acme, apex] = await Promise.all(
      ['acme', 'apex'].map((name) => loadVisibleAccount(ctx, anonymous, name)),
    )
    assert.ok(acme && apex)
    const caller = { ...anonymous, account: ann.account, credential: { kind: 'password' } } as const
    const wanted = newRepository('one')
    await createRepository(ctx, caller, apex, wanted)
    const folders = () => globSync(join(ctx.config.data, 'repositories', '**', 'HEAD')).length
    const before = folders()

    // Both have been checked by then, and the other call was quicker.
    await app.delete(ann, '/orgs/acme')
    await assert.rejects(createRepository(ctx, caller, acme, wanted), { code: 'not_found' })
    const drop = ctx.db.transaction().execute((tx) => dropAccounts(ctx, tx, [apex.id]))
    await assert.rejects(drop, { code: 'invalid', message: /still has ownership of repositories/ })

    assert.equal(folders(), before)
    assertStatus(await app.get(ann, '/repos/apex/one'), 200)
  })
})
