// The least that Fastify can do: one route, one record, written out for each request.
import fastify from 'fastify'

const record: unknown = JSON.parse(process.env['BARE_RECORD'] ?? '{}')
const server = fastify()
server.get('/record', async () => record)
await server.listen({ host: '127.0.0.1', port: Number(process.env['BARE_PORT']) })
process.on('SIGTERM', () => process.exit(0))
