import type { Context } from '../../platform/context.ts'
import type { KnownRefs, PushOptions } from '../../platform/git/push-remote.ts'
import { updateHeld } from './lease-queries.ts'
import type { PushMirror } from './push-queries.ts'

type Part = 'code' | 'wiki'

/**
 * What the remote of a push mirror has of us: what is otherwise there somebody else has changed.
 */
export class RemoteMemory {
  readonly #ctx: Context
  readonly #mirror: PushMirror
  #parts: Readonly<Partial<Record<Part, KnownRefs>>>

  constructor(ctx: Context, mirror: PushMirror) {
    this.#ctx = ctx
    this.#mirror = mirror
    const { remote_refs: refs } = mirror
    this.#parts = refs === '' ? {} : (JSON.parse(refs) as Partial<Record<Part, KnownRefs>>)
  }

  of(part: Part): Pick<PushOptions, 'known' | 'remember'> {
    return { known: this.#parts[part], remember: (known) => this.#remember(part, known) }
  }

  async #remember(part: Part, known: KnownRefs): Promise<void> {
    this.#parts = { ...this.#parts, [part]: known }
    await updateHeld(this.#ctx.db, 'push_mirror', this.#mirror, {
      remote_refs: JSON.stringify(this.#parts),
    })
  }
}
