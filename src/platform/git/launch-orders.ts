/** What the server tells its launcher. */
export type Order = LaunchOrder | SignalOrder | EndBelowOrder | SayOrder

export interface LaunchOrder {
  readonly kind: 'launch'
  readonly id: number
  readonly program: string
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** Whether something will be sent to its standard input. */
  readonly hasInput: boolean
  /**
   * Leads a process group of its own, with what it starts in it, and has descriptor 3 to talk to
   * the server.
   */
  readonly leader: boolean
  readonly timeLimitMs: number
  readonly limits?: ProcessLimits
}

/** What a process may take together with all that it starts; 0 for any number. */
export interface ProcessLimits {
  readonly memoryBytes: number
  /** Of that memory, what it keeps itself of what another server says. */
  readonly talkBytes?: number
  readonly cpuSeconds?: number
}

/** Of which it has taken more than it may. */
export type Exceeded = 'memory' | 'time'

interface SignalOrder {
  readonly kind: 'signal'
  readonly id: number
  readonly signal: 'SIGTERM' | 'SIGKILL'
}

/**
 * What a process has started ends, at once; the process itself says what has become of that, and
 * tidies up.
 */
interface EndBelowOrder {
  readonly kind: 'end below'
  readonly id: number
}

/** Something to read at descriptor 3. */
interface SayOrder {
  readonly kind: 'say'
  readonly id: number
  readonly text: string
}

/** What the launcher tells the server. */
export type News =
  | { readonly kind: 'said'; readonly id: number; readonly text: string }
  | FailedNews
  | { readonly kind: 'exceeded'; readonly id: number; readonly exceeded: Exceeded }
  | ({ readonly kind: 'ended'; readonly id: number } & Ending)

interface FailedNews {
  readonly kind: 'failed'
  readonly id: number
  readonly reason: string
  readonly code?: string | undefined
}

export interface Ending {
  readonly code: number
  /** The beginning of what it wrote to standard error. */
  readonly complaint: string
}

export type StreamKind = 'in' | 'out'

const ID_LENGTH = 10

/** The first bytes on a connection: whose it is, and which of its streams. */
export function nameStream(id: number, kind: StreamKind): string {
  return String(id).padStart(ID_LENGTH, '0') + (kind === 'in' ? 'i' : 'o')
}

export const STREAM_NAME_LENGTH = ID_LENGTH + 1
