import { readCommit } from '../../platform/git/history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import { findEntry, kindOf } from '../../platform/git/tree.ts'

/** More than this of .gitmodules is not read. */
const MAX_BYTES = 1024 * 1024

/** Where submodules come from, by their paths, as .gitmodules of a commit says. */
export async function readSubmoduleUrls(
  objects: ObjectReader,
  commitId: string,
): Promise<ReadonlyMap<string, string>> {
  const { treeId } = await readCommit(objects, commitId)
  const entry = await findEntry(objects, treeId, '.gitmodules')
  if (!entry || kindOf(entry) !== 'file') return new Map()
  const file = await objects.read(entry.id, MAX_BYTES)
  return file ? urlsIn(file.content.toString('utf8')) : new Map()
}

function urlsIn(text: string): ReadonlyMap<string, string> {
  const urls = new Map<string, string>()
  for (const section of text.split(/^\s*\[/m)) {
    const values = new Map(
      [...section.matchAll(/^\s*(path|url)\s*=\s*(.*?)\s*$/gm)].map(([, key, value]) => [
        key,
        value?.replace(/^"(.*)"$/, '$1'),
      ]),
    )
    const [path, url] = [values.get('path'), values.get('url')]
    if (path !== undefined && url !== undefined && !urls.has(path)) urls.set(path, url)
  }
  return urls
}
