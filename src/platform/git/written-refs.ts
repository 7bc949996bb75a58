import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'

export interface WrittenRef {
  /** With its leading refs/. */
  readonly name: string
  readonly id: string
}

/** Git reads more than these faster than it takes to look at file after file. */
const MAX_SINGLE = 100
const MAX_PACKED_BYTES = 1024 * 1024

/** Of other names bytes decide about the order. */
const plainName = /^[\x21-\x7e]+$/
const plainId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

/**
 * All refs in git's order, read as git writes them down, which takes less time than to start it.
 * Undefined where that is not simple. Single files first, since git packs a ref before it removes
 * its file.
 */
export async function readWrittenRefs(folder: string): Promise<readonly WrittenRef[] | undefined> {
  const names = await listSingle(folder, 'refs')
  if (names.length > MAX_SINGLE) return undefined
  const single = await Promise.all(names.map((name) => readSingle(folder, name)))
  const packed = await readPacked(folder)
  if (!packed) return undefined
  const ids = new Map([...packed, ...single.filter((ref) => ref !== undefined)])
  const refs = [...ids].map(([name, id]) => ({ name, id }))
  const isSimple = refs.every(({ name, id }) => plainName.test(name) && plainId.test(id))
  return isSimple ? refs.sort((one, other) => (one.name < other.name ? -1 : 1)) : undefined
}

/** The names of the branches. */
export async function listBranchNames(folder: string): Promise<readonly string[]> {
  const heads = 'refs/heads/'
  const single = await listSingle(folder, heads.slice(0, -1))
  const packed = parsePacked(await readPackedFile(folder)).map(([name]) => name)
  const branches = [...single, ...packed.filter((name) => name.startsWith(heads))]
  return [...new Set(branches.map((name) => name.slice(heads.length)))].sort()
}

/** What is about to change has a lock beside it, and no ref can be called so. */
async function listSingle(folder: string, name: string): Promise<readonly string[]> {
  const entries = (await unlessGone(readdir(join(folder, name), { withFileTypes: true }))) ?? []
  const names = entries.map(async (entry) => {
    const path = `${name}/${entry.name}`
    if (entry.isDirectory()) return listSingle(folder, path)
    return path.endsWith('.lock') ? [] : [path]
  })
  return (await Promise.all(names)).flat()
}

type Pair = readonly [name: string, id: string]

/** What another ref is named in is no id. */
async function readSingle(folder: string, name: string): Promise<Pair | undefined> {
  const text = await unlessGone(readFile(join(folder, name), 'utf8'))
  return text === undefined ? undefined : [name, text.trimEnd()]
}

async function readPacked(folder: string): Promise<readonly Pair[] | undefined> {
  const found = await unlessGone(stat(join(folder, 'packed-refs')))
  if (found && found.size > MAX_PACKED_BYTES) return undefined
  return parsePacked(await readPackedFile(folder))
}

async function readPackedFile(folder: string): Promise<string> {
  return (await unlessGone(readFile(join(folder, 'packed-refs'), 'utf8'))) ?? ''
}

/** Between the refs stand lines for what tags lead to. */
function parsePacked(text: string): readonly Pair[] {
  const lines = text.matchAll(/^([0-9a-f]+) (refs\/.+)$/gm)
  return [...lines].map(([, id = '', name = '']) => [name, id])
}

/** Git removes files and folders that it needs no more. */
async function unlessGone<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
