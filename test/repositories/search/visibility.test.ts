import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { assertStatus } from '../../support/expect.ts'
import { machineOf } from '../../support/terminal.ts'

const visibilities = ['public', 'limited', 'private'] as const
const people = ['p0', 'p1', 'p2', 'p3']
const organizations = ['o0', 'o1', 'o2']

/**
 * A small world: who is restricted, how visible everybody is, who belongs and collaborates where.
 */
const worlds = fc.record({
  people: fc.array(
    fc.record({ visibility: fc.constantFrom(...visibilities), restricted: fc.boolean() }),
    {
      minLength: people.length,
      maxLength: people.length,
    },
  ),
  organizations: fc.array(fc.constantFrom(...visibilities), { minLength: 3, maxLength: 3 }),
  repositories: fc.array(
    fc.record({
      owner: fc.nat({ max: people.length + organizations.length - 1 }),
      isPrivate: fc.boolean(),
    }),
    { minLength: 4, maxLength: 8 },
  ),
  collaborators: fc.array(
    fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 3 }), fc.constantFrom('read', 'write', 'admin')),
    { maxLength: 5 },
  ),
  teams: fc.array(
    fc.record({
      organization: fc.nat({ max: 2 }),
      all: fc.boolean(),
      permission: fc.constantFrom('read', 'write', 'admin'),
      members: fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 }),
    }),
    { maxLength: 3 },
  ),
  hasDirectTeam: fc.boolean(),
})

type World = typeof worlds extends fc.Arbitrary<infer W> ? W : never

async function build(
  app: TestApp,
  root: TestCaller,
  world: World,
): Promise<(TestCaller | undefined)[]> {
  const callers: TestCaller[] = []
  for (const [index, { visibility, restricted }] of world.people.entries()) {
    callers.push(await app.addCaller(people[index] ?? '', { visibility, isRestricted: restricted }))
  }
  for (const [index, visibility] of world.organizations.entries()) {
    await app.post(root, '/orgs', { username: organizations[index], visibility })
  }
  const names = [...people, ...organizations]
  for (const [index, { owner, isPrivate }] of world.repositories.entries()) {
    const made = await app.post(root, `/admin/users/${names[owner]}/repos`, {
      name: `r${index}`,
      private: isPrivate,
    })
    assertStatus(made, 201)
  }
  for (const [repository, person, permission] of world.collaborators) {
    const { owner } = world.repositories[repository % world.repositories.length] ?? { owner: 0 }
    const path = `/repos/${names[owner]}/r${repository % world.repositories.length}`
    assertStatus(
      await app.put(root, `${path}/collaborators/${people[person]}`, { permission }),
      204,
    )
  }
  for (const [index, team] of world.teams.entries()) await addTeam(app, root, world, team, index)
  return [undefined, ...callers, root]
}

async function addTeam(
  app: TestApp,
  root: TestCaller,
  world: World,
  team: World['teams'][number],
  index: number,
) {
  const org = organizations[team.organization]
  const made = await app.post(root, `/orgs/${org}/teams`, {
    name: `t${index}`,
    permission: team.permission,
    units: ['repo.code'],
    includes_all_repositories: team.all,
  })
  for (const member of team.members)
    await app.put(root, `/teams/${made.body.id}/members/${people[member]}`)
  if (!world.hasDirectTeam) return
  const own = world.repositories.findIndex(
    ({ owner }) => owner === people.length + team.organization,
  )
  if (own !== -1) await app.put(root, `/teams/${made.body.id}/repos/${org}/r${own}`)
}

suite('what lists show', () => {
  test('is what single reads show, for every caller in every world', async (t) => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const app = await startApp(t)
        const root = await app.addAdmin()
        const callers = await build(app, root, world)
        const all = (
          await app.ctx.db.selectFrom('repository').select('id').orderBy('id').execute()
        ).map(({ id }) => id)

        for (const caller of callers) {
          const searched = await app.get(caller, '/repos/search?limit=50&sort=id')
          const found = searched.body.data.map(({ id }: { id: number }) => id)
          const single = await readSingly(app, root, caller, all)
          assert.deepEqual(found, single, caller?.name ?? 'anonymous')
          assert.equal(await totalOf(app, caller, ''), String(single.length), caller?.name)
        }
      }),
      { numRuns: 12 },
    )
  })
})

