/** A ref that has moved or is to move: absent before, it is new; absent after, it is deleted. */
export interface RefUpdate {
  /** In full: `refs/heads/main`. */
  readonly ref: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** On the wire a ref that is not there points at an id of zeros. */
export function presentId(id: string): string | undefined {
  return /^0+$/.test(id) ? undefined : id
}

/** The short name of a branch; `undefined` for any other ref. */
export function branchOf(ref: string): string | undefined {
  return ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined
}

/** The short name of a tag; `undefined` for any other ref. */
export function tagOf(ref: string): string | undefined {
  return isTag(ref) ? ref.slice('refs/tags/'.length) : undefined
}

export function isTag(ref: string): boolean {
  return ref.startsWith('refs/tags/')
}
