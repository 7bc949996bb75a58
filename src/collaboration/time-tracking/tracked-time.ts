export interface TrackedTime {
  readonly id: number
  readonly issueId: number
  readonly accountId: number
  readonly accountName: string
  readonly seconds: number
  readonly createdAt: number
}

/** One that runs. */
export interface Stopwatch {
  readonly startedAt: number
  readonly issueNumber: number
  readonly issueTitle: string
  readonly ownerName: string
  readonly repositoryName: string
}

const units = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** The two largest units that there are some of. */
export function describeSeconds(seconds: number): string {
  let left = seconds
  const parts: string[] = []
  for (const [unit, length] of units) {
    const count = Math.floor(left / length)
    left -= count * length
    if (count > 0) parts.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
  }
  return parts.slice(0, 2).join(' ')
}
