import { SqliteQueryCompiler, ValueNode, type LimitNode } from 'kysely'

/**
 * For SQLite, which plans a statement anew each time it is given a limit: that takes longer than to
 * read a page.
 */
export class LiteralLimits extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    if (!ValueNode.is(limit) || !Number.isSafeInteger(limit.value)) return super.visitLimit(node)
    this.append(`limit ${String(limit.value)}`)
  }
}
