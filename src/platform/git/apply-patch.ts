import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WrittenFile } from './commit-files.ts'
import { GitError, type Git, type GitOptions } from './run.ts'

export interface PatchLimits {
  readonly maxFiles: number
  /** Of one file, as it is then. */
  readonly maxFileBytes: number
  /** Of all of them. */
  readonly maxBytes: number
}

/** The files as they are then, or why the patch cannot be applied. */
export type PatchOutcome =
  | { readonly kind: 'applied'; readonly files: readonly WrittenFile[] }
  | { readonly kind: 'refused' | 'too-large'; readonly reason: string }

/**
 * What a patch makes of a tree, or of nothing. There is no working tree, and what git writes
 * meanwhile is gone afterwards: the repository stays as it is.
 */
export async function applyPatch(
  git: Git,
  folder: string,
  treeId: string | undefined,
  patch: string,
  limits: PatchLimits,
): Promise<PatchOutcome> {
  const refusal = lookAt(patch, limits)
  if (refusal) return refusal
  // Among what git itself has not finished: copies leave it out, and should we die here it goes
  // with the garbage.
  const place = await mkdtemp(join(folder, 'objects', 'tmp_incoming-patch-'))
  try {
    const objects = join(place, 'objects')
    await mkdir(objects)
    const environment = {
      GIT_INDEX_FILE: join(place, 'index'),
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(folder, 'objects')),
    }
    const run: Run = (parameters, input) =>
      git.run(folder, parameters, { environment, ...(input === undefined ? {} : { input }) })
    return await applyIn(run, treeId, patch, limits)
  } catch (error) {
    return { kind: 'refused', reason: complaintOf(error) }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

type Run = (parameters: readonly string[], input?: GitOptions['input']) => Promise<Buffer>

/**
 * Git takes as much memory as a binary patch says that it needs; what comes of a delta, nobody sees
 * before.
 */
function lookAt(patch: string, { maxBytes }: PatchLimits): PatchOutcome | undefined {
  if (/^GIT binary patch\ndelta /m.test(patch)) {
    return { kind: 'refused', reason: 'binary files have to be given in full, not as deltas' }
  }
  const bytes = [...patch.matchAll(/^literal (\d+)$/gm)].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  )
  return bytes > maxBytes ? tooLarge(maxBytes) : undefined
}

function tooLarge(maxBytes: number): PatchOutcome {
  return { kind: 'too-large', reason: `the patch makes more than ${maxBytes} bytes` }
}

async function applyIn(
  run: Run,
  treeId: string | undefined,
  patch: string,
  limits: PatchLimits,
): Promise<PatchOutcome> {
  const touched = (await run(['apply', '--numstat', '-z'], patch)).toString('utf8').split('\0')
  if (touched.length - 1 > limits.maxFiles) {
    return { kind: 'too-large', reason: `the patch changes more than ${limits.maxFiles} files` }
  }
  const base = treeId ?? (await run(['hash-object', '-t', 'tree', '--stdin'], '')).toString().trim()
  await run(treeId === undefined ? ['read-tree', '--empty'] : ['read-tree', treeId])
  await run(['apply', '--cached', '--3way', '--recount', '--whitespace=nowarn'], patch)
  const listed = ['diff-index', '--cached', '--raw', '-z', '--no-renames', '--no-abbrev', base]
  return readFiles(run, parseChanges(await run(listed)), limits)
}

interface Change {
  readonly path: string
  readonly mode: string
  readonly before: string
  readonly after: string
}

/** As `:100644 100755 <id> <id> M`, then the path. */
function parseChanges(output: Buffer): readonly Change[] {
  const fields = output.toString('utf8').split('\0').slice(0, -1)
  const changes: Change[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', before = '', after = ''] = fields[at]?.split(' ') ?? []
    changes.push({ path: fields[at + 1] ?? '', mode, before, after })
  }
  return changes
}

async function readFiles(
  run: Run,
  changes: readonly Change[],
  { maxFileBytes, maxBytes }: PatchLimits,
): Promise<PatchOutcome> {
  const known = new Set(changes.map(({ before }) => before))
  const made = changes.filter(({ mode, after }) => isFile(mode) && !known.has(after))
  const ids = [...new Set(made.map(({ after }) => after))]
  const sizes = await readSizes(run, ids)
  if (Math.max(0, ...sizes) > maxFileBytes) return tooLarge(maxFileBytes)
  if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes) return tooLarge(maxBytes)
  const contents = await readContents(run, ids, sizes)
  const files = changes.map(({ path, mode, after }) => ({
    path,
    mode,
    content: isRemoved(mode) ? undefined : (contents.get(after) ?? after),
  }))
  // A file that is gone makes room for a folder of its name.
  const ordered = files.toSorted((a, b) => Number(isRemoved(b.mode)) - Number(isRemoved(a.mode)))
  return { kind: 'applied', files: ordered }
}

const isRemoved = (mode: string) => mode === '000000'

/** What a submodule is lies elsewhere. */
const isFile = (mode: string) => !isRemoved(mode) && mode !== '160000'

async function readSizes(run: Run, ids: readonly string[]): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const output = await run(['cat-file', '--batch-check=%(objectsize)'], `${ids.join('\n')}\n`)
  return output.toString('utf8').trim().split('\n').map(Number)
}

async function readContents(
  run: Run,
  ids: readonly string[],
  sizes: readonly number[],
): Promise<ReadonlyMap<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  if (ids.length === 0) return contents
  const output = await run(['cat-file', '--batch=%(objectname)'], `${ids.join('\n')}\n`)
  let at = 0
  for (const [index, id] of ids.entries()) {
    const begin = at + id.length + 1
    const end = begin + (sizes[index] ?? 0)
    contents.set(id, output.subarray(begin, end))
    at = end + 1
  }
  return contents
}

const saidByApply = /^git apply failed \(\d+\): (.*)$/s
const complaint = /^(?:error: (?!.*3-way merge)|(?=Applied patch to .* with conflicts))(.*)$/

/** What git says is wrong with the patch; anything else that went wrong is thrown on. */
function complaintOf(error: unknown): string {
  const [, said] = (error instanceof GitError && saidByApply.exec(error.message)) || []
  const complaints = said?.split('\n').flatMap((line) => complaint.exec(line)?.[1] ?? []) ?? []
  if (complaints.length === 0 || /No space left|unable to write/.test(said ?? '')) throw error
  return complaints.join('\n')
}
