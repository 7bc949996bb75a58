import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectFormat } from '../db/columns.ts'
import { askPassEnvironment } from './ask-pass.ts'
import { changingRefs } from './changing-refs.ts'
import { flushedTogether } from './environment.ts'
import { endGroup, endGroupWith, leads } from './group.ts'
import type { LaunchedProcess } from './launcher.ts'
import { GitError, type Git } from './run.ts'
import { splitLines } from './stream.ts'

/** Another server's repository. */
export interface Remote {
  /** Without credentials. */
  readonly url: string
  /** It lies on this machine, in a folder whose settings are ours. */
  readonly isLocal?: boolean
  /** `host:port:address`: where its name leads, looked up and checked; nobody looks it up again. */
  readonly pin: string | undefined
  readonly username: string
  readonly password: string
}

export interface RemoteOptions {
  readonly signal: AbortSignal
  readonly timeLimitMs: number
  /** Of what is fetched; zero for any size. */
  readonly maxBytes: number
}

const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
const WATCH_EVERY_MS = 1_000
const MAX_REFS = 100_000
/** Several times what git keeps of so many refs; another server may list them without end. */
const TALK_BYTES = 256 * 1024 * 1024

export const mirrored = ['heads', 'tags', 'notes'].map((kind) => `+refs/${kind}/*:refs/${kind}/*`)

/** Old tools wrote such objects, and histories that everybody has are full of them. */
const harmless = [
  'badTimezone',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'missingTaggerEntry',
  'zeroPaddedFilemode',
]

export interface RemoteHead {
  /** The branch that its clones check out. */
  readonly branch: string | undefined
  readonly objectFormat: ObjectFormat
}

/** What a remote says of itself, before anything is fetched. `folder` need not exist. */
export async function readRemoteHead(
  git: Git,
  folder: string,
  remote: Remote,
  options: RemoteOptions,
): Promise<RemoteHead> {
  const asked = ['ls-remote', '--symref', '--', remote.url, 'HEAD', 'refs/heads/*', 'refs/tags/*']
  const text = await runRemote(git, folder, remote, asked, options)
  const ids = text.match(/^[0-9a-f]{40,64}(?=\t)/gm) ?? []
  if (ids.length > MAX_REFS) throw new GitError('ls-remote', 1, 'fatal: too many references')
  return {
    branch: /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(text)?.[1],
    objectFormat: ids[0]?.length === 64 ? 'sha256' : 'sha1',
  }
}

/**
 * The references here become those of the remote, all or none; those that it has no more go only
 * with `prune`. Then `known`, one of those that are here, is asked for by its name: without it the
 * remote is looked at again, and one that shows none at all takes nothing away, since one that is
 * being removed looks so.
 */
export async function fetchRemote(
  git: Git,
  folder: string,
  remote: Remote,
  options: FetchOptions,
): Promise<void> {
  const known = options.prune ? options.known : undefined
  const left = withinOneLimit(options)
  try {
    await fetchRefs(git, folder, remote, left(), known)
  } catch (error) {
    if (known === undefined || !isAbsentThere(error)) throw error
    const other = await findAnyRef(git, folder, remote, left())
    await fetchRefs(git, folder, remote, left(), other)
  }
}

/** For one command after the other: what each of them took is not left to the next. */
export function withinOneLimit<T extends RemoteOptions>(options: T): () => T {
  const since = performance.now()
  return () => {
    const left = options.timeLimitMs - Math.floor(performance.now() - since)
    return { ...options, timeLimitMs: Math.max(1, left) }
  }
}

export interface FetchOptions extends RemoteOptions {
  readonly prune: boolean
  /** A full name. */
  readonly known?: string | undefined
}

async function fetchRefs(
  git: Git,
  folder: string,
  remote: Remote,
  { prune, ...options }: FetchOptions,
  required: string | undefined,
): Promise<void> {
  const command = ['fetch', '--quiet', '--atomic', '--force', '--no-tags', '--no-write-fetch-head']
  const apart = ['--no-auto-maintenance', '--no-recurse-submodules', ...(prune ? ['--prune'] : [])]
  const refs = required === undefined ? mirrored : [...mirrored, `+${required}:${required}`]
  const parameters = [...command, ...apart, '--', remote.url, ...refs]
  await changingRefs(folder, () => runRemote(git, folder, remote, parameters, options))
}

