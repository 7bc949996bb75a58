/** A line of a file in a commit. */
export interface Place {
  readonly commitId: string
  readonly path: string
  readonly line: number
}

/** A comment on a line of code. */
export interface CodeComment {
  readonly id: number
  readonly reviewId: number
  readonly authorId: number | undefined
  readonly body: string
  readonly path: string
  /** 0: it is on the other side. */
  readonly oldLine: number
  readonly newLine: number
  readonly commitId: string
  readonly diffHunk: string
  /** The line that it is about; absent of older comments. */
  readonly place: Place | undefined
  readonly resolverId: number | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export interface NewCodeComment {
  readonly path: string
  readonly body: string
  readonly oldLine: number
  readonly newLine: number
}
