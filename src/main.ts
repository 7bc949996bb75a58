import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { explain } from './server/cli/explain.ts'
import { loadConfig, type Config } from './platform/config/config.ts'
import { findFreePort } from './platform/network/free-port.ts'
import { assertUsable } from './server/startup/usable.ts'

// What the server makes is for the server alone.
process.umask(0o077)

async function main(configFile: string | undefined): Promise<void> {
  const config = await settlePort(loadConfig(process.env, configFile))
  // The leading process has looked already.
  if (cluster.isPrimary) await assertUsable(config)
  const workers = config.server.workers || availableParallelism()
  if (cluster.isPrimary && workers > 1) return lead(config, workers)
  const { serve } = await import('./server/processes/serve.ts')
  await serve(config)
}

/** Without what serves, which is most of the program. */
async function lead(config: Config, workers: number): Promise<void> {
  const [{ pino }, leading] = await Promise.all([
    import('pino'),
    import('./server/processes/lead.ts'),
  ])
  const endedWell = await leading.lead(config, pino({ level: config.log.level }), workers)
  process.exit(endedWell ? 0 : 1)
}

/** Links carry the port, so with 0 for "any" one is chosen before anything is built on it. */
async function settlePort(config: Config): Promise<Config> {
  if (config.server.port !== 0) return config
  const port = await findFreePort(config.server.host)
  return Object.freeze({ ...config, server: Object.freeze({ ...config.server, port }) })
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