/** Git fetches nothing, and takes nothing away, when what it is to fetch by name is not there. */
function isAbsentThere(error: unknown): boolean {
  return error instanceof GitError && error.message.includes("couldn't find remote ref")
}

async function findAnyRef(
  git: Git,
  folder: string,
  remote: Remote,
  options: RemoteOptions,
): Promise<string> {
  const kinds = ['refs/heads/*', 'refs/tags/*', 'refs/notes/*']
  const asked = ['ls-remote', '--refs', '--', remote.url, ...kinds]
  const text = await runRemote(git, folder, remote, asked, options)
  const name = /\t(refs\/.+)$/m.exec(text)?.[1]
  if (name === undefined) throw new GitError('fetch', 1, 'fatal: the remote shows no references')
  return name
}

/** Gives the lines of what git writes that are wanted. */
export async function runRemote(
  git: Git,
  folder: string,
  remote: Remote,
  parameters: readonly string[],
  { maxBytes, ...limits }: RemoteOptions,
  isWanted: (line: string) => boolean = () => true,
): Promise<string> {
  limits.signal.throwIfAborted()
  const environment = environmentOf(remote)
  const child = await git.start(folder, parameters, {
    environment,
    limits: { talkBytes: TALK_BYTES },
    ...leads(limits),
  })
  let excuse = ''
  const stop = (reason: string) => {
    excuse ||= reason
    endGroup(child)
  }
  endGroupWith(child, limits, stop)
  const tooLarge = () => stop('fatal: the repository is too large')
  const watch = setInterval(() => void watchSize(folder, maxBytes, tooLarge), WATCH_EVERY_MS)
  try {
    const { code, output, complaint } = await collect(child, isWanted)
    limits.signal.throwIfAborted()
    if (code === 0) return output
    throw new GitError(parameters[0] ?? '', code, excuse || presentable(complaint, folder, remote))
  } finally {
    clearInterval(watch)
  }
}

async function collect(child: LaunchedProcess, isWanted: (line: string) => boolean) {
  const [{ code, complaint }, lines] = await Promise.all([child.ended, readLines(child, isWanted)])
  return { code, output: lines.join('\n'), complaint }
}

async function readLines(
  child: LaunchedProcess,
  isWanted: (line: string) => boolean,
): Promise<readonly string[]> {
  const lines: string[] = []
  let size = 0
  for await (const line of splitLines(child.stdout as AsyncIterable<Buffer>)) {
    if (!isWanted(line)) continue
    size += line.length + 1
    if (size <= MAX_OUTPUT_BYTES) lines.push(line)
    else endGroup(child)
  }
  return lines
}

/** By way of the environment: what stands in the command line everybody on the machine can read. */
function environmentOf({
  isLocal,
  pin,
  username,
  password,
}: Remote): Readonly<Record<string, string>> {
  const settings: (readonly [string, string])[] = [
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    flushedTogether,
    ...harmless.map((name) => [`fetch.fsck.${name}`, 'ignore'] as const),
  ]
  if (pin !== undefined) settings.push(['http.curloptResolve', pin])
  const entries = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key] as const,
    [`GIT_CONFIG_VALUE_${index}`, value] as const,
  ])
  return {
    GIT_ALLOW_PROTOCOL: isLocal ? 'file' : 'http:https',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(entries),
    ...askPassEnvironment(username, password),
  }
}

/** What git says may be shown; who we are there, and where things lie here, may not. */
function presentable(text: string, folder: string, { url, isLocal, password }: Remote): string {
  const known = isLocal ? text.replaceAll(url, 'the repository') : text
  const clean = known.replace(/\/\/[^/@\s']+@/g, '//').replaceAll(folder, 'the repository')
  return password === '' ? clean : clean.replaceAll(password, '***')
}

async function watchSize(folder: string, maxBytes: number, stop: () => void): Promise<void> {
  if (maxBytes > 0 && (await sizeOf(join(folder, 'objects', 'pack'))) > maxBytes) stop()
}

async function sizeOf(folder: string): Promise<number> {
  let sum = 0
  for (const name of await readdir(folder).catch(() => [])) {
    sum += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0
  }
  return sum
}
