import { text } from 'node:stream/consumers'
import { runAdmin } from './server/cli/run.ts'

// What commands make is for the server alone.
process.umask(0o077)

// Whoever reads the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runAdmin(process.argv.slice(2), {
  environment: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  note: (line) => process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
})
