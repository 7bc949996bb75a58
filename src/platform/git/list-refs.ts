import { keepWhileRefsStay } from './kept-refs.ts'
import type { ObjectType } from './objects.ts'
import type { Git } from './run.ts'

export interface Ref {
  /** With its leading refs/. */
  readonly name: string
  readonly id: string
  readonly type: ObjectType
  /** The ref that this one is only another name of. */
  readonly symbolic?: string
}

export interface ListRefsOptions {
  /** Of tags and of the commits of branches. */
  readonly newestFirst?: boolean
}

/**
 * Full names below one of the prefixes, or the prefix itself: whole parts of a name, so
 * `refs/heads/a` is not `refs/heads/ab`.
 */
export async function listRefs(
  git: Git,
  folder: string,
  prefixes: string | readonly string[],
  { newestFirst = false }: ListRefsOptions = {},
): Promise<readonly Ref[]> {
  const sort = newestFirst ? ['--sort=refname', '--sort=-creatordate'] : []
  const format = '--format=%(refname)%00%(objectname)%00%(objecttype)%00%(symref)'
  const text = await git.text(folder, ['for-each-ref', ...sort, format, ...[prefixes].flat()])
  return text === '' ? [] : text.split('\n').map(toRef)
}

/** What a list takes in memory for each ref, beside its name and id. */
const REF_BYTES = 150

/** Like `listRefs`, asked once for as long as none of them changes. */
export async function listKeptRefs(
  git: Git,
  folder: string,
  prefix: string,
  options: ListRefsOptions = {},
): Promise<readonly Ref[]> {
  // Git leaves these two where they are, however few refs are in them.
  const below = /^refs\/(?:heads|tags)(?=\/|$)/.exec(prefix)?.[0] ?? 'refs'
  const make = async () => {
    const value = await listRefs(git, folder, prefix, options)
    const weight = value.reduce((sum, { name, id }) => sum + name.length + id.length + REF_BYTES, 0)
    const leadsOut = ({ symbolic }: Ref) => symbolic && !symbolic.startsWith(`${below}/`)
    return { value, weight: value.some(leadsOut) ? Infinity : weight }
  }
  const question = `list ${prefix} ${options.newestFirst ?? false}`
  return keepWhileRefsStay(git, folder, question, make, below)
}

function toRef(line: string): Ref {
  const [name = '', id = '', type = '', symbolic = ''] = line.split('\0')
  return { name, id, type: type as ObjectType, ...(symbolic && { symbolic }) }
}
