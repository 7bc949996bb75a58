export type Side = 'old' | 'new'

/** A line of a difference, with its numbers on the sides where it is. */
export interface PatchLine {
  readonly kind: 'context' | 'added' | 'removed' | 'place' | 'note'
  readonly text: string
  readonly old?: number
  readonly new?: number
}

export interface FilePatch {
  readonly path: string
  /** Where it was before, when it moved. */
  readonly previousPath: string | undefined
  readonly kind: 'added' | 'removed' | 'renamed' | 'copied' | 'changed'
  readonly isBinary: boolean
  readonly lines: readonly PatchLine[]
  /** Whether it has more lines than were read. */
  readonly isCut: boolean
}

export interface Patch {
  readonly files: readonly FilePatch[]
  /** Whether there are more files than were read. */
  readonly isCut: boolean
}

export interface PatchLimits {
  readonly files: number
  readonly lines: number
  readonly linesOfFile: number
  readonly lineLength: number
}

/** Reads what `git diff` prints, as far as the limits go. */
export async function readPatch(lines: AsyncIterable<string>, limits: PatchLimits): Promise<Patch> {
  const files: PatchReader[] = []
  let left = limits.lines
  for await (const line of lines) {
    if (line.startsWith('diff --git ')) {
      if (files.length === limits.files || left <= 0)
        return { files: files.map(toPatch), isCut: true }
      files.push(new PatchReader(line.slice('diff --git '.length)))
    } else {
      const reader = files.at(-1)
      const isFull = reader && (left <= 0 || reader.lines.length >= limits.linesOfFile)
      if (isFull) reader.isCut = true
      else left -= reader?.read(line, limits.lineLength) ?? 0
    }
  }
  return { files: files.map(toPatch), isCut: false }
}

/** Reads a single place of a difference, with the line that says where it is. */
export function readHunk(
  text: string,
  { lineLength }: Pick<PatchLimits, 'lineLength'>,
): readonly PatchLine[] {
  const reader = new PatchReader('')
  for (const line of text === '' ? [] : text.split('\n')) reader.read(line, lineLength)
  return reader.lines
}

function toPatch({ path, previousPath, kind, isBinary, lines, isCut }: PatchReader): FilePatch {
  return { path, previousPath, kind, isBinary, lines, isCut }
}

const kinds: readonly (readonly [string, FilePatch['kind']])[] = [
  ['new file mode ', 'added'],
  ['deleted file mode ', 'removed'],
  ['rename from ', 'renamed'],
  ['copy from ', 'copied'],
]

class PatchReader implements FilePatch {
  path: string
  previousPath: string | undefined
  kind: FilePatch['kind'] = 'changed'
  isBinary = false
  isCut = false
  readonly lines: PatchLine[] = []
  #at: { old: number; new: number } | undefined

  constructor(names: string) {
    this.path = sameName(names)
  }

  /** How many lines it has more now. */
  read(line: string, maxLength: number): number {
    const before = this.lines.length
    const place = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    if (place) {
      this.#at = { old: Number(place[1]), new: Number(place[2]) }
      this.lines.push({ kind: 'place', text: line.slice(0, maxLength) })
    } else if (this.#at) {
      this.#readBody(line, line.slice(1, maxLength), this.#at)
    } else {
      this.#readHead(line)
    }
    return this.lines.length - before
  }

  #readHead(line: string): void {
    this.kind = kinds.find(([start]) => line.startsWith(start))?.[1] ?? this.kind
    if (/^(?:rename|copy) from /.test(line))
      this.previousPath = unquote(line.replace(/^\w+ from /, ''))
    else if (/^(?:rename|copy) to /.test(line)) this.path = unquote(line.replace(/^\w+ to /, ''))
    else if (/^(?:---|\+\+\+) /.test(line)) this.#readSide(line.slice(4))
    else if (/^(?:Binary files |GIT binary patch)/.test(line)) this.isBinary = true
  }

  /** A tab ends a name that holds blanks. */
  #readSide(side: string): void {
    const name = unquote(side.replace(/\t$/, ''))
    if (name !== '/dev/null') this.path = name.slice(2)
  }

  #readBody(line: string, text: string, at: { old: number; new: number }): void {
    if (line.startsWith('+')) this.lines.push({ kind: 'added', text, new: at.new++ })
    else if (line.startsWith('-')) this.lines.push({ kind: 'removed', text, old: at.old++ })
    else if (line.startsWith('\\')) this.lines.push({ kind: 'note', text: text.trim() })
    else this.lines.push({ kind: 'context', text, old: at.old++, new: at.new++ })
  }
}

/** `a/name b/name`, where both are the same: where they are not, other lines tell. */
function sameName(names: string): string {
  const half = names.slice((names.length + 1) / 2)
  return unquote(half).slice(2)
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Git puts names with unusual characters into quotes, byte by byte. */
export function unquote(name: string): string {
  const quoted = /^"(.*)"$/s.exec(name)?.[1]
  if (quoted === undefined) return name
  const bytes = Buffer.from(quoted)
    .toString('latin1')
    .replace(/\\([0-7]{3}|.)/gs, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
