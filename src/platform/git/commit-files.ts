import { changingRefs, isOutrun } from './changing-refs.ts'
import { data, quotePath } from './create.ts'
import type { Signature } from './parse.ts'
import { GitError, type Git } from './run.ts'
import { readTip } from './tip.ts'

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
 * The id; or that the branch has moved on meanwhile; or that its name stands in the way of
 * another's, as `a` does of `a/b`. In both of these cases nothing has changed.
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
  const input = Buffer.concat([...instructions(commit)])
  const run = () => git.text(folder, ['fast-import', '--quiet', ...force], { input })
  try {
    return { kind: 'written', id: firstLine(await changingRefs(folder, run)) }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (/exists; cannot create/.test(error.message)) return { kind: 'taken' }
    if (isOutrun(error)) return { kind: 'moved' }
    const id = firstLine(error.output)
    // Git that is killed, or fails after its work, may have moved the branch.
    if (id !== '' && (await readTip(folder, commit.branch)) === id) return { kind: 'written', id }
    throw error
  }
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
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
