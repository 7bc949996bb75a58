import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Duplex, type Readable, type Writable } from 'node:stream'
import {
  STREAM_NAME_LENGTH,
  type Ending,
  type Exceeded,
  type LaunchOrder,
  type News,
  type Order,
  type StreamKind,
} from './launch-orders.ts'

export type Launch = Omit<LaunchOrder, 'kind' | 'id'>

/** A process that the launcher has started for us. */
export interface LaunchedProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Descriptor 3 of a leader. */
  readonly channel: Duplex
  /** When it has ended and all of its output has been taken or given up. */
  readonly ended: Promise<Ending>
  /** When it takes more than it may, and is about to be ended. */
  readonly exceeds: Promise<Exceeded>
  readonly isRunning: () => boolean
  /** A leader's signal reaches its whole group. */
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void
  /** Ends what it has started, and leaves it to say so and to tidy up. */
  readonly endBelow: () => void
}

/**
 * How often it is looked whether the streams of a process have come, and how long after each other.
 */
const LOOKS = 50
const LOOK_MS = 100

/** There is another one soon. */
const GONE = 'the launcher is gone'

/** Addresses of sockets are short on every system. */
const LONGEST_FOLDER = 80

/**
 * Starts processes by way of a small one. To start a process is to copy the tables of the starter's
 * memory, during which it does nothing else: milliseconds for each hundred megabytes of a server,
 * in which nobody would be answered. Output and input do not pass through the launcher: it hands
 * its connections to us over to the new process.
 */
class Launcher {
  readonly #process: ChildProcess
  readonly #server: Server
  readonly #folder: string
  readonly #jobs = new Map<number, Job>()
  #count = 0
  #isCutOff = false

