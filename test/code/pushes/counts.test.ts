import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { measureRepository } from '../../../src/code/pushes/measure.ts'
import { addToGitSize } from '../../../src/code/pushes/queries.ts'
import { startWithRepository, type Setup } from '../commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { doBeforeStatement, doMeanwhile } from '../../support/meanwhile.ts'

async function addBranch({ app, ann, path }: Setup, name: string): Promise<void> {
  const answer = await app.post(ann, `${path}/branches`, { new_branch_name: name })
  assertStatus(answer, 201)
}

async function dropBranch({ app, ann, path }: Setup, name: string): Promise<void> {
  assertStatus(await app.delete(ann, `${path}/branches/${name}`), 204)
}

async function idOf({ app, ann, path }: Setup): Promise<number> {
  return (await app.get(ann, path)).body.id
}

async function countOf({ app, ann, path }: Setup): Promise<number> {
  return (await app.get(ann, path)).body.branch_count
}

suite('The number of branches', () => {
  test('is that of the last push, however late an earlier one is written down', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const add = () => app.post(ann, `${path}/branches`, { new_branch_name: 'second' })

    await doMeanwhile(t, app, add, () => dropBranch(setup, 'second'))

    assert.equal(await countOf(setup), 1)
  })

  test('is that of the last push, whatever was counted aside before', async (t) => {
    const setup = await startWithRepository(t)
    await addBranch(setup, 'second')
    const id = await idOf(setup)
    const measure = () => measureRepository(setup.app.ctx, id)

    for (let number = 2; number < 10; number++) {
      const isPart = { value: false }
      const drop = async () => {
        isPart.value = true
        await dropBranch(setup, 'second')
      }
      await doBeforeStatement(t, setup.app, number, measure, drop)
      if (!isPart.value) return
      assert.equal(await countOf(setup), 1, `before statement ${number}`)
      await addBranch(setup, 'second')
    }
  })
})

suite('The size of a repository', () => {
  test('is never what was measured before something else was written', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    const id = await idOf(setup)
    await measureRepository(app.ctx, id)
    const size = async () => {
      const rows = await app.ctx.db.selectFrom('repository').select('git_size').execute()
      return rows[0]?.git_size
    }
    const measured = await size()
    let version: number | undefined

    // What a push reserves is written between the measuring and its end: it is measured again.
    for (let number = 2; number < 10; number++) {
      const reserve = async () => {
        await addToGitSize(app.ctx.db, id, 1_000_000)
        const rows = await app.ctx.db.selectFrom('repository').select('size_version').execute()
        version = rows[0]?.size_version
      }
      version = undefined
      await doBeforeStatement(t, app, number, () => measureRepository(app.ctx, id), reserve)
      if (version === undefined) return
      const rows = await app.ctx.db.selectFrom('repository').select('size_version').execute()
      const isAgain = (rows[0]?.size_version ?? 0) > version
      assert.equal(await size(), isAgain ? measured : (measured ?? 0) + 1_000_000)
      await measureRepository(app.ctx, id)
    }
  })
})
