import { RequestWork } from '../concurrency/request-work.ts'
import type { GitEnvironment } from './environment.ts'
import type { ProcessLimits } from './launch-orders.ts'
import { launch, type LaunchedProcess } from './launcher.ts'
import { assertConfigIsOurs } from './repository-config.ts'

const TIME_LIMIT_MS = 120_000

/**
 * Why it could not be run at all, which may be over soon: the machine had no room for it, or the
 * launcher was gone.
 */
const notRun = /^spawn \S+ (EAGAIN|ENOMEM|EMFILE|ENFILE)$|^the launcher is gone$/

/** Git ended with a failure. */
export class GitError extends Error {
  override readonly name = 'GitError'
  readonly exitCode: number
  /** What it wrote before. */
  readonly output: string
  /** Of the system, where git was not run. */
  readonly code: string | undefined

  constructor(command: string, exitCode: number, complaint: string, output = '') {
    super(`git ${command} failed (${exitCode}): ${complaint.trim()}`)
    this.exitCode = exitCode
    this.output = output
    const [matched, code = 'EAGAIN'] = notRun.exec(complaint.trim()) ?? []
    this.code = matched === undefined ? undefined : code
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
  /** Beside the memory that all processes have. */
  readonly limits?: Pick<ProcessLimits, 'talkBytes' | 'cpuSeconds'>
  /**
   * Leads a process group of its own, with what git starts in it, and has descriptor 3 for our
   * hooks.
   */
  readonly leader?: boolean
}

/** Starts git on one repository: no shell, a clean environment, a time limit. */
export class Git {
  readonly #environment: GitEnvironment
  readonly #memoryBytes: number

  /**
   * Each process, with those that it starts, has so many bytes of memory; any number when it is 0.
   */
  constructor(environment: GitEnvironment, memoryBytes = 0) {
    this.#environment = environment
    this.#memoryBytes = memoryBytes
  }

  /** A running process whose streams are the caller's to read, write and end. */
  async start(
    folder: string,
    parameters: readonly string[],
    options: Omit<GitOptions, 'input'> & { readonly hasInput?: boolean } = {},
  ): Promise<LaunchedProcess> {
    await assertConfigIsOurs(folder)
    await RequestWork.current?.enter()
    const child = await launch({
      program: 'git',
      parameters: ['--git-dir', folder, ...parameters],
      environment: { ...this.#environment, ...options.environment },
      folder: '/',
      hasInput: options.hasInput ?? false,
      leader: options.leader ?? false,
      timeLimitMs: options.timeLimitMs ?? TIME_LIMIT_MS,
      limits: { memoryBytes: this.#memoryBytes, ...options.limits },
    })
    if (options.signal) endWith(options.signal, child)
    return child
  }

  /** Runs git to its end and gives what it wrote. */
  async run(
    folder: string,
    parameters: readonly string[],
    { input, ...options }: GitOptions = {},
  ): Promise<Buffer> {
    const child = await this.start(folder, parameters, {
      ...options,
      hasInput: input !== undefined,
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    const [{ code, complaint }, feeding] = await Promise.all([child.ended, feed(child, input)])
    if (feeding) throw feeding.failure
    options.signal?.throwIfAborted()
    const output = Buffer.concat(chunks)
    if (code !== 0)
      throw new GitError(parameters[0] ?? '', code, complaint, output.toString('utf8'))
    return output
  }

  /** Like `run`: what git wrote, as text without its final line break. */
  async text(folder: string, parameters: readonly string[], options?: GitOptions): Promise<string> {
    return (await this.run(folder, parameters, options)).toString('utf8').replace(/\n$/, '')
  }
}

function endWith(signal: AbortSignal, child: LaunchedProcess): void {
  const end = () => child.kill('SIGKILL')
  if (signal.aborted) return end()
  signal.addEventListener('abort', end)
  void child.ended.then(() => signal.removeEventListener('abort', end))
}

/**
 * Gives the failure of the input, if it failed: then git, which would wait for the rest, is ended.
 */
async function feed(
  child: LaunchedProcess,
  input: GitOptions['input'],
): Promise<{ readonly failure: unknown } | undefined> {
  if (input === undefined) return undefined
  if (typeof input === 'string' || input instanceof Uint8Array) {
    child.stdin.end(input)
    return undefined
  }
  try {
    for await (const chunk of input) {
      if (!child.stdin.writable) break
      if (!child.stdin.write(chunk)) await drained(child)
    }
  } catch (failure) {
    child.kill('SIGKILL')
    return { failure }
  }
  child.stdin.end()
  return undefined
}

async function drained({ stdin, ended }: LaunchedProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  stdin.once('drain', resolve)
  await Promise.race([promise, ended])
  stdin.off('drain', resolve)
}
