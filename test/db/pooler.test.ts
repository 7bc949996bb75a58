import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { StatementNames } from '../../src/db/planned-once.ts'
import { socketOf } from '../support/cut-network.ts'
import { makeEmptyDatabase, testDialect } from '../support/databases.ts'
import { startServer } from '../support/process.ts'
import { startTransactionPooler } from '../support/transaction-pooler.ts'

const skip = testDialect === 'sqlite' && 'nothing stands before a file'

suite('a pooler before PostgreSQL', { skip }, () => {
  test('that keeps no names of statements is told of at the start, with what to do', async (t) => {
    const database = await makeEmptyDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'codestead-pooler-'))
    t.after(async () => {
      await database.remove()
      rmSync(folder, { recursive: true })
    })
    const url = new URL(database.url)
    const port = await startTransactionPooler(t, socketOf(url))
    url.searchParams.delete('host')
    url.host = `127.0.0.1:${port}`

    const server = startServer(t, { CODESTEAD_DATA: folder, CODESTEAD_DATABASE_URL: url.href })

    assert.equal(await server.end(), 1)
    assert.match(server.notes, /^codestead: database\.url: a pooler .* max_prepared_statements/m)
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
