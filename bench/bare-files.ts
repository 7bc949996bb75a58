// The least that takes and gives files: a body streamed to a synced file with its hash, and a plain
// file stream.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import fastify from 'fastify'

const folder = process.env['BARE_FOLDER'] ?? '.'
const server = fastify({ requestTimeout: 0 })
server.addHttpMethod('POST', { hasBody: false, overrideExisting: true })

server.get('/ready', async () => 'ready')

server.post('/files', async (request, reply) => {
  const name = randomUUID()
  const hash = createHash('sha256')
  request.raw.on('data', (chunk: Buffer) => hash.update(chunk))
  await pipeline(request.raw, createWriteStream(join(folder, name), { flush: true }))
  return reply.status(201).send({ name, sha256: hash.digest('hex') })
})

server.get('/files/:name', (request, reply) => {
  const { name } = request.params as { name: string }
  reply.header('content-type', 'application/octet-stream')
  return reply.send(createReadStream(join(folder, name)))
})

await server.listen({ host: '127.0.0.1', port: Number(process.env['BARE_PORT']) })
process.on('SIGTERM', () => process.exit(0))
