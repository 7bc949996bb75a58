import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import { listRefs } from '../git/list-refs.ts'

/** Changes when any reference does. */
export async function digestOfRefs(ctx: Context, folder: string): Promise<string> {
  const refs = await listRefs(ctx.git, folder, 'refs/')
  const text = refs.map(({ name, id }) => `${name} ${id}`).join('\n')
  return createHash('sha256').update(text).digest('hex')
}
