import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { machineOf } from '../support/terminal.ts'

const visibilities = ['public', 'limited', 'private'] as const
const people = ['p0', 'p1', 'p2', 'p3']
const organizations = ['o0', 'o1', 'o2']

/** A small world: who is restricted, how visible everybody is, who belongs and collaborates where. */
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
          assert.equal(searched.headers['x-total-count'], String(single.length))
        }
      }),
      { numRuns: 12 },
    )
  })
})

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
      assert.equal(found.headers['x-total-count'], String(names.length), `${caller?.name} ${query}`)
    }
  })

  test('of a restricted person shows nothing of others where everybody has to sign in', async (t) => {
    const app = await startApp(t, { security: { require_sign_in: 'true' } })
    const ann = await app.addCaller('ann')
    const rita = await app.addCaller('rita', { isRestricted: true })
    for (const name of ['shown', 'shared'])
      assertStatus(await app.post(ann, '/user/repos', { name }), 201)
    await app.put(ann, '/repos/ann/shared/collaborators/rita', { permission: 'read' })
    await app.post(rita, '/user/repos', { name: 'own', private: true })

    for (const [query, names] of [
      ['', ['ann/shared', 'rita/own']],
      ['private=false', ['ann/shared']],
    ] as const) {
      const found = await app.get(rita, `/repos/search?sort=alpha&${query}`)
      assert.deepEqual(namesOf(found), names, query)
      assert.equal(found.headers['x-total-count'], String(names.length), query)
    }
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