/** Of a page that is full: what is not is not counted. */
async function totalOf(app: TestApp, caller: TestCaller | undefined, query: string) {
  const { headers } = await app.get(caller, `/repos/search?limit=1&${query}`)
  return headers['x-total-count']
}

const namesOf = ({ body }: TestAnswer): string[] =>
  body.data.map(({ full_name: name }: { full_name: string }) => name)

suite('a search', () => {
  test('that is not wide shows what is public to the world, whoever asks', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const rita = await app.addCaller('rita', { isRestricted: true })
    for (const visibility of visibilities) await app.addCaller(visibility, { visibility })
    await app.post(ann, '/orgs', { username: 'secret', visibility: 'private' })
    const make = (owner: string, name: string, isPrivate = false) =>
      app.post(root, `/admin/users/${owner}/repos`, { name, private: isPrivate })
    for (const owner of [...visibilities, 'ann', 'rita', 'secret']) await make(owner, owner)
    for (const owner of ['public', 'ann', 'rita']) await make(owner, `${owner}-own`, true)
    const open = ['ann/ann', 'public/public', 'rita/rita']
    const ofAnn = ['ann/ann', 'ann/ann-own', 'secret/secret']
    const known = ['ann/ann', 'ann/ann-own', 'limited/limited', 'public/public', 'rita/rita']
    const unknown = ['private/private', 'public/public-own', 'rita/rita-own']
    const publicOnly = ['all', 'public-only']
    const hidden = (await app.get(root, '/users/private')).body.id
    const cases: [TestCaller | undefined, string, readonly string[]][] = [
      [undefined, '', open],
      [ann, '', [...known, 'secret/secret']],
      [rita, '', [...open, 'rita/rita-own']],
      [root, '', [...known, ...unknown, 'secret/secret'].toSorted()],
      [await app.withToken(ann.account, publicOnly), '', open],
      [await app.withToken(root.account, publicOnly), '', open],
      [ann, `uid=${ann.id}`, ofAnn],
      [ann, `uid=${ann.id}&private=false`, ['ann/ann']],
      [ann, `uid=${hidden}`, []],
      [root, `uid=${hidden}`, ['private/private']],
      [ann, 'private=false', open],
      [rita, 'private=false', open],
      [root, 'private=false', open],
    ]

    for (const [caller, query, names] of cases) {
      const found = await app.get(caller, `/repos/search?sort=alpha&${query}`)
      assert.deepEqual(namesOf(found), names, `${caller?.name} ${query}`)
      const total = await totalOf(app, caller, query)
      assert.equal(total, String(names.length), `${caller?.name} ${query}`)
    }
  })

  test('of a restricted person shows nothing of others where everybody has to sign in', async (t) => {
    const app = await startApp(t, { security: { require_sign_in: 'true' } })
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const rita = await app.addCaller('rita', { isRestricted: true })
    for (const name of ['shown', 'shared'])
      assertStatus(await app.post(ann, '/user/repos', { name }), 201)
    await app.put(ann, '/repos/ann/shared/collaborators/rita', { permission: 'read' })
    await app.post(rita, '/user/repos', { name: 'own', private: true })

    for (const [caller, query, names] of [
      [rita, '', ['ann/shared', 'rita/own']],
      [rita, 'private=false', ['ann/shared']],
      [await app.withToken(rita.account, ['all', 'public-only']), '', ['ann/shared']],
      [bob, '', ['ann/shared', 'ann/shown']],
      [bob, 'private=false', ['ann/shared', 'ann/shown']],
    ] as const) {
      const found = await app.get(caller, `/repos/search?sort=alpha&${query}`)
      assert.deepEqual(namesOf(found), names, query)
      assert.equal(await totalOf(app, caller, query), String(names.length), query)
    }
  })

  test('goes by memberships and teams, whether they have little or very much', async (t) => {
    const app = await startApp(t)
    const { ann, mia, rita, cat, team } = await buildTeam(app)
    const ofMia = ['ann/shared', 'secret/open', 'secret/teamed']
    const cases: [TestCaller | undefined, string, readonly string[], 'few'?][] = [
      [mia, '', ['ann/piece', 'ann/shared', 'mia/own', 'secret/open', 'secret/teamed']],
      [rita, '', ['ann/piece', 'ann/shared', 'rita/own', 'secret/teamed']],
      [cat, '', ['ann/piece'], 'few'],
      [mia, 'private=false', ['ann/piece'], 'few'],
      [mia, `uid=${mia.id}`, ['ann/shared', 'mia/own', 'secret/open', 'secret/teamed']],
      [rita, `uid=${rita.id}`, ['ann/shared', 'rita/own', 'secret/open', 'secret/teamed']],
      [mia, `uid=${mia.id}&mode=collaborative`, ofMia],
      [mia, 'mode=collaborative', ofMia],
      [ann, `uid=${mia.id}`, ofMia],
      [ann, `uid=${mia.id}&mode=collaborative`, ofMia],
      [rita, `uid=${mia.id}`, ['ann/shared', 'secret/teamed']],
      [cat, `uid=${mia.id}`, [], 'few'],
      [undefined, `uid=${mia.id}`, [], 'few'],
      [ann, `team_id=${team}`, ['secret/teamed']],
      [cat, `team_id=${team}`, [], 'few'],
      [ann, 'owner=secret', ['secret/closed', 'secret/open', 'secret/teamed']],
      [mia, 'owner=secret', ['secret/open', 'secret/teamed']],
      [rita, 'owner=secret', ['secret/teamed']],
      [ann, `starredBy=${mia.id}`, ['secret/open']],
      [ann, `starredBy=${ann.id}`, ['ann/piece'], 'few'],
      [ann, 'topics=many', ['secret/open']],
      [ann, 'topics=many,more', ['secret/open'], 'few'],
      [ann, 'q=many', ['secret/open']],
      [ann, 'q=piece', ['ann/piece']],
      [ann, 'q=piece&topic=true', []],
      [ann, 'q=piece&owner=secret', []],
      [ann, 'q=ann/piece', ['ann/piece'], 'few'],
      [ann, 'q=secret/piece', []],
    ]
    const assertFound = async (pieces: number) => {
      for (const [caller, query, names, few] of cases) {
        const asked = `${caller?.name} ${query} among ${pieces}`
        for (const sort of ['id', 'relevance']) {
          const found = await app.get(caller, `/repos/search?limit=50&sort=${sort}&${query}`)
          const others = namesOf(found).filter((name) => !name.startsWith('secret/piece-'))
          assert.deepEqual(others.toSorted(), names, `${asked}, by ${sort}`)
        }
        const total = names.length + (few ? 0 : pieces)
        assert.equal(await totalOf(app, caller, query), String(total), asked)
      }
    }

    await assertFound(0)
    await addPieces(app, team, mia)
    await assertFound(PIECES)
    const { id: secret } = (await app.get(ann, '/orgs/secret')).body
    const ofOwner = `/repos/search?q=piece&sort=relevance&limit=1&priority_owner_id=${secret}`
    assert.match(namesOf(await app.get(ann, ofOwner)).join(), /^secret\/piece-\d+$/)
  })

  test('goes by what the database knows, whoever makes a repository and says of it who sees it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const told = [
      { reach: 0, owner_name: 'ann' },
      { reach: 3, owner_name: 'bob' },
      { reach: 1, owner_name: 'ann' },
      {},
    ]
    const rows = told.flatMap((said, index) =>
      ([0, 1] as const).map((isPrivate) => ({ ...said, name: `r${index}${isPrivate}`, isPrivate })),
    )
    for (const { isPrivate, name, ...said } of rows) {
      const row = { name, lower_name: name, folder: name, owner_id: ann.account.id, ...said }
      const rest = { default_branch: 'main', is_private: isPrivate, created_at: 1, updated_at: 1 }
      await app.ctx.db
        .insertInto('repository')
        .values({ ...row, ...rest })
        .execute()
    }

    for (const query of ['', 'q=r']) {
      const found = await app.get(undefined, `/repos/search?${query}`)
      assert.deepEqual(namesOf(found), ['ann/r00', 'ann/r10', 'ann/r20', 'ann/r30'], query)
      assert.equal(found.headers['x-total-count'], '4', query)
    }
    const stored = await app.ctx.db
      .selectFrom('repository')
      .select(['owner_name', 'reach'])
      .execute()
    assert.deepEqual(
      new Set(stored.map((row) => `${row.owner_name} ${row.reach}`)),
      new Set(['ann 0', 'ann 3']),
    )
    assert.doesNotMatch((await machineOf(app).admin(['doctor'])).out, /miscounted/)
  })
})

