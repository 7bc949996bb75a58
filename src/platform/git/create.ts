import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { ObjectFormat } from '../db/columns.ts'
import { hasCode } from '../errors.ts'
import { assertMarked } from '../storage/mark.ts'
import { configTexts } from './repository-config.ts'
import type { Git } from './run.ts'

/**
 * An empty repository in `folder`: the few files that git itself would write, without its sample
 * hooks.
 */
export async function createRepositoryFolder(
  folder: string,
  { branch, objectFormat }: { branch: string; objectFormat: ObjectFormat },
): Promise<void> {
  // Below an empty mount point nobody would find it again.
  assertMarked(dirname(dirname(folder)))
  for (const inner of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags']) {
    await makeFolder(join(folder, inner))
  }
  await writeFile(join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`, { flush: true })
  await writeFile(join(folder, 'config'), configTexts[objectFormat], { flush: true })
  await flushFolder(folder)
  await flushFolder(dirname(folder))
}

/**
 * Where others may make it too: a repository is there as a whole or not at all, and the first one
 * stays.
 */
export async function createRepositoryOnce(
  folder: string,
  draft: string,
  options: { branch: string; objectFormat: ObjectFormat },
): Promise<void> {
  try {
    await createRepositoryFolder(draft, options)
    await rename(draft, folder)
  } catch (error) {
    await removeRepositoryFolder(draft)
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
  await flushFolder(dirname(folder))
}

/** Again, if somebody put something into it meanwhile. */
export async function removeRepositoryFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

export interface Identity {
  readonly name: string
  readonly email: string
}

export interface NewFile {
  readonly path: string
  readonly content: Uint8Array | string
  readonly mode?: '100644' | '100755' | '120000' | '160000'
}

export interface FirstCommit {
  readonly branch: string
  readonly message: string
  readonly author: Identity
  /** Whole seconds since 1970. */
  readonly at: number
  readonly files: readonly NewFile[]
}

/** Writes one commit without parents, by one git process. */
export async function importFirstCommit(
  git: Git,
  folder: string,
  commit: FirstCommit,
): Promise<void> {
  await git.run(folder, ['fast-import', '--quiet', '--force'], {
    input: Buffer.concat([...instructions(commit)]),
  })
}

function* instructions({ branch, message, author, at, files }: FirstCommit): Generator<Buffer> {
  const who = `${author.name} <${author.email}> ${at} +0000`
  yield Buffer.from(`feature done\ncommit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\n`)
  yield data(message)
  for (const { path, content, mode = '100644' } of files) {
    yield Buffer.from(`M ${mode} inline ${quotePath(path)}\n`)
    yield data(content)
  }
  yield Buffer.from('done\n')
}

/** Bytes as fast-import reads them. */
export function data(content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

/** In C style, so that no character of a path can end its line. */
export function quotePath(path: string): string {
  const quoted = path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')
  return `"${quoted}"`
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
