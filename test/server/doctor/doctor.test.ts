import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { addKey } from '../../../src/identity/auth/security-keys/enrol.ts'
import { callerOf } from '../../../src/platform/context.ts'
import { createOrganization } from '../../../src/identity/organizations/create.ts'
import type { Account } from '../../../src/identity/users/account.ts'
import { findAccountByName } from '../../../src/identity/users/queries.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { machineOf, startMachine, type Ran } from '../../support/terminal.ts'

interface World {
  readonly app: TestApp
  readonly ann: Account
  readonly bob: Account
  readonly acme: Account
  readonly doctor: (...options: string[]) => Promise<Ran>
}

/** Two people, of whom ann owns an organization. */
async function startWorld(t: TestContext): Promise<World> {
  const app = await startApp(t)
  const ann = await app.addPerson('ann')
  const bob = await app.addPerson('bob')
  const acme = await createOrganization(app.ctx, ann, { name: 'acme' })
  const doctor = (...options: string[]) => machineOf(app).admin(['doctor', ...options])
  return { app, ann, bob, acme, doctor }
}

/** It is reported, mended when asked, and gone afterwards. */
async function assertMended({ doctor }: World, problem: RegExp): Promise<void> {
  const reported = await doctor()
  assert.equal(reported.status, 1)
  assert.match(reported.out, problem)
  assert.match(reported.out, /^wrong {3}/m)

  const mended = await doctor('--fix')
  assert.equal(mended.status, 0, mended.out)
  assert.match(mended.out, /^mended {2}/m)
  assert.match(mended.out, problem)

  const after = await doctor()
  assert.equal(after.status, 0)
  assert.doesNotMatch(after.out, /^(wrong|mended)/m)
}

