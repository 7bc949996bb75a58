import { readCommit } from '../git/history.ts'
import type { ObjectReader } from '../git/objects.ts'
import { findEntry, kindOf } from '../git/tree.ts'

/** More than this of .gitmodules is not read. */
const MAX_BYTES = 1024 * 1024

/** Where the submodule at `path` comes from, as .gitmodules of the same commit says. */
export async function findSubmoduleUrl(
  objects: ObjectReader,
  commitId: string,
  path: string,
): Promise<string | undefined> {
  const { treeId } = await readCommit(objects, commitId)
  const entry = await findEntry(objects, treeId, '.gitmodules')
  if (!entry || kindOf(entry) !== 'file') return undefined
  const file = await objects.read(entry.id, MAX_BYTES)
  return file && urlIn(file.content.toString('utf8'), path)
}

function urlIn(text: string, path: string): string | undefined {
  for (const section of text.split(/^\s*\[/m)) {
    const values = new Map(
      [...section.matchAll(/^\s*(path|url)\s*=\s*(.*?)\s*$/gm)].map(([, key, value]) => [
        key,
        value?.replace(/^"(.*)"$/, '$1'),
      ]),
    )
    if (values.get('path') === path) return values.get('url')
  }
  return undefined
}
