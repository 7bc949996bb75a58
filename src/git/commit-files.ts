import { data, quotePath } from './create.ts'
import type { Signature } from './parse.ts'
import { GitError, type Git } from './run.ts'

export interface WrittenFile {
  readonly path: string
  /** Bytes, or the id of a blob that is there already; neither for a file that is removed. */
  readonly content: Uint8Array | string | undefined
  readonly mode: string
}

export interface NewCommit {
  readonly branch: string
  /** The commit it is built on; none for the first one. */
  readonly parent: string | undefined
  readonly message: string
  readonly author: Signature
  readonly committer: Signature
  readonly files: readonly WrittenFile[]
  /** Whether the branch may lose commits by it. */
  readonly force?: boolean
}

/**
 * The id; or that the branch has moved on meanwhile; or that its name stands in the way of another's, as `a`
 * does of `a/b`. In both of these cases nothing has changed.
 */
export type CommitOutcome =
  | { readonly kind: 'written'; readonly id: string }
  | { readonly kind: 'moved' | 'taken' }

/** Writes one commit and moves the branch to it, by one git process. */
export async function commitFiles(
  git: Git,
  folder: string,
  commit: NewCommit,
): Promise<CommitOutcome> {
  const force = commit.force ? ['--force'] : []
  try {
    const output = await git.text(folder, ['fast-import', '--quiet', ...force], {
      input: Buffer.concat([...instructions(commit)]),
    })
    return { kind: 'written', id: output.split('\n')[0] ?? '' }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (/exists; cannot create/.test(error.message)) return { kind: 'taken' }
    if (/not updating|cannot lock ref/i.test(error.message)) return { kind: 'moved' }
    throw error
  }
}

function* instructions(commit: NewCommit): Generator<Buffer> {
  const { branch, parent, message, author, committer, files } = commit
  yield Buffer.from(`feature done\nfeature get-mark\ncommit refs/heads/${branch}\nmark :1\n`)
  yield Buffer.from(`author ${signatureLine(author)}\ncommitter ${signatureLine(committer)}\n`)
  yield data(message)
  if (parent !== undefined) yield Buffer.from(`from ${parent}\n`)
  for (const file of files) yield* change(file)
  yield Buffer.from('\nget-mark :1\ndone\n')
}

function* change({ path, content, mode }: WrittenFile): Generator<Buffer> {
  if (content === undefined) return yield Buffer.from(`D ${quotePath(path)}\n`)
  if (typeof content === 'string') {
    return yield Buffer.from(`M ${mode} ${content} ${quotePath(path)}\n`)
  }
  yield Buffer.from(`M ${mode} inline ${quotePath(path)}\n`)
  yield data(content)
}

/** As it stands in a commit: name, address, seconds, time zone. */
export function signatureLine({ name, email, at, zone }: Signature): string {
  const minutes = Math.abs(zone)
  const digits = (number: number) => String(Math.floor(number)).padStart(2, '0')
  const offset = `${zone < 0 ? '-' : '+'}${digits(minutes / 60)}${digits(minutes % 60)}`
  return `${name} <${email}> ${at} ${offset}`
}
