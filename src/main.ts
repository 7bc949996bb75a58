import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pino from 'pino'
import { buildApp, type App } from './app.ts'
import { explain } from './cli/explain.ts'
import { loadConfig, type Config } from './config/config.ts'
import { baseUrl } from './config/urls.ts'
import { assertGitUsable } from './git/version.ts'
import { watchLoop } from './instance/loop-watch.ts'
import { programVersion } from './instance/version.ts'
import { findFreePort } from './network/free-port.ts'

async function main(configFile: string | undefined): Promise<void> {
  const config = await settlePort(loadConfig(process.env, configFile))
  await assertGitUsable()
  const log = pino({ level: config.log.level })
  const app = await buildApp(config, log, { processMetrics: true })
  await openDoors(app, config).catch(async (error: unknown) => {
    await app.close()
    throw error
  })
  app.ctx.clock.start()
  app.ctx.schedule.start()
  app.ctx.jobs.start()
  stopOnSignal(app, config.server.stop_timeout)
  watchLoop(log)
  await greet(app, config)
  setTimeout(giveBackMemory, 500).unref()
}

async function openDoors({ server, listenSsh }: App, config: Config): Promise<void> {
  const { host, port } = config.server
  await server.listen({ host, port, listenTextResolver: (address) => `listening at ${address}` })
  await listenSsh()
}

/** Loading the program leaves garbage behind, which would stay for as long as nobody asks for anything. */
function giveBackMemory(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: object) => void
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Links carry the port, so with 0 for "any" one is chosen before anything is built on it. */
async function settlePort(config: Config): Promise<Config> {
  if (config.server.port !== 0) return config
  const port = await findFreePort(config.server.host)
  return Object.freeze({ ...config, server: Object.freeze({ ...config.server, port }) })
}

async function greet({ findSetupLink }: App, config: Config): Promise<void> {
  say(`Codestead ${programVersion} is at ${baseUrl(config)}`)
  const link = await findSetupLink()
  if (link === undefined) return
  say(
    'There is no account yet. Create the first administrator in a browser, with this one-time link:',
  )
  say(`  ${link}`)
  say('or in a terminal:')
  say('  npm run admin -- user create --admin --name NAME --email ADDRESS --password PASSWORD')
}

/** Requests in flight finish; a second signal, or the time limit, ends them. */
function stopOnSignal({ close, ctx }: App, timeoutSeconds: number): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), timeoutSeconds * 1000).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        ctx.log.error(error, 'not stopped cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Bad usage is told apart from a start that failed, as in the administration command. */
function readConfigFile(): string | undefined {
  try {
    return parseArgs({ options: { config: { type: 'string' } } }).values.config
  } catch (error) {
    say(`codestead: ${(error as Error).message}`)
    say('Usage: npm start -- [--config FILE]')
    process.exit(2)
  }
}

main(readConfigFile()).catch((error: unknown) => {
  say(`codestead: ${explain(error)}`)
  process.exit(1)
})
