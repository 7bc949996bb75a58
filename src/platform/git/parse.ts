import { beginningOf } from '../parsing/beginning.ts'
import type { Identity } from './create.ts'
import type { GitObject, ObjectType } from './objects.ts'

export interface Signature extends Identity {
  /** Whole seconds since 1970. */
  readonly at: number
  /** Minutes east of Greenwich. */
  readonly zone: number
}

export interface Commit {
  readonly id: string
  readonly treeId: string
  readonly parents: readonly string[]
  readonly author: Signature
  readonly committer: Signature
  readonly message: string
  /** As it stands in the commit, and what it signs. */
  readonly signed: Signed | undefined
}

export interface Signed {
  readonly signature: string
  /** The very bytes: a text need not be UTF-8. */
  readonly payload: Buffer
}

export interface Tag {
  readonly id: string
  readonly name: string
  readonly target: { readonly id: string; readonly type: ObjectType }
  readonly tagger: Signature
  readonly message: string
  readonly signed: Signed | undefined
}

export interface TreeEntry {
  /** Six octal digits. */
  readonly mode: string
  readonly name: string
  readonly id: string
}

/** What an object of each type becomes; of a blob, its bytes are all there is. */
export interface ParsedObjects {
  readonly commit: Commit
  readonly tag: Tag
  readonly tree: readonly TreeEntry[]
}

/** Undefined when it is of another type. */
export function parseObject<Type extends keyof ParsedObjects>(
  type: Type,
  object: GitObject,
): ParsedObjects[Type] | undefined {
  return object.type === type ? parsers[type](object) : undefined
}

/** Of the year 9998: what is beyond cannot be written in every time zone. */
const LAST_SECOND = 253_370_764_799
/** More than people and programs write into a commit or a tag. */
const MAX_HEAD = 256 * 1024
const MAX_MESSAGE = 1024 * 1024
const MAX_NAME = 1024
const nobody: Signature = { name: '', email: '', at: 0, zone: 0 }

export function parseCommit({ id, content }: GitObject): Commit {
  const { headers, message } = splitHeaders(content)
  const values = (key: string) => headers.filter(([name]) => name === key).map(([, value]) => value)
  return {
    id,
    treeId: values('tree')[0] ?? '',
    parents: values('parent'),
    author: parseSignature(values('author')[0]),
    committer: parseSignature(values('committer')[0]),
    message,
    // With two, git takes both for one signature, which is none then.
    signed: signedCommit(content, values(signatureHeader(id)).join('\n')),
  }
}

export function parseTag({ id, content }: GitObject): Tag {
  const signed = signedTag(content)
  const { headers, message } = splitHeaders(signed?.payload ?? content)
  const fields = new Map(headers)
  return {
    id,
    name: fields.get('tag') ?? '',
    target: {
      id: fields.get('object') ?? '',
      type: (fields.get('type') ?? 'commit') as ObjectType,
    },
    tagger: parseSignature(fields.get('tagger')),
    message,
    signed,
  }
}

/** `<mode> <name>\0<id>`, again and again; the ids are as long as the object format makes them. */
export function parseTree({ id, content }: GitObject): readonly TreeEntry[] {
  const idBytes = id.length / 2
  const entries: TreeEntry[] = []
  let at = 0
  while (at < content.length) {
    const space = content.indexOf(32, at)
    const end = content.indexOf(0, space)
    entries.push({
      mode: usualMode(content.toString('latin1', at, space)),
      name: content.toString('utf8', space + 1, end),
      id: content.toString('hex', end + 1, end + 1 + idBytes),
    })
    at = end + 1 + idBytes
  }
  return entries
}

/** Old versions of git have written others, which git takes for one of these. */
function usualMode(mode: string): string {
  const bits = Number.parseInt(mode, 8)
  const kind = bits & 0o170000
  if (kind === 0o100000) return (bits & 0o100) === 0 ? '100644' : '100755'
  if (kind === 0o120000) return '120000'
  return kind === 0o040000 ? '040000' : '160000'
}

const parsers: {
  readonly [Type in keyof ParsedObjects]: (object: GitObject) => ParsedObjects[Type]
} = { commit: parseCommit, tag: parseTag, tree: parseTree }

/** Of what is longer the beginning: whoever wants all of it asks git. */
function splitHeaders(content: Buffer): { headers: [string, string][]; message: string } {
  const end = content.indexOf('\n\n')
  const bytes = end === -1 ? content : content.subarray(0, end)
  const head = bytes.toString('utf8', 0, MAX_HEAD)
  const headers: [string, string][] = []
  // A line that begins with a space goes on with the header before it.
  for (const line of head.replace(/\n /g, '\0').split('\n')) {
    const [name = '', ...value] = line.split(' ')
    headers.push([name, value.join(' ').replaceAll('\0', '\n')])
  }
  return { headers, message: end === -1 ? '' : messageOf(content.subarray(end + 2)) }
}

function messageOf(content: Buffer): string {
  return beginningOf(content.toString('utf8', 0, MAX_MESSAGE + 4), MAX_MESSAGE)
}

function parseSignature(line: string | undefined): Signature {
  const match = /^(.*?) ?<([^>]*)> (-?\d+) ([+-])(\d\d)(\d\d)$/.exec(line ?? '')
  if (!match) return nobody
  const [, name = '', email = '', at, sign, hours, minutes] = match
  const zone = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const person = { name: beginningOf(name, MAX_NAME), email: beginningOf(email, MAX_NAME) }
  return { ...person, at: Math.min(Math.max(Number(at), 0), LAST_SECOND), zone }
}

/** Each object format has a header of its own, so that a commit can be signed in both. */
function signatureHeader(id: string): string {
  return id.length === 64 ? 'gpgsig-sha256' : 'gpgsig'
}

/** What is signed is the commit without any of its signatures. */
function signedCommit(content: Buffer, signature: string): Signed | undefined {
  if (signature === '') return undefined
  const end = content.indexOf('\n\n') + 1
  const head = content.toString('latin1', 0, end || content.length)
  const unsigned = head.replace(/(?<=^|\n)gpgsig[^\n]*\n(?: [^\n]*\n)*/g, '')
  const payload = [Buffer.from(unsigned, 'latin1'), content.subarray(head.length)]
  return { signature, payload: inOwnMemory(Buffer.concat(payload)) }
}

const markers = ['PGP SIGNATURE', 'PGP MESSAGE', 'SSH SIGNATURE', 'SIGNED MESSAGE']

/** In a tag the signature stands last, after all that it signs. */
function signedTag(content: Buffer): Signed | undefined {
  const begins = markers.map((marker) => content.lastIndexOf(`\n-----BEGIN ${marker}-----`))
  const begin = Math.max(...begins) + 1
  if (begin === 0) return undefined
  const payload = inOwnMemory(content.subarray(0, begin))
  return { signature: content.toString('utf8', begin), payload }
}

/** Small buffers share memory, all of which stays as long as one of them is kept. */
function inOwnMemory(bytes: Buffer): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer)
}
