import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pino from 'pino'
import { buildApp, type App } from '../app.ts'
import type { Config } from '../../platform/config/config.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import { watchLoop } from '../server-info/loop-watch.ts'
import { programVersion } from '../../platform/version.ts'
import { httpDoor, openDoor, sshDoor } from '../startup/doors.ts'
import { formatTime } from '../../platform/time.ts'
import { findCrew } from './crew.ts'

/** Serves until it is told to stop: by a signal, or by the process that leads it and others. */
export async function serve(config: Config): Promise<void> {
  const log = pino({ level: config.log.level })
  // Whatever it was done for fails by itself; all others are not to end with it.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'nobody waited for this'))
  const crew = findCrew(log)
  const app = await buildApp(config, log, { processMetrics: true, crew })
  await openDoors(app, config).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  app.ctx.clock.start()
  app.ctx.quiet.start()
  app.ctx.textIndex.start()
  app.ctx.schedule.start()
  app.ctx.jobs.start()
  const stop = stopOnce(app, config.server)
  if (crew) crew.join({ figures: () => app.meter.figures(), stop })
  else stopOnSignal(stop)
  watchLoop(log)
  if (!crew || crew.isFirst) await greet(app, config)
  setTimeout(giveBackMemory, 500).unref()
}

async function openDoors({ server, listenSsh }: App, config: Config): Promise<void> {
  const { host, port } = config.server
  const options = { host, port, listenTextResolver: (address: string) => `listening at ${address}` }
  await openDoor(config, httpDoor(config), () => server.listen(options))
  await openDoor(config, sshDoor(config), listenSsh)
}

/**
 * Loading the program leaves garbage behind, which would stay for as long as nobody asks for
 * anything.
 */
function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: object) => void
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

async function greet({ ctx, findSetupLink }: App, config: Config): Promise<void> {
  say(`Codestead ${programVersion} is at ${baseUrl(config)}`)
  if (ctx.quiet.isQuiet) {
    ctx.log.warn({ copiedAt: formatTime(ctx.quiet.copiedAt) }, QUIET)
    say(QUIET)
  }
  const link = await findSetupLink()
  if (link === undefined) return
  say(
    'There is no account yet. Create the first administrator in a browser, with this one-time link:',
  )
  say(`  ${link}`)
  say('or in a terminal:')
  say('  npm run admin -- user create --admin --name NAME --email ADDRESS --password -')
}

const QUIET =
  'This is a copy that a backup made: no mirrors, webhooks, mails, sweeps and schedules until "npm run admin -- restored --go-live"'

function stopOnSignal(stop: () => void): void {
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/**
 * Load balancers notice first, for `server.drain`. Then requests in flight finish; whoever says it
 * twice, or the time limit, ends them.
 */
function stopOnce(app: App, { drain, stop_timeout }: Config['server']): () => void {
  let stopping = false
  return () => {
    if (stopping) process.exit(1)
    stopping = true
    app.drain()
    if (drain === 0) return end(app, stop_timeout)
    app.ctx.log.info({ seconds: drain }, 'stopping: requests are still answered for server.drain')
    setTimeout(() => end(app, stop_timeout), drain * 1000)
  }
}

function end({ close, ctx }: App, timeoutSeconds: number): void {
  setTimeout(() => process.exit(1), timeoutSeconds * 1000).unref()
  close().then(
    () => process.exit(0),
    (error: unknown) => {
      ctx.log.error(error, 'not stopped cleanly')
      process.exit(1)
    },
  )
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
