import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { isAnswering } from '../db/ping.ts'
import { formatTime } from '../time.ts'

const PATIENCE_MS = 3_000

/** For load balancers and container engines: whether this process can do its work. */
export function addHealth(server: FastifyInstance, ctx: Context): void {
  server.get('/api/healthz', async (_request, reply) => {
    const [answers, isLow, away, isReadOnly] = await Promise.all([
      isAnswering(ctx.db, PATIENCE_MS),
      ctx.room.isLow(),
      ctx.presence.findAway(),
      ctx.presence.isReadOnly(),
    ])
    const time = formatTime(ctx.now())
    const stateOf = (isWell: boolean) => [{ status: isWell ? 'pass' : 'fail', time }]
    const isHealthy = answers && away.length === 0 && !isReadOnly
    const status = isHealthy ? 'pass' : 'fail'
    return reply
      .status(isHealthy ? 200 : 503)
      .headers({ 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' })
      .send(
        JSON.stringify({
          status: isHealthy && isLow ? 'warn' : status,
          description: 'Codestead',
          checks: {
            'database:ping': stateOf(answers),
            ...Object.fromEntries(away.map((place) => [`storage:${place}`, stateOf(false)])),
            ...(isReadOnly ? { 'storage:writable': stateOf(false) } : {}),
            ...(isLow ? { 'storage:space': [{ status: 'warn', time }] } : {}),
          },
        }),
      )
  })
}