/**
 * mia and rita are in a team of an organization that only its members know; the team has one of its
 * repositories.
 */
async function buildTeam(app: TestApp) {
  const [ann, mia, cat] = [
    await app.addCaller('ann'),
    await app.addCaller('mia'),
    await app.addCaller('cat'),
  ]
  const rita = await app.addCaller('rita', { isRestricted: true })
  await app.post(ann, '/orgs', { username: 'secret', visibility: 'private' })
  const make = async (who: TestCaller, path: string, name: string, isPrivate: boolean) =>
    assertStatus(await app.post(who, path, { name, private: isPrivate }), 201)
  await make(ann, '/user/repos', 'piece', false)
  for (const name of ['shared', 'other']) await make(ann, '/user/repos', name, true)
  for (const name of ['closed', 'teamed']) await make(ann, '/orgs/secret/repos', name, true)
  await make(ann, '/orgs/secret/repos', 'open', false)
  const wanted = { name: 'few', permission: 'read', units: ['repo.code'] }
  const team: number = (await app.post(ann, '/orgs/secret/teams', wanted)).body.id
  await app.put(ann, `/teams/${team}/repos/secret/teamed`)
  for (const one of [mia, rita]) {
    await make(one, '/user/repos', 'own', true)
    await app.put(ann, `/teams/${team}/members/${one.name}`)
    await app.put(ann, `/repos/ann/shared/collaborators/${one.name}`, { permission: 'read' })
  }
  await app.put(ann, '/repos/secret/open/topics', { topics: ['many', 'more'] })
  await app.put(mia, '/user/starred/secret/open')
  await app.put(ann, '/user/starred/ann/piece')
  return { ann, mia, rita, cat, team }
}

