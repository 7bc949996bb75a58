import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { makeEmptyDatabase, testDialect } from '../../support/databases.ts'
import { startServer } from '../../support/process.ts'
import { Machine, startMachine } from '../../support/terminal.ts'

const onSqlite = testDialect === 'sqlite' ? false : 'PostgreSQL is for many servers'
const onPostgres = testDialect === 'postgres' ? false : 'PostgreSQL is not there in this run'

suite('while a server runs', () => {
  test(
    'a second one on its SQLite is refused, and takes no trace away',
    { skip: onSqlite },
    async (t) => {
      const machine = await startMachine(t)
      const first = startServer(t, machine.environment)
      await first.says(/ is at http:/)

      const second = startServer(t, machine.environment)

      assert.equal(await second.end(), 1)
      assert.match(second.notes, /^codestead: another server runs on .*codestead\.db/)
      assert.ok(existsSync(join(machine.data, 'codestead.db-running')))
      first.child.kill('SIGKILL')
      await first.end()
      const third = startServer(t, machine.environment)
      await third.says(/ is at http:/)
      assert.match(third.out, /was not stopped cleanly/)
    },
  )

  for (const source of ['SQLite', 'PostgreSQL']) {
    test(
      `a copy of its ${source} is refused, and made after a kill`,
      { skip: onPostgres },
      async (t) => {
        const machine = await startMachine(t)
        const { environment } = machine
        const from = source === 'SQLite' ? new Machine(machine.data, '') : machine
        const { url, remove } = await makeEmptyDatabase()
        t.after(remove)
        const server = startServer(t, source === 'SQLite' ? from.environment : environment)
        await server.says(/ is at http:/)

        const busy = await from.admin(['database', 'copy', '--to', url])
        server.child.kill('SIGKILL')
        await server.end()
        const copied = await from.admin(['database', 'copy', '--to', url])

        assert.equal(busy.status, 2)
        assert.match(busy.notes, /a server uses the database/)
        assert.equal(copied.status, 0, copied.notes)
      },
    )
  }
})
