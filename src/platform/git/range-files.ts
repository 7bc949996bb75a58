import { diffForm } from './diff-form.ts'
import type { Comparison } from './diff.ts'
import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'
import { whitespaceOptions, type Whitespace } from './whitespace.ts'

export interface ComparedFile {
  readonly path: string
  /** Where it was before, when it moved. */
  readonly previousPath: string | undefined
  /** Unchanged is a file of which only the mode differs. */
  readonly kind: 'added' | 'changed' | 'deleted' | 'renamed' | 'copied' | 'unchanged'
  readonly additions: number
  readonly deletions: number
}

/** The files that differ between two commits, in the order of paths. */
export async function listComparedFiles(
  git: Git,
  folder: string,
  { base, head }: Comparison,
  whitespace: Whitespace = 'show-all',
): Promise<readonly ComparedFile[]> {
  const form = ['-r', '-z', ...diffForm, '--raw', '--numstat', ...whitespaceOptions[whitespace]]
  const output = gitOutput(git, folder, ['diff-tree', ...form, base, head, '--'])
  const texts: string[] = []
  for await (const text of splitAtNul(output)) texts.push(text)
  return read(texts)
}

/** The numbers of a moved file, whose paths follow. */
const counted = /^\S+\t\S+\t$/

/**
 * First `:modes ids letter` and its paths for each file, then `added deleted path`; a moved file
 * has two paths.
 */
function read(texts: readonly string[]): readonly ComparedFile[] {
  const files: Omit<ComparedFile, 'additions' | 'deletions'>[] = []
  const lines = new Map<string, { additions: number; deletions: number }>()
  for (let at = 0; at < texts.length;) {
    const text = texts[at] ?? ''
    const isMove = text.startsWith(':') ? /[RC]\d*$/.test(text) : counted.test(text)
    if (text.startsWith(':')) {
      const [path = '', to] = texts.slice(at + 1, at + (isMove ? 3 : 2))
      const previousPath = isMove ? path : undefined
      files.push({ path: to ?? path, previousPath, kind: kindOf(text) })
      at += isMove ? 3 : 2
    } else {
      const [, additions, deletions, path = ''] = /^(\S+)\t(\S+)\t(.*)$/s.exec(text) ?? []
      lines.set(isMove ? (texts[at + 2] ?? '') : path, {
        additions: Number(additions) || 0,
        deletions: Number(deletions) || 0,
      })
      at += isMove ? 3 : 1
    }
  }
  return files.map((file) => ({ additions: 0, deletions: 0, ...file, ...lines.get(file.path) }))
}

function kindOf(raw: string): ComparedFile['kind'] {
  const [, , before, after, letter = ''] = raw.split(' ')
  switch (letter[0]) {
    case 'A':
      return 'added'
    case 'D':
      return 'deleted'
    case 'R':
      return 'renamed'
    case 'C':
      return 'copied'
    default:
      return before === after ? 'unchanged' : 'changed'
  }
}
