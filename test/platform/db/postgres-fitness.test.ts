import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { StatementNames } from '../../../src/platform/db/planned-once.ts'
import { socketOf } from '../../support/cut-network.ts'
import { makeEmptyDatabase, testDialect } from '../../support/databases.ts'
import { startServer } from '../../support/process.ts'
import { startTransactionPooler } from '../../support/transaction-pooler.ts'

const skip = testDialect === 'sqlite' && 'nothing stands before a file'

suite('a PostgreSQL that would do harm later is told of at the start', { skip }, () => {
  async function startOn(t: TestContext, url: string): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'codestead-unfit-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const server = startServer(t, { CODESTEAD_DATA: folder, CODESTEAD_DATABASE_URL: url })
    assert.equal(await server.end(), 1)
    return server.notes
  }

  test('a pooler before it that keeps no names of statements', async (t) => {
    const database = await makeEmptyDatabase()
    t.after(database.remove)
    const url = new URL(database.url)
    const port = await startTransactionPooler(t, socketOf(url))
    url.searchParams.delete('host')
    url.host = `127.0.0.1:${port}`

    const notes = await startOn(t, url.href)

    assert.match(notes, /^codestead: database\.url: a pooler .* max_prepared_statements/m)
  })

  test('an encoding that does not have every character', async (t) => {
    const database = await makeEmptyDatabase('LATIN1')
    t.after(database.remove)

    const notes = await startOn(t, database.url)

    assert.match(notes, /^codestead: database\.url: the encoding .* has to be UTF8, not LATIN1$/m)
  })
})

suite('the name of a statement', () => {
  const often = (names: StatementNames, text: string) =>
    [1, 2, 3].map(() => names.nameOf(text)).at(-1)

  test('is the same in every process, whatever it asked before', () => {
    const [one, other] = [new StatementNames(), new StatementNames()]
    often(other, 'SELECT 2')

    const name = often(one, 'SELECT 1')

    assert.match(name ?? '', /^codestead_[\w-]{22}$/)
    assert.equal(often(other, 'SELECT 1'), name)
    assert.notEqual(often(one, 'SELECT 2'), name)
    one.forget()
    assert.notEqual(often(one, 'SELECT 1'), name)
  })
})
