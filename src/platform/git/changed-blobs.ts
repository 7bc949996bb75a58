import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'
import { kindOf } from './tree.ts'

export interface ChangedFile {
  readonly path: string
  readonly id: string
}

export interface ChangedFiles {
  /** As they were in the first tree, where they differ. */
  readonly removed: readonly ChangedFile[]
  /** As they are in the second one. */
  readonly added: readonly ChangedFile[]
}

/**
 * The files that differ between two trees, without links; nothing where these are more than `most`.
 */
export async function listChangedFiles(
  git: Git,
  folder: string,
  from: string,
  to: string,
  most: number,
): Promise<ChangedFiles | undefined> {
  const command = ['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to]
  const removed: ChangedFile[] = []
  const added: ChangedFile[] = []
  let about: string | undefined
  for await (const text of splitAtNul(gitOutput(git, folder, command))) {
    if (about === undefined) {
      about = text
      continue
    }
    const [before = '', after = '', oldId = '', newId = ''] = about.slice(1).split(' ')
    if (isFile(before)) removed.push({ path: text, id: oldId })
    if (isFile(after)) added.push({ path: text, id: newId })
    if (removed.length + added.length > most) return undefined
    about = undefined
  }
  return { removed, added }
}

function isFile(mode: string): boolean {
  return mode !== '000000' && kindOf({ mode }) === 'file'
}
