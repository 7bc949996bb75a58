import {
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type BinaryOperationNode,
  type QueryCompiler,
} from 'kysely'

/**
 * The dialect of PostgreSQL, with each list of values as one array: a statement has one text,
 * however long the list is.
 */
export class PostgresWithArrays extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new ListsAsArrays()
  }
}

class ListsAsArrays extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    if (!PrimitiveValueListNode.is(rightOperand) || !isIn(operator)) {
      return super.visitBinaryOperation(node)
    }
    this.visitNode(leftOperand)
    this.append(' = any(')
    this.appendValue(rightOperand.values)
    this.append(')')
  }
}

function isIn(operator: BinaryOperationNode['operator']): boolean {
  return OperatorNode.is(operator) && operator.operator === 'in'
}
