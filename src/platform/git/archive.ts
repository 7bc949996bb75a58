import type { Git } from './run.ts'
import { DOWNLOAD_LIMIT_MS, gitOutput } from './stream.ts'

export const archiveFormats = ['zip', 'tar.gz', 'bundle'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]

export interface ArchiveOptions {
  readonly commitId: string
  /** The folder in which everything lies. */
  readonly prefix: string
  /** Only these parts of the tree. */
  readonly paths: readonly string[]
}

export function archive(
  git: Git,
  folder: string,
  format: ArchiveFormat,
  { commitId, prefix, paths }: ArchiveOptions,
): AsyncGenerator<Buffer> {
  if (format === 'bundle') return bundle(git, folder, commitId)
  const parameters = ['archive', `--format=${format}`, `--prefix=${prefix}/`, commitId]
  return gitOutput(git, folder, [...parameters, '--', ...paths], {
    environment: { GIT_LITERAL_PATHSPECS: '1' },
    timeLimitMs: DOWNLOAD_LIMIT_MS,
  })
}

/**
 * Git bundles references only; an id alone is given a name here, as a branch and as what is checked
 * out.
 */
async function* bundle(git: Git, folder: string, commitId: string): AsyncGenerator<Buffer> {
  const refs = `${commitId} refs/heads/bundle\n${commitId} HEAD\n\n`
  const version =
    commitId.length === 64 ? '# v3 git bundle\n@object-format=sha256\n' : '# v2 git bundle\n'
  yield Buffer.from(version + refs)
  yield* gitOutput(git, folder, ['pack-objects', '--revs', '--stdout', '--quiet'], {
    input: `${commitId}\n`,
    timeLimitMs: DOWNLOAD_LIMIT_MS,
  })
}
