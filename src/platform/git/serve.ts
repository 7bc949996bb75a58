import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ObjectFormat } from '../db/columns.ts'
import { resumed } from '../storage/bytes.ts'
import { readAbilities } from './abilities.ts'
import { flushedTogether } from './environment.ts'
import { endBelow, endGroup } from './group.ts'
import { hideFolder } from './hide-folder.ts'
import { hooksSetting } from './hooks.ts'
import { KeptPack } from './kept-packs.ts'
import { readKeptRefs } from './kept-refs.ts'
import type { Exceeded, ProcessLimits } from './launch-orders.ts'
import type { LaunchedProcess } from './launcher.ts'
import { flushPacket, notePacket, pktLine } from './pkt-line.ts'
import { tellPushRefs } from './push-refs.ts'
import { readQuestion, type Asked } from './question.ts'
import { presentId, type RefUpdate } from './ref-update.ts'
import type { Git } from './run.ts'

export type Service = 'git-upload-pack' | 'git-receive-pack'

type Limits = Pick<ProcessLimits, 'cpuSeconds'>

export const SERVING_LIMIT_MS = 3_600_000

/** Of a repository whose refs are told. */
export interface Telling extends Serving {
  readonly objectFormat: ObjectFormat
}

export interface Serving {
  /** `version=2` and the like, as the client asked for it. */
  readonly protocol: string | undefined
  /** Ends git with the request. */
  readonly signal: AbortSignal
}

/** All of what git says, where that is known without it; else as it comes. */
export type Answer = Buffer | AsyncIterable<Uint8Array>

/** What a client is told first: the refs, or with protocol 2 what can be asked for. */
export async function advertise(
  git: Git,
  folder: string,
  service: Service,
  telling: Telling,
): Promise<Answer> {
  const head = Buffer.from(pktLine(`# service=${service}\n`) + flushPacket)
  const known = await findAdvertised(git, folder, service, telling)
  if (known) return Buffer.concat([head, known])
  return resumed([head], askForRefs(git, folder, service, telling))
}

/** Like `advertise`, without the line that only HTTP has in front of it. */
export async function* advertiseRefs(
  git: Git,
  folder: string,
  service: Service,
  telling: Telling,
): AsyncGenerator<Uint8Array> {
  const known = await findAdvertised(git, folder, service, telling)
  if (known) yield known
  else yield* askForRefs(git, folder, service, telling)
}

async function findAdvertised(
  git: Git,
  folder: string,
  service: Service,
  { protocol, objectFormat }: Telling,
): Promise<Buffer | undefined> {
  if (service === 'git-receive-pack') return tellPushRefs(git, folder, objectFormat)
  return protocol === 'version=2' ? readAbilities(git, folder, objectFormat) : undefined
}

async function* askForRefs(
  git: Git,
  folder: string,
  service: Service,
  { protocol, signal }: Telling,
): AsyncGenerator<Uint8Array> {
  const command = [commandOf(service), '--stateless-rpc', '--advertise-refs', folder]
  yield* converse(await startLeader(git, folder, command, { protocol }), [], signal)
}

/** One question of a fetch, answered. */
export async function uploadPack(
  git: Git,
  folder: string,
  input: AsyncIterable<Uint8Array>,
  serving: Serving,
): Promise<Answer> {
  const { refs, clone, body }: Asked =
    serving.protocol === 'version=2' ? await readQuestion(input) : { body: input }
  const keptRefs = refs && (await readKeptRefs(git, folder, refs))
  if (keptRefs) return keptRefs
  const pack = clone && (await KeptPack.find(git, folder, clone))
  return pack?.content ?? askForPack(git, folder, body, serving, pack)
}

async function* askForPack(
  git: Git,
  folder: string,
  body: AsyncIterable<Uint8Array>,
  { protocol, signal }: Serving,
  pack: KeptPack | undefined,
): AsyncGenerator<Uint8Array> {
  const command = ['upload-pack', '--strict', '--stateless-rpc', folder]
  const child = await startLeader(git, folder, command, { protocol })
  const answer = converse(child, body, signal)
  yield* pack ? pack.fill(answer, async () => (await child.ended).code === 0) : answer
}

/** A whole fetch, or the making of an archive, on a connection that lasts for all of it. */
export async function* converseWith(
  git: Git,
  folder: string,
  service: 'upload-pack' | 'upload-archive',
  input: AsyncIterable<Uint8Array>,
  { protocol, signal }: Serving,
): AsyncGenerator<Uint8Array> {
  const command =
    service === 'upload-pack' ? ['upload-pack', '--strict', folder] : ['upload-archive', folder]
  yield* converse(await startLeader(git, folder, command, { protocol }), input, signal)
}

export interface Receiving {
  /** The body of the push from its beginning. */
  readonly input: AsyncIterable<Uint8Array>
  /** Where git's answer goes; whoever reads there may leave at any time. */
  readonly output: Writable
  readonly hasBands: boolean
  /** Says that nobody waits for the answer. */
  readonly signal: AbortSignal
  /** Time of a processor; 0 for any. */
  readonly cpuSeconds: number
  /** A large pack is kept as it comes: to unpack it would be to compress all of it again. */
  readonly isLarge: boolean
  /** Git refuses a larger pack before it has read all of it; 0 for any. */
  readonly maxBytes: number
  /** Whether `decide` is asked about each ref too. */
  readonly byRef: boolean
  /**
   * Asked when git has the objects and has moved nothing; then with each ref. A text is the reason
   * to refuse.
   */
  readonly decide: (
    ref: string | undefined,
    /** The folder in which new objects wait, when it is about all of them. */
    quarantine: string | undefined,
  ) => Promise<string | undefined>
  /** Called as soon as git says of a ref that it has moved. */
  readonly onMoved: () => void
}

