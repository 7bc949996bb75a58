// The program of the launcher: see launcher.ts. It is given the folder of the server's socket.
import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import {
  nameStream,
  type LaunchOrder,
  type News,
  type Order,
  type StreamKind,
} from './launch-orders.ts'
import { endBelow, watchProcess } from './process-watch.ts'

const PATIENCE_MS = 10_000
const MAX_COMPLAINT = 8192

const [, , folder = ''] = process.argv
const running = new Map<number, { child: ChildProcess; leader: boolean }>()

process.on('message', (order: Order) => {
  if (order.kind === 'launch') void launch(order)
  else if (order.kind === 'signal') signal(order.id, order.signal)
  else if (order.kind === 'end below') void endBelow(running.get(order.id)?.child.pid)
  else (running.get(order.id)?.child.stdio[3] as Writable | undefined)?.write(order.text)
})

/**
 * The server is gone, however it went: what works for it ends, with its locks and half a pack
 * removed.
 */
process.once('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  for (const id of running.keys()) signal(id, 'SIGTERM')
  setTimeout(() => {
    for (const id of running.keys()) signal(id, 'SIGKILL')
  }, PATIENCE_MS).unref()
})

async function launch(order: LaunchOrder): Promise<void> {
  const kinds: readonly StreamKind[] = order.hasInput ? ['out', 'in'] : ['out']
  const opened = await Promise.allSettled(kinds.map((kind) => openStream(order.id, kind)))
  const streams = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [output, input] = streams
  const areOpen = streams.length === kinds.length && streams.every((stream) => !stream.destroyed)
  if (output && areOpen) startOrTell(order, output, input)
  else tell({ kind: 'failed', id: order.id, ...whyClosed(opened) })
  // The process has them now; here they are not wanted.
  for (const stream of streams) stream.destroy()
}

/** The server closes at once what it has no descriptor for. */
function whyClosed(opened: readonly PromiseSettledResult<Socket>[]) {
  const [error] = opened.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  const { code = 'EMFILE' } = (error ?? {}) as NodeJS.ErrnoException
  return { reason: `its streams could not be opened (${code})`, code }
}

/** A connection to the server, of which nothing is read here. */
async function openStream(id: number, kind: StreamKind): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const stream = connect({ path: join(folder, 'socket'), allowHalfOpen: true })
  stream.pause()
  stream.on('error', reject)
  stream.write(nameStream(id, kind), () => resolve(stream))
  return promise
}

/** A process that cannot be started as it is wanted is not to end all the others. */
function startOrTell(order: LaunchOrder, output: Socket, input: Socket | undefined): void {
  try {
    start(order, output, input)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    tell({ kind: 'failed', id: order.id, reason: message, code })
  }
}

function start(order: LaunchOrder, output: Socket, input: Socket | undefined): void {
  const { id, leader } = order
  const child = spawn(order.program, order.parameters, {
    env: order.environment,
    cwd: order.folder,
    stdio: [input ?? 'ignore', output, 'pipe', leader ? 'pipe' : 'ignore'],
    detached: leader,
    timeout: order.timeLimitMs,
    killSignal: 'SIGKILL',
  })
  running.set(id, { child, leader })
  const excuse = limit(order, child)
  watch(id, child, excuse)
}

/** Gives what is to be said of a process that was ended because it took too much. */
function limit({ id, limits }: LaunchOrder, { pid }: ChildProcess): () => string {
  let complaint = ''
  if (limits && pid !== undefined) {
    watchProcess({
      pid,
      limits,
      isRunning: () => running.has(id),
      end: () => signal(id, 'SIGKILL'),
      tell: (exceeded) => {
        complaint = `fatal: it took more ${exceeded} than the server allows`
        tell({ kind: 'exceeded', id, exceeded })
      },
    })
  }
  return () => complaint
}

function watch(id: number, child: ChildProcess, excuse: () => string): void {
  let complaint = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString('utf8')
  })
  const channel = child.stdio[3]
  channel?.on('data', (chunk: Buffer) => tell({ kind: 'said', id, text: chunk.toString('utf8') }))
  channel?.on('error', () => undefined)
  child.once('error', ({ message }) => (complaint ||= message))
  child.once('close', (code) => {
    running.delete(id)
    const ending = {
      code: code === null || code < 0 ? 128 : code,
      complaint: excuse() || complaint,
    }
    tell({ kind: 'ended', id, ...ending })
  })
}

function signal(id: number, name: 'SIGTERM' | 'SIGKILL'): void {
  const found = running.get(id)
  if (!found) return
  const { child, leader } = found
  if (!leader || child.pid === undefined) return void child.kill(name)
  try {
    process.kill(-child.pid, name)
  } catch {
    // It ended by itself in this moment.
  }
}

function tell(news: News): void {
  if (process.connected) process.send?.(news)
}
