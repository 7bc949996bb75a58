import assert from 'node:assert/strict'

/** What the server has answered as done, and how it is seen that it still is. */
export interface Kept {
  readonly what: string
  readonly isThere: () => Promise<boolean>
}

/** Everything that was answered, whatever happened to the server since. */
export class Answered {
  readonly #kept: Kept[] = []
  readonly counts = new Map<string, number>()

  add(kind: string, what: string, isThere: Kept['isThere']): void {
    this.count(kind)
    this.#kept.push({ what: `${kind} ${what}`, isThere })
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
  }

  async assertKept(): Promise<void> {
    const lost: string[] = []
    for (const { what, isThere } of this.#kept) {
      if (!(await isThere())) lost.push(what)
    }
    assert.deepEqual(lost, [], `lost of ${this.#kept.length}`)
  }
}
