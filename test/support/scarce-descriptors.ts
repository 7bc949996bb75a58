/**
 * Loaded into a server before anything else: takes all descriptors that it could open but as many
 * as it is told to leave.
 */
import cluster from 'node:cluster'
import { closeSync, openSync } from 'node:fs'

/** How many are left; `null` gives back all that were taken. */
export type Left = number | null

const taken: number[] = []

function take(left: number): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    giveBack(left)
  }
}

function giveBack(count: number): void {
  for (const descriptor of taken.splice(0, count)) closeSync(descriptor)
}

if (cluster.isPrimary) {
  process.on('message', (left: Left) => {
    giveBack(taken.length)
    if (left !== null) take(left)
    process.send?.(taken.length)
  })
  process.channel?.unref()
} else {
  // Workers are told other things by who leads them.
  let timer: NodeJS.Timeout | undefined
  process.on('SIGHUP', () => {
    // What was in use, for a file or a connection, is taken when it is free.
    timer = setInterval(take, 10, 0)
    take(0)
  })
  process.on('SIGUSR2', () => {
    clearInterval(timer)
    giveBack(taken.length)
  })
}
