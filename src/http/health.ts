import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { isAnswering } from '../db/ping.ts'
import { formatTime } from '../time.ts'

const PATIENCE_MS = 3_000

/** For load balancers and container engines: whether this process can do its work. */
export function addHealth(server: FastifyInstance, ctx: Context): void {
  server.get('/api/healthz', async (_request, reply) => {
    const [healthy, isLow] = await Promise.all([isAnswering(ctx.db, PATIENCE_MS), ctx.room.isLow()])
    const status = healthy ? 'pass' : 'fail'
    const time = formatTime(ctx.now())
    const space = isLow ? { 'storage:space': [{ status: 'warn', time }] } : {}
    return reply
      .status(healthy ? 200 : 503)
      .headers({ 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' })
      .send(
        JSON.stringify({
          status: healthy && isLow ? 'warn' : status,
          description: 'Codestead',
          checks: { 'database:ping': [{ status, time }], ...space },
        }),
      )
  })
}
