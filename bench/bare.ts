// The least that Fastify can do: one record, written out for each request, and one durable commit
// for each edit.
import fastify from 'fastify'
import { durableCommit } from './commit.ts'

const record: unknown = JSON.parse(process.env['BARE_RECORD'] ?? '{}')
const commit = durableCommit(process.env['BARE_DATABASE'] ?? ':memory:')
const server = fastify()
server.get('/record', async () => record)
server.patch('/record', async () => {
  commit()
  return record
})
await server.listen({ host: '127.0.0.1', port: Number(process.env['BARE_PORT']) })
process.on('SIGTERM', () => process.exit(0))