suite('admin doctor', () => {
  test('finds nothing wrong with a healthy server', async (t) => {
    const { app, ann, bob, doctor } = await startWorld(t)
    const caller = await app.withToken(bob, ['all'])
    assert.equal((await app.put(caller, `/user/following/${ann.name}`)).status, 204)

    const { status, out, notes } = await doctor()

    assert.equal(status, 0)
    assert.match(out, /^(ok {6}.+\n?){9,}$/)
    assert.equal(notes, '')
  })

  test('says when what it found cannot be kept, and tells it all the same', async (t) => {
    const { app, doctor } = await startWorld(t)
    const { schema } = app.ctx.db
    await schema.alterTable('check_result').renameTo('results_elsewhere').execute()

    const { status, out, notes } = await doctor()
    // The next test may get this database, emptied.
    await schema.alterTable('results_elsewhere').renameTo('check_result').execute()

    assert.equal(status, 1)
    assert.match(out, /^wrong {3}the tables are those of a new database\n +\w+ check_result/m)
    assert.match(out.replace(/^wrong.*\n(?: {8}.*\n)+/m, ''), /^(ok {6}.+\n?){9,}$/)
    assert.match(notes, /^What was found could not be kept: .*check_result/)
  })

  test('recounts followers', async (t) => {
    const world = await startWorld(t)
    await world.app.ctx.db
      .updateTable('account')
      .set({ followers_count: 7, following_count: 2 })
      .where('id', '=', world.ann.id)
      .execute()

    await assertMended(world, /ann has 0 followers and follows 0, counted 7 and 2/)
  })

  test('recounts security keys', async (t) => {
    const world = await startWorld(t)
    const { ctx } = world.app
    const key = { name: 'Blue', credentialId: 'AA', publicKey: 'AA', signCount: 0 }
    await addKey(ctx, callerOf(world.ann), key)
    await ctx.db.updateTable('account').set({ security_keys: 0 }).execute()

    await assertMended(world, /ann has 1 security keys, counted 0/)
    assert.equal((await findAccountByName(ctx.db, 'ann'))?.securityKeys, 1)
  })

  test('makes search find repositories as they are', async (t) => {
    const world = await startWorld(t)
    const { db } = world.app.ctx
    const ann = await world.app.withToken(world.ann, ['all'])
    await world.app.post(ann, '/user/repos', { name: 'found' })
    await db.updateTable('repository').set({ reach: 2, owner_name: 'old' }).execute()
    await db.updateTable('repository_tally').set({ repositories: 9 }).execute()

    await assertMended(world, /repository 1 is not found as.*\n.*with reach 0 are miscounted/)
    const found = await world.app.get(undefined, '/repos/search?limit=1')
    assert.equal(found.headers['x-total-count'], '1')
  })

  test('makes members of a team members of its organization', async (t) => {
    const world = await startWorld(t)
    const { org_id } = { org_id: world.acme.id }
    await world.app.ctx.db.deleteFrom('organization_member').where('org_id', '=', org_id).execute()

    await assertMended(world, /ann is in a team of acme and no member of it/)
  })

  test('ends memberships without a team', async (t) => {
    const world = await startWorld(t)
    await world.app.ctx.db
      .insertInto('organization_member')
      .values({ org_id: world.acme.id, account_id: world.bob.id, is_public: 0 })
      .execute()

    await assertMended(world, /bob is in no team of acme/)
  })

  test('reports an organization that nobody owns, and does not guess who should', async (t) => {
    const { app, doctor } = await startWorld(t)
    await app.ctx.db.deleteFrom('team_member').execute()
    await app.ctx.db.deleteFrom('organization_member').execute()

    const { status, out } = await doctor('--fix')

    assert.equal(status, 1)
    assert.match(out, /wrong {3}every organization has an owner\n +nobody owns acme/)
  })

  test('makes the address of the account primary again', async (t) => {
    const world = await startWorld(t)
    const { db } = world.app.ctx
    await db.updateTable('email_address').set({ is_primary: 0 }).execute()

    await assertMended(world, /ann has no primary address\n.*bob has no primary address/)
    assert.deepEqual(await primaryAddresses(world), ['ann@example.org', 'bob@example.org'])
  })

  test('lists the address of an account that has none', async (t) => {
    const world = await startWorld(t)
    await world.app.ctx.db.deleteFrom('email_address').execute()

    await assertMended(world, /ann has no primary address/)
    assert.deepEqual(await primaryAddresses(world), ['ann@example.org', 'bob@example.org'])
  })

  test('takes another own address when that of the account is somebody else’s', async (t) => {
    const world = await startWorld(t)
    const { db } = world.app.ctx
    await db
      .updateTable('email_address')
      .set({ is_primary: 0, address: 'other@example.org', lower_address: 'other@example.org' })
      .where('account_id', '=', world.ann.id)
      .execute()
    await db
      .updateTable('account')
      .set({ email: 'bob@example.org' })
      .where('id', '=', world.ann.id)
      .execute()

    await assertMended(world, /ann has no primary address/)
    assert.deepEqual(await primaryAddresses(world), ['other@example.org', 'bob@example.org'])
  })

  test('shows the primary address in the account', async (t) => {
    const world = await startWorld(t)
    await world.app.ctx.db
      .updateTable('account')
      .set({ email: 'old@example.org' })
      .where('id', '=', world.bob.id)
      .execute()

    await assertMended(world, /bob is known as old@example\.org, the primary address is bob@/)
  })

  test('reports whom no address can be given', async (t) => {
    const world = await startWorld(t)
    const { db } = world.app.ctx
    await db.deleteFrom('email_address').where('account_id', '=', world.ann.id).execute()
    await db
      .updateTable('account')
      .set({ email: 'bob@example.org' })
      .where('id', '=', world.ann.id)
      .execute()

    const { status, out } = await world.doctor('--fix')

    assert.equal(status, 1)
    assert.match(out, /ann has no primary address/)
  })

  test('removes old names that hide an account', async (t) => {
    const world = await startWorld(t)
    await world.app.ctx.db
      .insertInto('account_redirect')
      .values({ lower_name: 'bob', account_id: world.ann.id })
      .execute()

    await assertMended(world, /bob is an account and an old name of another/)
  })

  test('shows the first of many problems and counts the rest', async (t) => {
    const { app, doctor } = await startWorld(t)
    for (let number = 0; number < 20; number++) await app.addPerson(`person${number}`)
    await app.ctx.db.updateTable('account').set({ followers_count: 1 }).execute()

    const { out } = await doctor()

    assert.equal(out.match(/counted 1 and 0/g)?.length, 20)
    assert.match(out, /and 3 more/)
  })

  test('reports rows whose references lead nowhere', async (t) => {
    if (testDialect !== 'sqlite') return t.skip('PostgreSQL keeps references itself')
    const { app, doctor } = await startWorld(t)
    const careless = new DatabaseSync(join(app.ctx.config.data, 'codestead.db'), {
      enableForeignKeyConstraints: false,
    })
    careless.exec('INSERT INTO team_member (team_id, account_id) VALUES (999, 1)')
    careless.close()

    const { status, out } = await doctor('--fix')

    assert.equal(status, 1)
    assert.match(out, /row .* of team_member names no team/)
  })

  test('migrates a new database only when told to', async (t) => {
    const machine = await startMachine(t)

    const reported = await machine.admin(['doctor'])
    const mended = await machine.admin(['doctor', '--fix'])

    assert.equal(reported.status, 1)
    assert.match(reported.out, /0001-accounts is not applied/)
    assert.doesNotMatch(reported.out, /followers/)
    assert.equal(mended.status, 0)
    assert.match(mended.out, /followers are right/)
  })

  test('leaves the database of a newer program alone', async (t) => {
    const { app, doctor } = await startWorld(t)
    const later = { name: '9999-later', applied_at: 0 }
    await app.ctx.db.insertInto('migration').values(later).execute()

    const { status, out } = await doctor('--fix')

    assert.equal(status, 1)
    assert.match(out, /a newer program has applied 9999-later/)
    assert.doesNotMatch(out, /followers/)
  })
})

async function primaryAddresses({ app }: World): Promise<string[]> {
  const rows = await app.ctx.db
    .selectFrom('email_address')
    .innerJoin('account', 'account.id', 'email_address.account_id')
    .select('address')
    .where('is_primary', '=', 1)
    .whereRef('address', '=', 'account.email')
    .orderBy('account_id')
    .execute()
  return rows.map(({ address }) => address)
}