/** More than a search looks for one by one. */
const PIECES = 3_001

/**
 * Private repositories of the organization that the team has, all with two topics, and starred by
 * mia.
 */
async function addPieces({ ctx: { db } }: TestApp, team: number, mia: TestCaller): Promise<void> {
  const org = sql`(SELECT id FROM account WHERE lower_name = 'secret')`
  const names = Array.from({ length: PIECES }, (_, n) => `piece-${n}`)
  for (let from = 0; from < PIECES; from += 500) {
    const rows = names
      .slice(from, from + 500)
      .map((name) => sql`(${org}, ${name}, ${name}, ${name}, 'main', 1, 1, 1)`)
    await sql`INSERT INTO repository (owner_id, name, lower_name, folder, default_branch, is_private, created_at, updated_at)
      VALUES ${sql.join(rows)}`.execute(db)
  }
  const pieces = sql`FROM repository WHERE name LIKE 'piece-%'`
  await sql`INSERT INTO team_repository (team_id, repository_id) SELECT ${team}, id ${pieces}`.execute(
    db,
  )
  await sql`INSERT INTO star (account_id, repository_id, created_at) SELECT ${mia.id}, id, 1 ${pieces}`.execute(
    db,
  )
  await sql`INSERT INTO topic (name, repo_count, created_at, updated_at) VALUES ('piece', ${PIECES}, 1, 1)`.execute(
    db,
  )
  for (const topic of ['many', 'piece'])
    await sql`INSERT INTO repository_topic (repository_id, topic_id)
      SELECT id, (SELECT id FROM topic WHERE name = ${topic}) ${pieces}`.execute(db)
  // What PostgreSQL does by itself after a while.
  if (testDialect === 'postgres') await sql`ANALYZE`.execute(db)
}

/** The slow and obvious way: each repository by itself. */
async function readSingly(
  app: TestApp,
  root: TestCaller,
  caller: TestCaller | undefined,
  ids: readonly number[],
): Promise<number[]> {
  const seen: number[] = []
  for (const id of ids) {
    const { full_name: name } = (await app.get(root, `/repositories/${id}`)).body
    if ((await app.get(caller, `/repos/${name}`)).status === 200) seen.push(id)
  }
  return seen
}
