/**
 * Changes one marked place in a source file. A marker is a comment before the code that it marks, and survives renames
 * and moves because it names no code:
 *   // mutant: NAME (OPERATION)
 *   const value = /* mutant: NAME (OPERATION) *\/ a && b
 * The operations:
 *   remove        removes the statement, the property, the element, the argument, the operand of `&&` or `||`, or the
 *                 call in a chain, such as `.where(…)`
 *   true, false   replaces the condition: of the `if`, of the `… ? … : …`, or the marked expression itself
 *   not           negates that condition
 *   drop N        removes the Nth operand of that condition, counted from 1
 *   argument N    replaces the call by its Nth argument
 *   = LITERAL     replaces the value, which is assigned, returned, the property's or the expression itself
 */
import { parseSync, visitorKeys } from 'oxc-parser'

const MARKER = /^\s*mutant: (?<name>[a-z0-9]+(?:-[a-z0-9]+)*) \((?<operation>[^()]+)\)\s*$/

const parsed = new Map()

/** Returns `{ program, comments }`, or throws if the text does not parse. Positions are indices of the text. */
export function parse(path, text) {
  if (!parsed.has(text)) {
    const { program, comments, errors } = parseSync(path, text)
    if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
    parsed.set(text, { program, comments })
  }
  return parsed.get(text)
}

export const lineOf = (text, at) => text.slice(0, at).split('\n').length

/**
 * Calls `visit(node, ancestors)` for every node, parents before children. The nearest ancestor is the last. The list of
 * ancestors changes during the walk.
 */
export function walk(node, visit, ancestors = []) {
  visit(node, ancestors)
  ancestors.push(node)
  for (const key of visitorKeys[node.type] ?? []) {
    const children = node[key]
    if (Array.isArray(children)) {
      for (const child of children) if (child) walk(child, visit, ancestors)
    } else if (children) walk(children, visit, ancestors)
  }
  ancestors.pop()
}

/** Returns the position of the code that follows a comment. Skips white space and other comments. */
export function codeAfter({ end }, { text, comments }) {
  let at = end
  for (;;) {
    at += /^\s*/.exec(text.slice(at))[0].length
    const next = comments.find(({ start }) => start === at)
    if (!next) return at
    at = next.end
  }
}

/** Returns a file's markers as `{ name, operation, line, comment }`. Throws for a marker that has another form. */
export function markersOf(path, text) {
  if (!text.includes('mutant:')) return []
  const { comments } = parse(path, text)
  return comments
    .filter(({ value }) => /^\s*mutant:/.test(value))
    .map(comment => {
      const { name, operation } = MARKER.exec(comment.value)?.groups ?? {}
      const line = lineOf(text, comment.start)
      if (!name) throw new Error(`${path}:${line}: the form of a marker is "mutant: name (operation)"`)
      return { name, operation, line, comment }
    })
}

/** Returns the marked node and its ancestors: the outermost node that starts at the position, or a call in a chain. */
function markedNode(program, comment, at) {
  let marked
  let chained
  walk(program, (node, ancestors) => {
    if (node.start === at && node.type !== 'Program') marked ??= { node, ancestors: [...ancestors] }
    const { object, property } = node.type === 'CallExpression' ? node.callee : {}
    if (object && object.end <= comment.start && property.start > comment.end && property.start <= at + 2)
      chained = { node, ancestors: [...ancestors], object }
  })
  return chained ?? marked
}

/** Returns the expression that a statement, property or function consists of. */
function expressionOf(node) {
  switch (node?.type) {
    case 'ReturnStatement':
    case 'ThrowStatement':
      return node.argument
    case 'VariableDeclaration':
      return node.declarations[0].init
    case 'ExpressionStatement':
      return expressionOf(node.expression)
    case 'AssignmentExpression':
      return node.right
    case 'Property':
    case 'PropertyDefinition':
      return node.value
    default:
      return node
  }
}

