import { giveWay } from '../concurrency/give-way.ts'
import { TooMuch } from './limits.ts'
import type { Refer, Reference } from './references.ts'
import type { Resolve } from './render.ts'

/** More than a page can lead to. */
const MAX_ASKED = 10_000

/**
 * What a text refers to, and the addresses that it names: what these lead to is not known in the
 * thread that renders.
 */
export interface AskedOf {
  readonly references: readonly Reference[]
  readonly addresses: readonly Address[]
}

interface Address {
  readonly address: string
  readonly of: 'link' | 'image'
}

/** Where all of this leads, by its key. */
export interface KnownOf {
  readonly references: ReadonlyMap<string, string>
  readonly addresses: ReadonlyMap<string, string>
}

/** Notes what a text asks for while it is rendered. */
export class Asked {
  readonly #references = new Map<string, Reference>()
  readonly #addresses = new Map<string, Address>()

  readonly refer: Refer = (reference) => {
    note(this.#references, keyOfReference(reference), reference)
    return undefined
  }

  /** A picture that is not shown may be linked. */
  readonly resolve: Resolve = (address, of) => {
    note(this.#addresses, keyOfAddress({ address, of }), { address, of })
    if (of === 'image')
      note(this.#addresses, keyOfAddress({ address, of: 'link' }), { address, of: 'link' })
    return address
  }

  get isEmpty(): boolean {
    return this.#references.size + this.#addresses.size === 0
  }

  get all(): AskedOf {
    return {
      references: [...this.#references.values()],
      addresses: [...this.#addresses.values()],
    }
  }
}

function note<T>(noted: Map<string, T>, key: string, value: T): void {
  noted.set(key, value)
  if (noted.size > MAX_ASKED) throw new TooMuch()
}

/** Says where it leads what was asked for before; anything else leads nowhere. */
export class Known {
  readonly #known: KnownOf

  constructor(known: KnownOf) {
    this.#known = known
  }

  readonly refer: Refer = (reference) => this.#known.references.get(keyOfReference(reference))

  readonly resolve: Resolve = (address, of) =>
    this.#known.addresses.get(keyOfAddress({ address, of }))
}

interface Finders {
  readonly refer?: Refer
  readonly resolve?: Resolve
}

/** Finds out what was asked, piece by piece. */
export async function findAsked(asked: AskedOf, { refer, resolve }: Finders): Promise<KnownOf> {
  const references = new Map<string, string>()
  const addresses = new Map<string, string>()
  const add = async ({ address, of }: Address) => {
    await giveWay()
    const target = resolve?.(address, of)
    if (target !== undefined) addresses.set(keyOfAddress({ address, of }), target)
  }
  for (const reference of asked.references) {
    const target = refer?.(reference)
    if (target === undefined) continue
    references.set(keyOfReference(reference), target)
    // It becomes an address of the text.
    await add({ address: target, of: 'link' })
  }
  for (const address of asked.addresses) await add(address)
  return { references, addresses }
}

function keyOfReference(reference: Reference): string {
  const { kind } = reference
  if (kind === 'issue') return `${reference.repository ?? ''}#${reference.number}`
  return kind === 'person' ? `@${reference.name}` : reference.id
}

function keyOfAddress({ address, of }: Address): string {
  return `${of} ${address}`
}
