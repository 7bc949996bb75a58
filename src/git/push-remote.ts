import { mirrored, runRemote, withinOneLimit, type Remote, type RemoteOptions } from './remote.ts'
import type { Git } from './run.ts'

export interface PushOptions extends RemoteOptions {
  /** Throws when somebody may have begun to remove the repository. */
  readonly assertKept: () => Promise<void>
}

/** As many fit into a command line, whatever they are called. */
const DELETED_AT_ONCE = 200

const command = ['push', '--force', '--no-verify']

/**
 * The references of the remote become those here, unless there are none here. What goes there is named one by one, once
 * it is known that the repository was whole when git read it: to git, one that is being removed has fewer references.
 */
export async function pushRemote(
  git: Git,
  folder: string,
  remote: Remote,
  { assertKept, ...options }: PushOptions,
): Promise<void> {
  const left = withinOneLimit(options)
  const { hasAny, surplus } = await compareRefs(git, folder, remote, left())
  await assertKept()
  if (!hasAny) return
  const push = async (refs: readonly string[]) => {
    const parameters = [...command, '--quiet', '--', remote.url, ...refs]
    await runRemote(git, folder, remote, parameters, left())
  }
  const deletions = surplus.map((name) => `:${name}`)
  const last = deletions.splice(0, DELETED_AT_ONCE)
  while (deletions.length > 0) await push(deletions.splice(0, DELETED_AT_ONCE))
  await push([...mirrored, ...last])
}

interface Comparison {
  readonly hasAny: boolean
  /** What only the remote has. */
  readonly surplus: readonly string[]
}

async function compareRefs(
  git: Git,
  folder: string,
  remote: Remote,
  options: RemoteOptions,
): Promise<Comparison> {
  const asked = [...command, '--prune', '--dry-run', '--porcelain', '--', remote.url, ...mirrored]
  let hasAny = false
  const deleted = await runRemote(git, folder, remote, asked, options, (line) => {
    hasAny ||= line.includes('\trefs/')
    return line.startsWith('-\t:')
  })
  const surplus = [...deleted.matchAll(/^-\t:(.+)\t/gm)].map(([, name = '']) => name)
  return { hasAny, surplus }
}
