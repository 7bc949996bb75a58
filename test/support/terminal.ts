import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { runAdmin } from '../../src/server/cli/run.ts'
import type { Environment } from '../../src/platform/config/config.ts'
import type { TestApp } from './app.ts'
import { makeEmptyDatabase } from './databases.ts'

export interface Ran {
  readonly status: number
  readonly out: string
  readonly notes: string
  /** What a script takes: the last line of the output. */
  readonly lastLine: string
}

/** Where somebody types commands. */
export class Machine {
  readonly data: string
  readonly environment: Environment

  constructor(data: string, databaseUrl: string, settings: Environment = {}) {
    this.data = data
    this.environment = {
      CODESTEAD_DATA: data,
      CODESTEAD_SECURITY_PASSWORD_MEMORY: '64KiB',
      ...(databaseUrl === '' ? {} : { CODESTEAD_DATABASE_URL: databaseUrl }),
      ...settings,
    }
  }

  /** What `npm run admin -- WORDS` does. */
  async admin(words: readonly string[], input = ''): Promise<Ran> {
    const out: string[] = []
    const notes: string[] = []
    const status = await runAdmin(words, {
      environment: this.environment,
      out: (line) => out.push(line),
      note: (line) => notes.push(line),
      readInput: async () => input,
    })
    const lines = out.join('\n').split('\n')
    return { status, out: out.join('\n'), notes: notes.join('\n'), lastLine: lines.at(-1) ?? '' }
  }
}

/** The machine on which `app` runs, with the same data. */
export function machineOf({ ctx: { config } }: TestApp): Machine {
  return new Machine(config.data, config.database.url)
}

/** A machine on which Codestead has never run. */
export async function startMachine(t: TestContext): Promise<Machine> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-machine-'))
  const database = await makeEmptyDatabase()
  t.after(async () => {
    await database.remove()
    rmSync(data, { recursive: true, force: true })
  })
  return new Machine(data, database.url)
}
