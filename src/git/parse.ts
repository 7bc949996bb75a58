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
  readonly payload: string
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

/** Of the year 9998: what is beyond cannot be written in every time zone. */
const LAST_SECOND = 253_370_764_799
const nobody: Signature = { name: '', email: '', at: 0, zone: 0 }

export function parseCommit({ id, content }: GitObject): Commit {
  const text = content.toString('utf8')
  const { headers, message } = splitHeaders(text)
  const values = (key: string) => headers.filter(([name]) => name === key).map(([, value]) => value)
  return {
    id,
    treeId: values('tree')[0] ?? '',
    parents: values('parent'),
    author: parseSignature(values('author')[0]),
    committer: parseSignature(values('committer')[0]),
    message,
    signed: signedCommit(text, values('gpgsig')[0] ?? values('gpgsig-sha256')[0]),
  }
}

export function parseTag({ id, content }: GitObject): Tag {
  const text = content.toString('utf8')
  const { headers, message } = splitHeaders(text)
  const fields = new Map(headers)
  const begin = message.search(/^-----BEGIN (?:PGP|SSH) SIGNATURE-----$/m)
  const plain = begin === -1 ? message : message.slice(0, begin)
  return {
    id,
    name: fields.get('tag') ?? '',
    target: {
      id: fields.get('object') ?? '',
      type: (fields.get('type') ?? 'commit') as ObjectType,
    },
    tagger: parseSignature(fields.get('tagger')),
    message: plain,
    signed:
      begin === -1
        ? undefined
        : {
            signature: message.slice(begin),
            payload: text.slice(0, text.length - message.length + begin),
          },
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
      mode: content.toString('latin1', at, space).padStart(6, '0'),
      name: content.toString('utf8', space + 1, end),
      id: content.toString('hex', end + 1, end + 1 + idBytes),
    })
    at = end + 1 + idBytes
  }
  return entries
}

function splitHeaders(text: string): { headers: [string, string][]; message: string } {
  const end = text.indexOf('\n\n')
  const head = end === -1 ? text : text.slice(0, end)
  const headers: [string, string][] = []
  // A line that begins with a space goes on with the header before it.
  for (const line of head.replace(/\n /g, '\0').split('\n')) {
    const [name = '', ...value] = line.split(' ')
    headers.push([name, value.join(' ').replaceAll('\0', '\n')])
  }
  return { headers, message: end === -1 ? '' : text.slice(end + 2) }
}

function parseSignature(line: string | undefined): Signature {
  const match = /^(.*?) ?<([^>]*)> (-?\d+) ([+-])(\d\d)(\d\d)$/.exec(line ?? '')
  if (!match) return nobody
  const [, name = '', email = '', at, sign, hours, minutes] = match
  const zone = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return { name, email, at: Math.min(Math.max(Number(at), 0), LAST_SECOND), zone }
}

/** What is signed is the commit without the signature. */
function signedCommit(text: string, signature: string | undefined): Signed | undefined {
  if (signature === undefined) return undefined
  const payload = text.replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/m, '')
  return { signature, payload }
}
