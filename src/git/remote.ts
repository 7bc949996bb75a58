import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectFormat } from '../db/columns.ts'
import { askPassEnvironment } from './ask-pass.ts'
import { changingRefs } from './changing-refs.ts'
import { flushedTogether } from './environment.ts'
import { endGroup, endGroupWith, leads } from './group.ts'
import type { LaunchedProcess } from './launcher.ts'
import { GitError, type Git } from './run.ts'

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

const mirrored = ['heads', 'tags', 'notes'].map((kind) => `+refs/${kind}/*:refs/${kind}/*`)

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

/** The references here become those of the remote, all or none; those that it has no more go only with `prune`. */
export async function fetchRemote(
  git: Git,
  folder: string,
  remote: Remote,
  { prune, ...options }: RemoteOptions & { readonly prune: boolean },
): Promise<void> {
  const command = ['fetch', '--quiet', '--atomic', '--force', '--no-tags', '--no-write-fetch-head']
  const apart = ['--no-auto-maintenance', '--no-recurse-submodules', ...(prune ? ['--prune'] : [])]
  const parameters = [...command, ...apart, '--', remote.url, ...mirrored]
  await changingRefs(folder, () => runRemote(git, folder, remote, parameters, options))
}

/** The references of the remote become those here. */
export async function pushRemote(
  git: Git,
  folder: string,
  remote: Remote,
  options: RemoteOptions,
): Promise<void> {
  const command = ['push', '--quiet', '--force', '--prune', '--no-verify', '--', remote.url]
  await runRemote(git, folder, remote, [...command, ...mirrored], options)
}

async function runRemote(
  git: Git,
  folder: string,
  remote: Remote,
  parameters: readonly string[],
  { maxBytes, ...limits }: RemoteOptions,
): Promise<string> {
  limits.signal.throwIfAborted()
  const environment = environmentOf(remote)
  const child = await git.start(folder, parameters, { environment, ...leads(limits) })
  let excuse = ''
  const stop = (reason: string) => {
    excuse ||= reason
    endGroup(child)
  }
  endGroupWith(child, limits, stop)
  const tooLarge = () => stop('fatal: the repository is too large')
  const watch = setInterval(() => void watchSize(folder, maxBytes, tooLarge), WATCH_EVERY_MS)
  try {
    const { code, output, complaint } = await collect(child)
    limits.signal.throwIfAborted()
    if (code === 0) return output
    throw new GitError(parameters[0] ?? '', code, excuse || presentable(complaint, folder, remote))
  } finally {
    clearInterval(watch)
  }
}

async function collect(child: LaunchedProcess) {
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk)
    else endGroup(child)
  })
  const { code, complaint } = await child.ended
  return { code, output: Buffer.concat(chunks).toString('utf8'), complaint }
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
