import type { Context } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { readCommit } from '../../platform/git/history.ts'
import type { ObjectReader } from '../../platform/git/objects.ts'
import type { Commit } from '../../platform/git/parse.ts'
import { isRefName } from '../../platform/git/ref-name.ts'
import { findEntry } from '../../platform/git/tree.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { findNamedRevision, readingCode } from './code.ts'

const NOTES = 'refs/notes/commits'

export interface Note {
  readonly commit: Commit
  readonly message: string
}

/** What `git notes` has been told about a commit. */
export async function loadNote(ctx: Context, repo: Repository, name: string): Promise<Note> {
  if (!isRefName(name)) throw invalid(`no valid ref or sha: ${name}`)
  return readingCode(ctx, repo, async (objects) => {
    const revision = await findNamedRevision(objects, repo, name)
    if (!revision) throw notFound(`commit doesn't exist: ${name}`)
    const message = await findText(objects, revision.commitId)
    if (message === undefined) throw notFound(`commit doesn't have a note: ${name}`)
    return { commit: await readCommit(objects, revision.commitId), message }
  })
}

async function findText(objects: ObjectReader, id: string): Promise<string | undefined> {
  const notes = await objects.info(NOTES)
  if (notes?.type !== 'commit') return undefined
  const { treeId } = await readCommit(objects, notes.id)
  for (const path of placesOf(id)) {
    const entry = await findEntry(objects, treeId, path)
    const blob = entry && (await objects.read(entry.id))
    if (blob?.type === 'blob') return blob.content.toString('utf8')
  }
  return undefined
}

/** The more notes there are, the more folders git spreads them over. */
function placesOf(id: string): readonly string[] {
  const places = [id]
  for (let levels = 1; levels <= 3; levels++) {
    const folders = Array.from({ length: levels }, (_, level) => id.slice(level * 2, level * 2 + 2))
    places.push([...folders, id.slice(levels * 2)].join('/'))
  }
  return places
}
