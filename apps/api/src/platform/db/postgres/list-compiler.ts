import { type BinaryOperationNode, OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode } from 'kysely'

/**
 * Compiles a list of values, as in `where id in (…)`, to a single array, so that the statement's text doesn't depend on the
 * list's length. Otherwise, the lengths would use up the names of prepared statements. A list of one value stays as it is,
 * because PostgreSQL then reads an index in its order.
 */
export class ListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const name = OperatorNode.is(operator) ? operator.operator : undefined
    const isList = PrimitiveValueListNode.is(rightOperand) && rightOperand.values.length !== 1
    if (!isList || (name !== 'in' && name !== 'not in')) {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    this.append(name === 'in' ? ' = any(' : ' <> all(')
    this.appendValue(rightOperand.values)
    this.append(')')
  }
}
