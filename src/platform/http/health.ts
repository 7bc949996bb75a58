import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { isAnswering } from '../db/ping.ts'
import { formatTime } from '../time.ts'
import type { Draining } from './draining.ts'

const PATIENCE_MS = 3_000

type State = 'pass' | 'warn' | 'fail'

/**
 * `/api/healthz` says whether this process can do its work, for container engines. `/api/readyz`
 * says whether it should be given any, for load balancers: not while it stops.
 */
export function addHealth(server: FastifyInstance, ctx: Context, draining: Draining): void {
  server.get('/api/healthz', async (_request, reply) => {
    return sendHealth(ctx, reply, await check(ctx))
  })
  server.get('/api/readyz', async (_request, reply) => {
    const accepting = draining.hasBegun ? 'fail' : 'pass'
    // Whoever waits for the other answers learns of the stop too late.
    const others = draining.hasBegun ? [] : await check(ctx)
    return sendHealth(ctx, reply, [['server:accepting', accepting], ...others])
  })
}

type Checks = readonly (readonly [name: string, state: State])[]

async function check(ctx: Context): Promise<Checks> {
  const [answers, isLow, away, isReadOnly] = await Promise.all([
    isAnswering(ctx.db, PATIENCE_MS),
    ctx.room.isLow(),
    ctx.presence.findAway(),
    ctx.presence.isReadOnly(),
  ])
  const storage = [
    ...away.map((place) => [`storage:${place}`, 'fail'] as const),
    ...(isReadOnly ? [['storage:writable', 'fail'] as const] : []),
    ...(isLow ? [['storage:space', 'warn'] as const] : []),
  ]
  return [['database:ping', answers ? 'pass' : 'fail'], ...storage]
}

/** What is wrong is named; why is for the log, not for strangers. */
function sendHealth(ctx: Context, reply: FastifyReply, checks: Checks): FastifyReply {
  const time = formatTime(ctx.now())
  const states = checks.map(([, state]) => state)
  const isWell = !states.includes('fail')
  const well = states.includes('warn') ? 'warn' : 'pass'
  return reply
    .status(isWell ? 200 : 503)
    .headers({ 'content-type': 'application/json;charset=utf-8', 'cache-control': 'no-store' })
    .send(
      JSON.stringify({
        status: isWell ? well : 'fail',
        description: 'Codestead',
        checks: Object.fromEntries(
          checks.map(([name, state]) => [name, [{ status: state, time }]]),
        ),
      }),
    )
}
