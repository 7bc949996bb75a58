import { hash } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import { listRefs } from '../../platform/git/list-refs.ts'

/** Changes when any reference does. */
export async function digestOfRefs(ctx: Context, folder: string): Promise<string> {
  const refs = await listRefs(ctx.git, folder, 'refs/')
  return digestOf(new Map(refs.map(({ name, id }) => [name, id])))
}

/** Of names and what they point at. */
export function digestOf(refs: ReadonlyMap<string, string>): string {
  return hash('sha256', Array.from(refs, ([name, id]) => `${name} ${id}`).join('\n'))
}
