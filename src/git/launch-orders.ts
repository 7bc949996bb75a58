/** What the server tells its launcher. */
export type Order = LaunchOrder | SignalOrder | SayOrder

export interface LaunchOrder {
  readonly kind: 'launch'
  readonly id: number
  readonly program: string
  readonly parameters: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
  /** Whether something will be sent to its standard input. */
  readonly hasInput: boolean
  /** Leads a process group of its own, with what it starts in it, and has descriptor 3 to talk to the server. */
  readonly leader: boolean
  readonly timeLimitMs: number
}

interface SignalOrder {
  readonly kind: 'signal'
  readonly id: number
  readonly signal: 'SIGTERM' | 'SIGKILL'
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