/** Returns the condition of a node: the test of an `if` or a conditional expression, or the value itself. */
function conditionOf(node) {
  const value = expressionOf(node)
  return ['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(value?.type) ? value.test : value
}

/** Returns the operands of nested `&&` or of nested `||`, inside any parentheses and negation. */
function operandsOf(condition) {
  if (condition.type === 'ParenthesizedExpression') return operandsOf(condition.expression)
  if (condition.type === 'UnaryExpression') return operandsOf(condition.argument)
  const { operator } = condition
  const flat = node =>
    node.type === 'LogicalExpression' && node.operator === operator ? [...flat(node.left), ...flat(node.right)] : [node]
  return flat(condition)
}

/** Returns the range that removes one of several adjacent parts, along with the separator before or after it. */
function rangeOfPart(parts, index, text) {
  const { start, end } = parts[index]
  if (index > 0) return [parts[index - 1].end, end]
  if (parts.length > 1) return [start, parts[1].start]
  return [start, end + (/^\s*,/.exec(text.slice(end))?.[0].length ?? 0)]
}

/** Returns `[start, end, replacement]` for the removal of a node, or undefined if it cannot be removed. */
function removal({ node, ancestors, object }, text) {
  if (object) return [object.end, node.end, '']
  const parent = ancestors.at(-1)
  if (parent?.type === 'LogicalExpression') {
    const other = parent.left === node ? parent.right : parent.left
    return [parent.start, parent.end, text.slice(other.start, other.end)]
  }
  for (const list of ['elements', 'arguments', 'properties'])
    if (parent?.[list]?.includes(node)) return [...rangeOfPart(parent[list], parent[list].indexOf(node), text), '']
  if (/Statement$/.test(node.type)) return [node.start, node.end, ';']
  return undefined
}

/** Returns true if the text is an expression that refers to no name, so that no rename can affect it. */
function isLiteral(text) {
  const { program, errors } = parseSync('literal.ts', `(${text})`)
  if (errors.length > 0 || program.body.length !== 1) return false
  let refers = false
  walk(program, (node, ancestors) => {
    const isKey = ancestors.at(-1)?.type === 'Property' && ancestors.at(-1).key === node
    if (node.type === 'Identifier' && node.name !== 'undefined' && !isKey) refers = true
  })
  return !refers
}

/** Returns `[start, end, replacement]` for an operation on a marked node, or undefined if it does not apply. */
function replacement(operation, marked, text) {
  const { node } = marked
  const [, verb, rest] = /^(\S+)(?: (.+))?$/.exec(operation)
  const condition = conditionOf(node)
  switch (verb) {
    case 'remove':
      return removal(marked, text)
    case 'true':
    case 'false':
      return condition && [condition.start, condition.end, verb]
    case 'not':
      return condition && [condition.start, condition.end, `!(${text.slice(condition.start, condition.end)})`]
    case 'drop': {
      const operands = condition ? operandsOf(condition) : []
      const index = Number(rest) - 1
      if (operands.length < 2 || !operands[index]) return undefined
      return [...rangeOfPart(operands, index, text), '']
    }
    case 'argument': {
      const value = expressionOf(node)
      const first = value?.type === 'AwaitExpression' ? value.argument : value
      let call
      if (first)
        walk(first, inner => {
          const isCall = inner.type === 'CallExpression' && inner.start === first.start
          if (isCall && inner.arguments.length >= Number(rest)) call = inner
        })
      const argument = call?.arguments[Number(rest) - 1]
      return argument && [call.start, call.end, text.slice(argument.start, argument.end)]
    }
    case '=': {
      const value = expressionOf(node)
      return value && isLiteral(rest) ? [value.start, value.end, rest] : undefined
    }
    default:
      return undefined
  }
}

/**
 * Returns the text with the marked place changed. Throws unless the text has the marker once and the operation applies
 * to the code that follows it.
 */
export function mutated(path, text, name) {
  const markers = markersOf(path, text).filter(each => each.name === name)
  if (markers.length !== 1)
    throw new Error(`${path}: expected the marker ${name} once, found it ${markers.length} times`)
  const [{ comment, operation, line }] = markers
  const { program, comments } = parse(path, text)
  const marked = markedNode(program, comment, codeAfter(comment, { text, comments }))
  const change = marked && replacement(operation, marked, text)
  if (!change) throw new Error(`${path}:${line}: "${operation}" does not apply to the code after the marker ${name}`)
  const [start, end, instead] = change
  return text.slice(0, start) + instead + text.slice(end)
}