  private constructor(server: Server, folder: string) {
    this.#server = server
    this.#folder = folder
    this.#process = fork(new URL('launcher-process.ts', import.meta.url), [folder], {
      // Ours: flags of the server, of a debugger or of a test runner are not meant for it.
      execArgv: ['--max-semi-space-size=1'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    })
    this.#process.on('message', (news: News) => this.#hear(news))
    this.#process.once('exit', () => this.#close())
    this.#process.on('error', () => this.#close())
    this.#process.unref()
    this.#process.channel?.unref()
    server.unref()
  }

  static async open(): Promise<Launcher> {
    const folder = mkdtempSync(join(socketFolder(), 'codestead-'))
    const server = createServer({ allowHalfOpen: true })
    try {
      server.listen(join(folder, 'socket'))
      await once(server, 'listening')
      const launcher = new Launcher(server, folder)
      await once(launcher.#process, 'spawn')
      server.on('connection', (stream) => launcher.#accept(stream))
      server.on('error', () => undefined)
      return launcher
    } catch (error) {
      discard(server, folder)
      throw error
    }
  }

  /** Then another one is needed. */
  get isGone(): boolean {
    return this.#isCutOff || !this.#process.connected
  }

  #hear(news: News): void {
    this.#isCutOff ||= isCutOff(news)
    this.#jobs.get(news.id)?.hear(news)
  }

  async launch(wanted: Launch): Promise<LaunchedProcess> {
    const id = ++this.#count
    const job = new Job(id, wanted.hasInput, (order) => this.#send(order))
    this.#jobs.set(id, job)
    this.#process.channel?.ref()
    void job.over.then(() => this.#forget(id))
    this.#send({ kind: 'launch', id, ...wanted })
    return job.started
  }

  /** Only work in hand keeps our process from ending. */
  #forget(id: number): void {
    this.#jobs.delete(id)
    if (this.#jobs.size > 0) return
    if (this.#isCutOff && this.#process.connected) this.#process.disconnect()
    else this.#process.channel?.unref()
  }

  #send(order: Order): void {
    if (this.#process.connected) this.#process.send(order)
    else if (order.kind === 'launch') this.#jobs.get(order.id)?.fail(GONE, 'EAGAIN')
  }

  #accept(stream: Socket): void {
    stream.on('error', () => undefined)
    const read = () => {
      const name = stream.read(STREAM_NAME_LENGTH) as Buffer | null
      if (name === null) return
      stream.off('readable', read)
      const job = this.#jobs.get(Number(name.subarray(0, -1).toString()))
      if (job) job.attach(name.at(-1) === 0x69 ? 'in' : 'out', stream)
      else stream.destroy()
    }
    stream.on('readable', read)
  }

  #close(): void {
    discard(this.#server, this.#folder)
    for (const job of this.#jobs.values()) job.fail(GONE, 'EAGAIN')
  }
}

function discard(server: Server, folder: string): void {
  server.close()
  rmSync(folder, { recursive: true, force: true })
}

/** From the order to the end of the process. */
class Job {
  readonly #id: number
  readonly #send: (order: Order) => void
  readonly #streams = new Map<StreamKind, Socket>()
  readonly #wanted: number
  readonly #channel: Duplex
  readonly #start = Promise.withResolvers<LaunchedProcess>()
  readonly #end = Promise.withResolvers<Ending>()
  readonly #excess = Promise.withResolvers<Exceeded>()
  #isRunning = true

  constructor(id: number, hasInput: boolean, send: (order: Order) => void) {
    this.#id = id
    this.#send = send
    this.#wanted = hasInput ? 2 : 1
    this.#channel = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        send({ kind: 'say', id, text: chunk.toString('utf8') })
        done()
      },
    })
  }

  get started(): Promise<LaunchedProcess> {
    return this.#start.promise
  }

  /** Fulfilled however it ends. */
  get over(): Promise<unknown> {
    return Promise.allSettled([this.#end.promise])
  }

  attach(kind: StreamKind, stream: Socket): void {
    this.#streams.set(kind, stream)
    // Of two ways only one is used: when that ends, all does.
    stream.once('end', () => stream.destroy())
    if (kind === 'in') stream.resume()
    if (this.#isConnected()) this.#start.resolve(this.#describe())
    else void this.#expectStreams()
  }

  #isConnected(): boolean {
    return this.#streams.size === this.#wanted
  }

  /**
   * Connections are closed unseen where no descriptor is left for them. All of them were made
   * before the process was: when one has come, or the process has ended, the rest is on its way or
   * lost.
   */
  async #expectStreams(): Promise<void> {
    // A few short times: in one long one, a loop that was busy all the while would have accepted
    // nothing.
    for (let look = 0; look < LOOKS; look++) {
      if (this.#isConnected()) return
      await delay(LOOK_MS, undefined, { ref: false })
    }
    if (this.#isConnected()) return
    this.#send({ kind: 'signal', id: this.#id, signal: 'SIGKILL' })
    this.fail('no descriptor was left for its streams', 'EMFILE')
  }

  hear(news: News): void {
    if (news.kind === 'said') this.#channel.push(news.text)
    else if (news.kind === 'failed') this.fail(news.reason, news.code)
    else if (news.kind === 'exceeded') this.#excess.resolve(news.exceeded)
    else void this.#finish(news)
  }

  fail(reason: string, code?: string): void {
    this.#isRunning = false
    for (const stream of this.#streams.values()) stream.destroy()
    this.#channel.push(null)
    this.#start.reject(Object.assign(new Error(`a process could not be run: ${reason}`), { code }))
    this.#end.resolve({ code: 128, complaint: reason })
  }

  /** This news may come before its streams do, and long before the last of its output. */
  async #finish({ code, complaint }: Ending): Promise<void> {
    this.#isRunning = false
    this.#channel.push(null)
    void this.#expectStreams()
    const started = await this.started.catch(() => undefined)
    if (!started) return
    const { stdout } = started
    this.#streams.get('in')?.destroy()
    if (!stdout.closed) await new Promise((resolve) => stdout.once('close', resolve))
    this.#end.resolve({ code, complaint })
  }

  #describe(): LaunchedProcess {
    const input = this.#streams.get('in')
    const output = this.#streams.get('out')
    if (!output) throw new Error('a process without output was started')
    return {
      get stdin() {
        if (!input) throw new Error('a process without input was started')
        return input
      },
      stdout: output,
      channel: this.#channel,
      ended: this.#end.promise,
      exceeds: this.#excess.promise,
      isRunning: () => this.#isRunning,
      kill: (signal) => this.#send({ kind: 'signal', id: this.#id, signal }),
      endBelow: () => this.#send({ kind: 'end below', id: this.#id }),
    }
  }
}

/**
 * Somebody who tidied up the folder for temporary files has removed our socket: no process can be
 * started by it.
 */
function isCutOff(about: unknown): boolean {
  return (about as { readonly code?: unknown }).code === 'ENOENT'
}

function socketFolder(): string {
  const folder = tmpdir()
  return folder.length > LONGEST_FOLDER ? '/tmp' : folder
}

let current: Promise<Launcher> | undefined

export async function launch(wanted: Launch): Promise<LaunchedProcess> {
  const launcher = await usableLauncher()
  try {
    return await launcher.launch(wanted)
  } catch (error) {
    if (!isCutOff(error)) throw error
    return (await usableLauncher()).launch(wanted)
  }
}

/**
 * One launcher is enough for a server. It starts with the first process, and again should it ever
 * be gone.
 */
async function usableLauncher(): Promise<Launcher> {
  const known = current && (await openedBy(current))
  return known && !known.isGone ? known : openedBy((current ??= Launcher.open()))
}

/**
 * What is gone, or has never come, is not asked again. Another may have been opened by somebody who
 * noticed sooner.
 */
async function openedBy(opening: Promise<Launcher>): Promise<Launcher> {
  const forget = () => {
    if (current === opening) current = undefined
  }
  try {
    const launcher = await opening
    if (launcher.isGone) forget()
    return launcher
  } catch (error) {
    forget()
    throw error
  }
}
