import { parseArgs } from 'node:util'
import pino from 'pino'
import { buildApp } from './app.ts'
import { ConfigError, loadConfig } from './config/config.ts'
import { baseUrl } from './config/urls.ts'
import { programVersion } from './instance/version.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { config: { type: 'string' } } })
  const config = loadConfig(process.env, values.config)
  const log = pino({ level: config.log.level })
  const app = await buildApp(config, log)
  const { host, port } = config.server
  await app.server.listen({ host, port })
  app.server.server.headersTimeout = config.server.header_timeout * 1000
  app.ctx.schedule.start()
  say(`Codestead ${programVersion} is at ${baseUrl(config)}`)
  stopOnSignal(app.close, config.server.stop_timeout)
}

/** Requests in flight finish; a second signal, or the time limit, ends them. */
function stopOnSignal(close: () => Promise<void>, timeoutSeconds: number): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), timeoutSeconds * 1000).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

main().catch((error: unknown) => {
  say(
    error instanceof ConfigError
      ? `codestead: ${error.message}`
      : `codestead: ${String((error as Error).stack)}`,
  )
  process.exit(1)
})
