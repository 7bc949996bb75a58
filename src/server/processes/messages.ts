import type { Figures } from '../../platform/http/figures.ts'

/** What a worker says to the process that leads it. */
export type FromWorker =
  /** It hears what it is told; what was said before may be lost. */
  | { readonly kind: 'hearing' }
  /** Its doors are open. */
  | { readonly kind: 'ready' }
  /** It wants the figures of all of them. */
  | { readonly kind: 'gather'; readonly question: number }
  | { readonly kind: 'figures'; readonly question: number; readonly figures: Figures }

/** What a worker is told. */
export type ToWorker =
  | { readonly kind: 'stop' }
  /** Somebody wants its figures. */
  | { readonly kind: 'tell'; readonly question: number }
  /** The figures that it asked for. */
  | {
      readonly kind: 'gathered'
      readonly question: number
      readonly figures: readonly Figures[]
    }
