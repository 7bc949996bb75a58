import { listRefs } from './list-refs.ts'
import { runRemote, withinOneLimit, type Remote, type RemoteOptions } from './remote.ts'
import { GitError, type Git } from './run.ts'

/** References by their full names, with what each leads to. */
export type RefMap = Readonly<Record<string, string>>

/** What a remote has of us. What else it has somebody else has put there. */
export interface KnownRefs {
  readonly pushed: RefMap
  /** What was on its way when a push broke off: any part of it may have arrived. */
  readonly tried: RefMap
}

export interface PushOptions extends RemoteOptions {
  /** Throws when somebody may have begun to remove the repository. */
  readonly assertKept: () => Promise<void>
  /** Undefined before the first push, which takes the place of whatever is there. */
  readonly known: KnownRefs | undefined
  /** Called before anything moves there, and once all of it has. */
  readonly remember: (known: KnownRefs) => Promise<void>
}

const kinds = ['refs/heads', 'refs/tags', 'refs/notes']
/** As many fit into a command line, whatever they are called. */
const REFS_AT_ONCE = 200
const SHOWN = 5

/**
 * The references of the remote become those here, unless there are none here. What goes there is
 * named one by one, once it is known that the repository was whole when git read it: to git, one
 * that is being removed has fewer references. What somebody else has changed there stays as it is,
 * and is told.
 */
export async function pushRemote(
  git: Git,
  folder: string,
  remote: Remote,
  { assertKept, known, remember, ...options }: PushOptions,
): Promise<void> {
  const left = withinOneLimit(options)
  const here = await readRefs(git, folder)
  const there = await readRemoteRefs(git, folder, remote, left())
  await assertKept()
  if (Object.keys(here).length === 0) return
  if (known) assertOurs(here, there, known)
  await remember({ pushed: there, tried: here })
  const changes = changesBetween(here, there)
  while (changes.length > 0) {
    const some = changes.splice(0, REFS_AT_ONCE)
    const leases = some.map(({ name, lease }) => `--force-with-lease=${name}:${lease}`)
    const specs = some.map(({ name, to }) => `${to}:${name}`)
    const command = ['push', '--no-verify', '--quiet', ...leases, '--', remote.url, ...specs]
    await runRemote(git, folder, remote, command, left())
  }
  await remember({ pushed: here, tried: {} })
}

async function readRefs(git: Git, folder: string): Promise<RefMap> {
  const refs = await listRefs(git, folder, kinds)
  return Object.fromEntries(refs.map(({ name, id }) => [name, id]))
}

async function readRemoteRefs(
  git: Git,
  folder: string,
  remote: Remote,
  options: RemoteOptions,
): Promise<RefMap> {
  const patterns = kinds.map((kind) => `${kind}/*`)
  const asked = ['ls-remote', '--refs', '--', remote.url, ...patterns]
  const text = await runRemote(git, folder, remote, asked, options)
  const lines = text.matchAll(/^([0-9a-f]+)\t(refs\/.+)$/gm)
  return Object.fromEntries([...lines].map(([, id = '', name = '']) => [name, id]))
}

/** What was pushed, or was on its way, is ours; and what is here already is nobody's loss. */
function assertOurs(here: RefMap, there: RefMap, { pushed, tried }: KnownRefs): void {
  const names = new Set([...Object.keys(there), ...Object.keys(pushed)])
  const brokeOff = Object.keys(tried).length > 0
  const others = [...names].filter((name) => {
    const ours = [pushed[name], here[name], ...(brokeOff ? [tried[name]] : [])]
    return !ours.includes(there[name])
  })
  if (others.length === 0) return
  const shown = others.slice(0, SHOWN).join(', ')
  const more = others.length > SHOWN ? ` and ${others.length - SHOWN} more` : ''
  throw new GitError(
    'push',
    1,
    `fatal: the remote was changed by somebody else, and nothing was pushed: ${shown}${more}`,
  )
}

interface Change {
  readonly name: string
  /** Empty where the reference goes. */
  readonly to: string
  /** What the remote has to have still; empty for nothing. */
  readonly lease: string
}

function changesBetween(here: RefMap, there: RefMap): Change[] {
  const names = new Set([...Object.keys(here), ...Object.keys(there)])
  return [...names]
    .filter((name) => here[name] !== there[name])
    .map((name) => ({ name, to: here[name] ?? '', lease: there[name] ?? '' }))
}
