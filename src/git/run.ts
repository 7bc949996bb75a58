import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import type { GitEnvironment } from './environment.ts'

const TIME_LIMIT_MS = 120_000
const MAX_COMPLAINT = 8192

/** Git ended with a failure. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly exitCode: number

  constructor(command: string, exitCode: number, complaint: string) {
    super(`git ${command} failed (${exitCode}): ${complaint.trim()}`)
    this.exitCode = exitCode
  }
}

export interface GitOptions {
  /** Sent to git's standard input. */
  readonly input?: AsyncIterable<Uint8Array> | Uint8Array | string
  /** Added to the environment. */
  readonly environment?: Readonly<Record<string, string>>
  /** Ends the process with the request that wants it. */
  readonly signal?: AbortSignal
  readonly timeLimitMs?: number
  /** Leads a process group of its own, with what git starts in it, and has descriptor 3 for our hooks. */
  readonly leader?: boolean
}

/** Starts git on one repository: no shell, a clean environment, a time limit. */
export class Git {
  readonly #environment: GitEnvironment

  constructor(environment: GitEnvironment) {
    this.#environment = environment
  }

  /** A running process whose streams are the caller's to read, write and end. */
  start(
    folder: string,
    parameters: readonly string[],
    options: GitOptions = {},
  ): ChildProcessWithoutNullStreams {
    const child = spawn('git', ['--git-dir', folder, ...parameters], {
      env: { ...this.#environment, ...options.environment },
      cwd: '/',
      stdio: options.leader ? ['pipe', 'pipe', 'pipe', 'pipe'] : 'pipe',
      detached: options.leader ?? false,
      timeout: options.timeLimitMs ?? TIME_LIMIT_MS,
      killSignal: 'SIGKILL',
      ...(options.signal ? { signal: options.signal } : {}),
    })
    // A process that ends before it has read its input is told apart by its exit code.
    child.stdin.on('error', () => undefined)
    return child
  }

  /** Runs git to its end and gives what it wrote. */
  async run(
    folder: string,
    parameters: readonly string[],
    options: GitOptions = {},
  ): Promise<Buffer> {
    const child = this.start(folder, parameters, options)
    const fed = feed(child, options.input)
    const chunks: Buffer[] = []
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < MAX_COMPLAINT) complaint += chunk.toString('utf8')
    })
    const [end, feeding] = await Promise.allSettled([ended(child), fed])
    if (feeding.status === 'rejected') throw feeding.reason
    if (end.status === 'rejected') throw end.reason
    const exitCode = end.value
    if (exitCode !== 0) throw new GitError(parameters[0] ?? '', exitCode, complaint)
    return Buffer.concat(chunks)
  }

  /** The same as text without its final line break. */
  async text(folder: string, parameters: readonly string[], options?: GitOptions): Promise<string> {
    return (await this.run(folder, parameters, options)).toString('utf8').replace(/\n$/, '')
  }
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.once('error', reject)
  child.once('close', (code) => resolve(code ?? 128))
  return promise
}

async function feed(
  child: ChildProcessWithoutNullStreams,
  input: GitOptions['input'],
): Promise<void> {
  if (input === undefined || typeof input === 'string' || input instanceof Uint8Array) {
    child.stdin.end(input ?? '')
    return
  }
  try {
    for await (const chunk of input) {
      if (!child.stdin.writable) break
      if (!child.stdin.write(chunk)) await drained(child)
    }
  } catch (error) {
    // Git would wait for the rest.
    child.kill('SIGKILL')
    throw error
  }
  child.stdin.end()
}

async function drained(child: ChildProcessWithoutNullStreams): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const goOn = () => resolve()
  child.stdin.once('drain', goOn)
  child.once('close', goOn)
  await promise
  child.stdin.off('drain', goOn)
  child.off('close', goOn)
}
