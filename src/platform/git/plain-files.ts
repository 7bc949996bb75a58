import { open, readdir, readFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { hasCode } from '../errors.ts'
import { HIDDEN_REFS } from './environment.ts'
import type { Git } from './run.ts'

/** The files below `objects` that a client may ask for, by the names that git gives them. */
const kinds: readonly (readonly [name: RegExp, type: string])[] = [
  [/^[0-9a-f]{2}\/(?:[0-9a-f]{38}|[0-9a-f]{62})$/, 'application/x-git-loose-object'],
  [/^pack\/pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.pack$/, 'application/x-git-packed-objects'],
  [/^pack\/pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.idx$/, 'application/x-git-packed-objects-toc'],
]

/** The branch that is checked out, as git writes it down. */
export async function readHeadFile(folder: string): Promise<string> {
  return readFile(join(folder, 'HEAD'), 'utf8')
}

/** Each ref by its id, and a tag with an id of its own by that of what it tags too. */
export async function listRefLines(git: Git, folder: string): Promise<string> {
  const peeled = '%(if)%(*objectname)%(then)%0a%(*objectname)%09%(refname)^{}%(end)'
  const format = `--format=%(objectname)%09%(refname)${peeled}`
  const text = await git.text(folder, ['for-each-ref', format])
  return linesOf(
    text.split('\n').filter((line) => line !== '' && !line.includes(`\t${HIDDEN_REFS}`)),
  )
}

/** The packs, and an empty line behind them. */
export async function listPackLines(folder: string): Promise<string> {
  const names = await readdir(join(folder, 'objects', 'pack'))
  const packs = names.filter((name) => name.endsWith('.pack') && typeOf(`pack/${name}`))
  return `${linesOf(packs.map((name) => `P ${name}`))}\n`
}

export interface ObjectFile {
  readonly type: string
  readonly size: number
  readonly content: Readable
}

/** What git has stored under this name below `objects`, as it stores it. */
export async function openObjectFile(
  folder: string,
  name: string,
): Promise<ObjectFile | undefined> {
  const type = typeOf(name)
  const file = type && (await openIfThere(join(folder, 'objects', name)))
  if (!type || !file) return undefined
  const { size } = await file.stat()
  return { type, size, content: file.createReadStream() }
}

function typeOf(name: string): string | undefined {
  return kinds.find(([pattern]) => pattern.test(name))?.[1]
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function linesOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
