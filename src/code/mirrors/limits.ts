import type { Context } from '../../platform/context.ts'
import type { RemoteOptions } from '../../platform/git/remote.ts'

/**
 * How long and how much, by the server's settings: all that is done since then has to be done in
 * that time.
 */
export function limitsOf(
  { config }: Context,
  signal: AbortSignal,
  since = performance.now(),
): RemoteOptions {
  const { time_limit, max_size } = config.mirror
  const left = time_limit * 1000 - Math.floor(performance.now() - since)
  return { signal, timeLimitMs: Math.max(1, left), maxBytes: max_size }
}

const folderHere = /\/\S*\/[0-9a-f-]{36}(?:\.wiki)?\.git\b/g

/**
 * What went wrong, in a line or two for people; what the remote's pages say is none of it, nor
 * where things lie here.
 */
export function complaintOf(error: unknown): string {
  const message = (error as Error).message.replace(/^git \S+ failed \(\d+\): /, '')
  const text = message.replaceAll(folderHere, 'the repository')
  const lines = text.split('\n').filter((line) => /^(?:(?:fatal|error):| ! )/.test(line))
  const words = (lines.length > 0 ? lines : [text]).join(' ').replace(/\s+/g, ' ').trim()
  return words.slice(0, 500).replace(/\.$/, '')
}
