import type { ObjectType } from './objects.ts'
import type { Git } from './run.ts'

export interface Ref {
  /** With its leading refs/. */
  readonly name: string
  readonly id: string
  readonly type: ObjectType
}

export interface ListRefsOptions {
  /** Of tags and of the commits of branches. */
  readonly newestFirst?: boolean
}

/** Full names below one of the prefixes, or the prefix itself: whole parts of a name, so `refs/heads/a` is not `refs/heads/ab`. */
export async function listRefs(
  git: Git,
  folder: string,
  prefixes: string | readonly string[],
  { newestFirst = false }: ListRefsOptions = {},
): Promise<readonly Ref[]> {
  const sort = newestFirst ? ['--sort=refname', '--sort=-creatordate'] : []
  const format = '--format=%(refname)%00%(objectname)%00%(objecttype)'
  const text = await git.text(folder, ['for-each-ref', ...sort, format, ...[prefixes].flat()])
  return text === '' ? [] : text.split('\n').map(toRef)
}

function toRef(line: string): Ref {
  const [name = '', id = '', type = ''] = line.split('\0')
  return { name, id, type: type as ObjectType }
}
