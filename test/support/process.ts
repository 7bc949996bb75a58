import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import type { Environment } from '../../src/platform/config/config.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
const admin = new URL('../../src/admin.ts', import.meta.url).pathname
const asNpmDoes = ['--import', new URL('../../scripts/require-node.mjs', import.meta.url).href]

/**
 * What programs and those that they start need of the machine. Kept compiled they start in a third
 * of the time, and where it is counted which lines run, theirs are not: that would make a start
 * take ten times as long.
 */
const ofTests = {
  PATH: process.env['PATH'],
  TMPDIR: process.env['TMPDIR'],
  NODE_COMPILE_CACHE: process.env['TEST_COMPILE_CACHE'],
  NODE_V8_COVERAGE: undefined,
}

/** A program of ours in a process of its own. */
export class Running {
  readonly child: ChildProcess
  readonly #ended: Promise<number | null>
  #out = ''
  #notes = ''

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.on('data', (chunk: Buffer) => (this.#out += chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => (this.#notes += chunk.toString()))
    this.#ended = once(child, 'close').then(([code]) => code as number | null)
  }

  get out(): string {
    return this.#out
  }
  get notes(): string {
    return this.#notes
  }

  /** The exit status, once everything it wrote has been read. */
  async end(): Promise<number | null> {
    return this.#ended
  }

  /** Waits until it has written a match to standard error. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#notes)
      if (match) return match
      const more = once(this.child.stderr ?? this.child, 'data').then(() => true)
      const goesOn = await Promise.race([more, this.#ended.then(() => false)])
      if (!goesOn && !pattern.test(this.#notes)) throw new Error(`it ended, saying: ${this.#notes}`)
    }
  }
}

/** As `npm start` does. */
export function startServer(t: TestContext, environment: Environment): Running {
  return start(t, ['--expose-gc', ...asNpmDoes, main], {
    CODESTEAD_SERVER_PORT: '0',
    ...environment,
  })
}

export function startAdmin(t: TestContext, environment: Environment, words: string[]): Running {
  return start(t, [...asNpmDoes, admin, ...words], environment)
}

/** Like `startServer`, with a module of the tests loaded before it, which can be sent messages. */
export function startServerWith(t: TestContext, module: URL, environment: Environment): Running {
  const settings = { CODESTEAD_SERVER_PORT: '0', ...environment }
  return start(t, parametersWith(module), settings, ['ipc'])
}

/** Like `startServerWith`, in a process that may have so many descriptors at once. */
export function startServerWithin(
  t: TestContext,
  descriptors: number,
  module: URL,
  environment: Environment,
): Running {
  const settings = { CODESTEAD_SERVER_PORT: '0', ...environment }
  const program = ['sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', process.execPath]
  return start(t, parametersWith(module), settings, ['ipc'], program)
}

function parametersWith(module: URL): string[] {
  return ['--expose-gc', '--import', module.href, ...asNpmDoes, main]
}

function start(
  t: TestContext,
  parameters: string[],
  environment: Environment,
  channel: readonly 'ipc'[] = [],
  [program = '', ...before]: readonly string[] = [process.execPath],
): Running {
  const child = spawn(program, [...before, ...parameters], {
    env: { ...ofTests, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', ...channel],
  })
  const running = new Running(child)
  t.after(async () => {
    child.kill('SIGKILL')
    await running.end()
  })
  return running
}
