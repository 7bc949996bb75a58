/**
 * Loaded into a server before anything else: counts what it writes to files, and lets those fail
 * that it is told to. SQLite and git write by themselves, and are not made to fail; but the server
 * can be killed before a commit, before it starts git, before it hears how that went, and before it
 * answers.
 */
import processes, { type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import promises, { type FileHandle } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { StatementSync } from 'node:sqlite'
import pg from 'pg'
import type { News, Order } from '../../src/platform/git/launch-orders.ts'

/** From the `failAt`th write on all fail with `code`; a full disk still lets things be removed. */
export interface Fault {
  readonly failAt: number
  readonly code: 'ENOSPC' | 'EIO' | 'SIGKILL'
  /** Only those of this name are counted. */
  readonly name?: string
}

export interface Counted {
  readonly writes: readonly string[]
}

let fault: Fault | undefined
let writes: string[] = []

function failureOf(name: string): NodeJS.ErrnoException | undefined {
  if (!fault || (name === 'rm' && fault.code === 'ENOSPC')) return undefined
  writes.push(name)
  const counted = fault.name === undefined ? writes : writes.filter((one) => one === fault?.name)
  if (counted.at(-1) !== name || counted.length < fault.failAt) return undefined
  if (fault.code === 'SIGKILL') process.kill(process.pid, 'SIGKILL')
  return Object.assign(new Error(`${fault.code}: made to fail, ${name}`), { code: fault.code })
}

/** What only a kill comes before. */
function step(name: string): void {
  if (fault?.code === 'SIGKILL') failureOf(name)
}

const isForReading = (flags: unknown) => flags === undefined || flags === 'r'

type Call = (...values: unknown[]) => unknown

/** What promisify has to know about it stays with it. */
function replace(of: object, name: string, make: (original: Call) => Call): void {
  const target = of as Record<string, Call>
  const original = target[name] as Call
  const replaced = make(original.bind(of))
  Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original))
  target[name] = replaced
}

/** For all objects of a class. */
function precede(
  prototype: object,
  name: string,
  note: (self: unknown, first: unknown) => void,
): void {
  const methods = prototype as Record<string, Call>
  const original = methods[name] as Call
  methods[name] = function preceded(this: unknown, ...values) {
    note(this, values[0])
    return Reflect.apply(original, this, values)
  }
}

function failWithCallback(name: string, isWrite: (values: unknown[]) => boolean): void {
  replace(fs, name, (original) => (...values) => {
    const error = isWrite(values) ? failureOf(name) : undefined
    const callback = values.at(-1) as (error: Error) => void
    return error ? process.nextTick(callback, error) : original(...values)
  })
}

function failWithPromise(of: object, name: string): void {
  replace(of, name, (original) => async (...values) => {
    const error = failureOf(name)
    if (error) throw error
    return original(...values)
  })
}

failWithCallback('open', ([, flags]) => !isForReading(flags))
failWithCallback('writev', () => true)
failWithCallback('fsync', () => true)
for (const name of ['mkdir', 'writeFile', 'rename', 'rm', 'link']) failWithPromise(promises, name)
replace(promises, 'open', (original) => async (...values) => {
  const handle = (await original(...values)) as FileHandle
  failWithPromise(handle, 'sync')
  return handle
})
replace(processes, 'fork', (original) => (...values) => {
  const launcher = original(...values) as ChildProcess
  replace(launcher, 'send', (send) => (order) => {
    if ((order as Order).kind === 'launch') step('git')
    return send(order)
  })
  launcher.on('message', ({ kind }: News) => {
    if (kind === 'ended') step('end of git')
  })
  return launcher
})
syncBuiltinESMExports()

precede(StatementSync.prototype, 'run', (statement) => {
  if ((statement as StatementSync).sourceSQL === 'COMMIT') step('commit')
})
precede(pg.Client.prototype, 'query', (_client, asked) => {
  if (asked === 'commit' || (asked as { readonly text?: unknown } | null)?.text === 'commit') {
    step('commit')
  }
})
precede(ServerResponse.prototype, 'end', () => step('answer'))

process.on('message', (next: Fault | null) => {
  const counted: Counted = { writes }
  fault = next ?? undefined
  writes = []
  process.send?.(counted)
})
process.channel?.unref()
