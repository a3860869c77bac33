import { IdentifierNode, type OperationNode } from 'kysely'

/** A table in a statement, with the name used to reference its columns. */
interface Source {
  name: string
  /** The table's name. Null for a subquery or common table expression, which is checked separately. */
  table: string | null
}

type Node = OperationNode & Record<string, unknown>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'kind' in value
const nodesIn = (value: unknown): Node[] =>
  Array.isArray(value) ? value.flatMap(nodesIn) : isNode(value) ? [value] : []
const children = (node: Node): Node[] => Object.values(node).flatMap(nodesIn)
const nameOf = (node: unknown): string => (isNode(node) && IdentifierNode.is(node) ? node.name : '')
const tableOf = (node: Node): string => nameOf((node['table'] as Node)['identifier'])

function sourceOf(node: Node): Source {
  if (node.kind === 'AliasNode') {
    const inner = node['node'] as Node
    return { name: nameOf(node['alias']), table: inner.kind === 'TableNode' ? tableOf(inner) : null }
  }
  return node.kind === 'TableNode' ? { name: tableOf(node), table: tableOf(node) } : { name: '', table: null }
}

/** Returns the conditions that must all be true: `a and b` yields two. */
function conjuncts(node: unknown): Node[] {
  if (!isNode(node)) return []
  if (node.kind === 'AndNode') return [...conjuncts(node['left']), ...conjuncts(node['right'])]
  if (node.kind === 'ParensNode') return conjuncts(node['node'])
  if (node.kind === 'WhereNode') return conjuncts(node['where'])
  if (node.kind === 'OnNode') return conjuncts(node['on'])
  return [node]
}

const queries = new Set(['SelectQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

/**
 * Returns the tables with a `team_id` that a statement reads or changes without specifying a team. A table is scoped if
 * its rows must meet the condition `team_id = …` or `team_id in …`, or if their team must equal a scoped table's team.
 * Inserts aren't checked, because a row can't be inserted without a team.
 * @param hasTeam true if a table's rows have a `team_id`
 */
export function findUnscopedTables(root: OperationNode, hasTeam: (table: string) => boolean): string[] {
  const unscopedTables = new Set<string>()
  const expressions = new Set<string>()

  /** @param outer names that an enclosing statement has scoped */
  function visit(node: Node, outer: ReadonlySet<string>): void {
    if (node.kind === 'CommonTableExpressionNameNode') expressions.add(tableOf(node['table'] as Node))
    const scoped = queries.has(node.kind) ? check(node, outer) : outer
    for (const child of children(node)) visit(child, scoped)
  }

  function check(query: Node, outer: ReadonlySet<string>): ReadonlySet<string> {
    // Common table expressions come first because their names must be defined before they are used.
    for (const child of nodesIn(query['with'])) for (const each of children(child)) visit(each, outer)
    const joins = nodesIn(query['joins'])
    const froms = ['from', 'using'].flatMap(part =>
      nodesIn(query[part]).flatMap(from => nodesIn(from['froms'] ?? from['tables'])),
    )
    const sources = [...froms, ...nodesIn(query['table']), ...joins.flatMap(join => nodesIn(join['table']))].map(
      sourceOf,
    )
    const own = sources.filter(({ table }) => table !== null && hasTeam(table) && !expressions.has(table))
    const scoped = new Set([...outer].filter(name => !own.some(each => each.name === name)))
    for (const { name } of sources) if (!own.some(each => each.name === name)) scoped.add(name)
    const only = own.length === 1 ? own[0]!.name : ''
    /** Returns the table of a column that identifies a team, or null for any other node. */
    const teamOf = (node: unknown): string | null => {
      if (!isNode(node) || node.kind !== 'ReferenceNode') return null
      const column = nameOf(((node['column'] as Node)['column'] as Node | undefined) ?? null)
      const table = isNode(node['table']) ? tableOf(node['table']) : only
      return column === 'team_id' ? table : column === 'id' && table === 'teams' ? 'teams' : null
    }
    const pairs: [string, string][] = []
    for (const condition of [query['where'], ...joins.map(join => join['on'])].flatMap(conjuncts)) {
      if (condition.kind !== 'BinaryOperationNode') continue
      const operator = (condition['operator'] as Node)['operator']
      const left = teamOf(condition['leftOperand'])
      const right = teamOf(condition['rightOperand'])
      if (operator === '=' && left !== null && right !== null) pairs.push([left, right])
      else if ((operator === '=' || operator === 'in') && left !== null) scoped.add(left)
    }
    for (let hasGrown = true; hasGrown; ) {
      const next = pairs.flatMap(([one, other]) => (scoped.has(one) ? [other] : scoped.has(other) ? [one] : []))
      hasGrown = next.some(name => !scoped.has(name))
      for (const name of next) scoped.add(name)
    }
    for (const { name, table } of own) if (!scoped.has(name)) unscopedTables.add(table!)
    return scoped
  }

  visit(root as Node, new Set())
  return [...unscopedTables]
}

/** A SQL statement that the product ran. */
export interface SeenStatement {
  shape: string
  /** If the statement specifies no team, the file that ran it; otherwise, null. */
  exempt: string | null
}

/** Normalizes a statement's text: statements that differ only in the number of values become identical. */
export const shapeOf = (text: string): string =>
  text
    .replace(/\$\d+/g, '?')
    .replace(/\(\?(?:, \?)*\)(?:, \(\?(?:, \?)*\))*/g, '(?)')
    .replace(/(\([^()]*\))(?: or \1)+/g, '$1')
