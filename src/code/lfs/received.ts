import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { partsOf } from '../../platform/db/parts.ts'
import { assertWithinQuota } from '../../repositories/repository/quota.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { Bytes } from '../../platform/storage/bytes.ts'
import { lfsKey, sizeOf, type Pointer } from './object.ts'
import { holdFiles, insertObjects } from './queries.ts'
import { receiveObject, type ReceivedObject } from './store.ts'

/**
 * Objects that come before their repository: they are stored, and become its own when it is made.
 */
export class ReceivedObjects {
  readonly #ctx: Context
  readonly #objects: ReceivedObject[] = []
  #kept: ReadonlySet<string> = new Set()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  async keep(ownerId: number, pointer: Pointer, content: Bytes): Promise<void> {
    this.#objects.push(await receiveObject(this.#ctx, { ownerId }, pointer, content))
  }

  /** In the transaction that makes the repository. */
  async record(tx: Executor, repo: Repository): Promise<void> {
    const now = this.#ctx.now()
    const kept = new Set<string>()
    if (this.#objects.length === 0) return
    await assertWithinQuota(this.#ctx, tx, repo, sizeOf(this.#objects))
    // Always in the same order, so that no two wait for each other.
    const sorted = this.#objects.toSorted((one, other) => (one.oid < other.oid ? -1 : 1))
    for (const some of partsOf(sorted)) {
      const files = some.map((object) => ({ ...object, created_at: now }))
      for (const uuid of await holdFiles(tx, files)) kept.add(uuid)
      await insertObjects(tx, repo.id, some, now)
    }
    this.#kept = kept
  }

  /** After that: what somebody else had stored before need not be there twice. */
  async removeSurplus({ isDone }: { readonly isDone: boolean }): Promise<void> {
    const kept = isDone ? this.#kept : new Set<string>()
    for (const { uuid } of this.#objects.filter((one) => !kept.has(one.uuid))) {
      await this.#ctx.files.remove(lfsKey(uuid))
    }
  }
}
