import type { Setup } from '../commits/setup.ts'

export async function contentOf(
  { app, ann, path }: Setup,
  name: string,
  ref = '',
): Promise<unknown> {
  const { body } = await app.get(ann, `${path}/contents/${name}?ref=${ref}`)
  return typeof body.content === 'string'
    ? Buffer.from(body.content, 'base64').toString()
    : undefined
}

export async function countCommits({ app, ann, path }: Setup): Promise<number> {
  return Number((await app.get(ann, `${path}/commits`)).headers['x-total-count'])
}
