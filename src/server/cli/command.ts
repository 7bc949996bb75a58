import type { ParseArgsOptionDescriptor } from 'node:util'
import pino from 'pino'
import { closeContext, openContext } from '../open-context.ts'
import { loadConfig, type Config, type Environment } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context.ts'

/** What a command has of the world around it. */
export interface Terminal {
  readonly environment: Environment
  /** For the reader that may be a program: standard output. */
  readonly out: (line: string) => void
  /** For people: standard error. */
  readonly note: (line: string) => void
  /** All of standard input. */
  readonly readInput: () => Promise<string>
}

/** One thing that an administrator can do. */
export interface Command {
  /** What is typed to get it, such as `user create`. */
  readonly name: string
  readonly usage: string
  readonly about: string
  readonly options: Readonly<Record<string, ParseArgsOptionDescriptor>>
  /** Options that may stand without a value, with the one that they have then. */
  readonly unsaid?: Readonly<Record<string, string>>
  /** The exit status, where it is not plainly 0. */
  readonly run: (invocation: Invocation) => Promise<number | void>
}

/** It was called in a way that makes no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Values = Readonly<Record<string, string | boolean | undefined>>

/** A command with what was typed after it. */
export class Invocation {
  readonly terminal: Terminal
  readonly #values: Values

  constructor(terminal: Terminal, values: Values) {
    this.terminal = terminal
    this.#values = values
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined || value === '') throw new UsageError(`--${name} is missing`)
    return value
  }

  flag(name: string): boolean {
    return this.#values[name] === true
  }

  get config(): Config {
    return loadConfig(this.terminal.environment, this.text('config'))
  }

  /** Runs on the migrated database, which a server may be using at the same time. */
  async withContext<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    const ctx = await openContext(this.config, pino({ level: 'silent' }))
    try {
      return await work(ctx)
    } finally {
      await closeContext(ctx)
    }
  }
}
