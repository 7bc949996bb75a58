/** The first word of a commit: its id, its parents, and with which of them a merge is compared. */
const header = /^([0-9a-f]+)((?: [0-9a-f]+)*)(?: \(from ([0-9a-f]+)\))?\t/

interface Step {
  readonly id: string
  readonly parents: readonly string[]
  /** What is not as in each of the parents; with all, when there is none. */
  readonly changed: Map<string, Set<string>>
}

/**
 * Follows several paths back through one history, each to the commit that changed it. It reads
 * what `git log --format=oneline --source --parents -m --raw -z` writes.
 */
export class PathTrails {
  readonly from: string
  readonly found = new Map<string, string>()
  readonly #entriesOf: string | undefined
  /** At which commits the paths are. */
  readonly #at = new Map<string, Set<string>>()
  readonly #wanted: Set<string>
  #walked = 0
  #step: Step | undefined
  /** With which parent the step is compared by what is read now. */
  #compared = ''
  #isPathNext = false

  constructor(from: string, paths: readonly string[], entriesOf?: string) {
    this.from = from
    this.#entriesOf = entriesOf
    this.#wanted = new Set(paths)
    this.#at.set(from, new Set(paths))
  }

  get left(): number {
    return this.#wanted.size
  }

  /** How many commits were read. */
  get walked(): number {
    return this.#walked
  }

  read(text: string): void {
    if (this.#isPathNext) this.#readPath(text)
    else if (text.startsWith(':')) this.#isPathNext = true
    else this.#readHeader(text)
  }

  /** When the commit that was read last is whole. */
  settle(): void {
    const { id, parents, changed } = this.#step ?? none
    this.#step = undefined
    for (const path of this.#at.get(id) ?? []) {
      const same = parents.find((parent) => !changed.get(parent)?.has(path))
      if (same === undefined) this.end(path, id)
      else this.#move(path, same)
    }
    this.#at.delete(id)
  }

  end(path: string, commitId: string): void {
    if (this.#wanted.delete(path)) this.found.set(path, commitId)
  }

  /** Up to which commit each path that is left has not changed. */
  positions(): { readonly path: string; readonly commitId: string }[] {
    return [...this.#at].flatMap(([commitId, paths]) =>
      [...paths].filter((path) => this.#wanted.has(path)).map((path) => ({ path, commitId })),
    )
  }

  #move(path: string, commitId: string): void {
    const there = this.#at.get(commitId) ?? new Set()
    this.#at.set(commitId, there.add(path))
  }

  #readHeader(text: string): void {
    const [, id = '', parents = '', compared] = header.exec(text) ?? []
    if (id !== this.#step?.id) this.#begin(id, parents.split(' ').slice(1))
    this.#compared = compared ?? this.#step?.parents[0] ?? ''
    this.#step?.changed.set(this.#compared, new Set())
  }

  #begin(id: string, parents: readonly string[]): void {
    this.settle()
    // The first may come before the one that was asked for, when that has changed nothing here.
    if (this.#walked === 0 && id !== this.from) this.#moveAll(id)
    this.#walked++
    this.#step = { id, parents, changed: new Map() }
  }

  #moveAll(id: string): void {
    for (const path of this.#at.get(this.from) ?? []) this.#move(path, id)
    this.#at.delete(this.from)
  }

  #readPath(text: string): void {
    this.#isPathNext = false
    const changed = this.#step?.changed.get(this.#compared)
    const folder = this.#entriesOf
    changed?.add(folder === undefined ? text : folder + text.slice(folder.length).split('/')[0])
    if (folder) changed?.add(folder.slice(0, -1))
  }
}

const none: Step = { id: '', parents: [], changed: new Map() }
