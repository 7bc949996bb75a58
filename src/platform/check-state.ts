/** A check with what it found when it last ran, on whichever node. */
export interface CheckState {
  readonly name: string
  /** 0 before the first time. */
  readonly ranAt: number
  readonly foundCount: number
  /** The first of them. */
  readonly found: readonly string[]
}