/**
 * Takes a push, and gives the refs that moved. A body that breaks off ends git by itself, without a
 * trace. Whose client leaves before it is decided what moves has git ended; after that it is left
 * to finish.
 */
export async function receivePack(
  git: Git,
  folder: string,
  receiving: Receiving,
): Promise<readonly RefUpdate[]> {
  const { input, output, isLarge, maxBytes, byRef, cpuSeconds, onMoved } = receiving
  const settings = [
    '-c',
    flushedTogether.join('='),
    ...hooksSetting(byRef ? 'hooks-by-ref' : 'hooks'),
    ...(isLarge ? ['-c', 'receive.unpackLimit=1'] : []),
    ...(maxBytes > 0 ? ['-c', `receive.maxInputSize=${maxBytes}`] : []),
  ]
  const command = [...settings, 'receive-pack', '--stateless-rpc', folder]
  const child = await startLeader(git, folder, command, { limits: { cpuSeconds } })
  void pour(child, input).catch(() => undefined)
  void child.exceeds.then((exceeded) => noteExcess(exceeded, receiving))
  const decide = whileWaited(child, receiving)
  const answer = hideFolder(child.stdout as AsyncIterable<Uint8Array>, folder)
  const [moved] = await Promise.all([
    talk(child, decide, onMoved),
    relay(answer, output),
    child.ended,
  ])
  return moved
}

/** Git tells its client no more than that something was ended. */
function noteExcess(exceeded: Exceeded, { output, hasBands }: Receiving): void {
  const limit = exceeded === 'memory' ? 'memory' : 'time of a processor'
  if (hasBands && output.writable) {
    output.write(notePacket(`The push takes more ${limit} than the server allows.`))
  }
}

/** What moves is decided for those who are still there. */
function whileWaited(child: LaunchedProcess, { decide, signal }: Receiving): Receiving['decide'] {
  const stop = () => endBelow(child)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  void child.ended.then(() => signal.removeEventListener('abort', stop))
  return async (ref, quarantine) => {
    const refusal = await decide(ref, quarantine)
    if (ref !== undefined || refusal !== undefined) return refusal
    if (signal.aborted) return 'The client is gone.'
    signal.removeEventListener('abort', stop)
    return undefined
  }
}

function commandOf(service: Service): string {
  return service.slice('git-'.length)
}

async function startLeader(
  git: Git,
  folder: string,
  parameters: readonly string[],
  { protocol, limits }: { readonly protocol?: string | undefined; readonly limits?: Limits } = {},
): Promise<LaunchedProcess> {
  const child = await git.start(folder, parameters, {
    leader: true,
    ...(limits ? { limits } : {}),
    hasInput: true,
    timeLimitMs: 2 * SERVING_LIMIT_MS,
    ...(protocol === undefined ? {} : { environment: { GIT_PROTOCOL: protocol } }),
  })
  const timer = setTimeout(() => endGroup(child), SERVING_LIMIT_MS).unref()
  void child.ended.then(() => clearTimeout(timer))
  return child
}

/** Git's answer while it is fed: a failure of the input breaks the answer off. */
async function* converse(
  child: LaunchedProcess,
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stop = () => endGroup(child)
  let failure: unknown
  pour(child, input).catch((error: unknown) => {
    failure = error
    stop()
  })
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>
    await child.ended
    if (failure) throw failure
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Fails as the input does. Git may have enough before the end of it, which is no failure. */
async function pour(
  child: LaunchedProcess,
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const failures: unknown[] = []
  const watched = async function* () {
    try {
      yield* input
    } catch (error) {
      failures.push(error)
      throw error
    }
  }
  await pipeline(watched, child.stdin).catch(() => undefined)
  if (failures.length > 0) throw failures[0]
}

/** Reads to the end even when nobody listens any more: git would stop at a closed pipe. */
async function relay(from: AsyncIterable<Uint8Array>, to: Writable): Promise<void> {
  const gone = once(to, 'close').catch(() => undefined)
  for await (const chunk of from) {
    if (to.destroyed || to.write(chunk)) continue
    await Promise.race([once(to, 'drain').catch(() => undefined), gone])
  }
}

/** Answers our hooks, and collects what they tell. */
async function talk(
  child: LaunchedProcess,
  decide: Receiving['decide'],
  onMoved: Receiving['onMoved'],
): Promise<readonly RefUpdate[]> {
  const { channel } = child
  const moved: RefUpdate[] = []
  const lines = createInterface({ input: channel })
  lines.on('error', () => undefined)
  for await (const line of lines) {
    const [word, ...rest] = line.split(' ')
    if (word === 'may') {
      channel.write(`${(await answerTo(rest, decide)) ?? 'go'}\n`)
    } else {
      moved.push(toUpdate(rest))
      onMoved()
    }
  }
  return moved
}

function answerTo(
  [ref, ...folder]: readonly string[],
  decide: Receiving['decide'],
): Promise<string | undefined> {
  return decide(ref || undefined, folder.join(' ') || undefined)
}

function toUpdate([before = '', after = '', ref = '']: readonly string[]): RefUpdate {
  return { ref, before: presentId(before), after: presentId(after) }
}
