import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Git } from './run.ts'
import { gitOutput, splitAtNul } from './stream.ts'

/** Where a `.gitattributes` lies, and the blob that it is. */
export interface AttributesFile {
  readonly path: string
  readonly id: string
}

export interface AttributesQuestion {
  readonly files: readonly AttributesFile[]
  readonly names: readonly string[]
  readonly timeLimitMs: number
}

export type ReadAttributes = (
  paths: readonly string[],
) => Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>

/**
 * Does `work` with a function that says what these files say of paths, by path and by name. Git
 * reads them from an index that has nothing else: versions before 2.40 cannot read them from a
 * tree.
 */
export async function withAttributes<T>(
  git: Git,
  folder: string,
  { files, names, timeLimitMs }: AttributesQuestion,
  work: (read: ReadAttributes) => Promise<T>,
): Promise<T> {
  // Git's own name for what is not finished: copies leave it out, and sweeps remove it.
  const place = await mkdtemp(join(folder, 'objects', 'tmp_attributes-'))
  const environment = { GIT_INDEX_FILE: join(place, 'index') }
  try {
    const input = files.map(({ path, id }) => `100644 ${id} 0\t${path}\0`).join('')
    await git.run(folder, ['update-index', '-z', '--index-info'], { environment, input })
    return await work(async (paths) => {
      const command = ['check-attr', '--cached', '--stdin', '-z', ...names]
      const asked = paths.map((path) => `${path}\0`).join('')
      return collect(gitOutput(git, folder, command, { environment, input: asked, timeLimitMs }))
    })
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** `path NUL name NUL value NUL`, for each path and name. */
async function collect(
  output: AsyncIterable<Buffer>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const found = new Map<string, Map<string, string>>()
  let parts: string[] = []
  for await (const part of splitAtNul(output)) {
    parts.push(part)
    if (parts.length < 3) continue
    const [path = '', name = '', value = ''] = parts
    parts = []
    if (value === 'unspecified') continue
    const values = found.get(path) ?? new Map<string, string>()
    values.set(name, value)
    found.set(path, values)
  }
  return found
}
