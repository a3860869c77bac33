import type { Params, Result, Router } from 'hono/router'

/** A node in the route tree. Its routes share the beginning of a path. */
interface Node<Handler> {
  /** The routes for each literal next segment. */
  literal: Map<string, Node<Handler>>
  /** The routes for any other next segment. */
  parameter?: Node<Handler>
  /** The handler for a path that ends here, with its parameter names in order. */
  end?: { handler: Handler; names: readonly string[] }
  /** The handler for a path that ends here or continues in any way, and for which no other route was found. */
  rest?: { handler: Handler; names: readonly string[] }
}

const node = <Handler>(): Node<Handler> => ({ literal: new Map() })

/**
 * Finds routes segment by segment. Literal text takes precedence over a parameter, and both over a final `*`, even if
 * the others were added first. Hono's fast router rejects routes that have both at the same position, and its other router is several times
 * slower.
 */
export class SegmentRouter<Handler> implements Router<Handler> {
  readonly name = 'SegmentRouter'
  readonly #methods = new Map<string, Node<Handler>>()

  add(method: string, path: string, handler: Handler): void {
    if (/[*{}?]/.test(path.replace(/\/\*$/, '')))
      throw new Error(`${path} must consist of literal text and parameters such as :id, and may end in /*.`)
    let at = this.#methods.get(method) ?? node<Handler>()
    this.#methods.set(method, at)
    const names: string[] = []
    for (const segment of path.slice(1).split('/')) {
      if (segment === '*') {
        at.rest ??= { handler, names }
        return
      }
      let next: Node<Handler> | undefined
      if (segment.startsWith(':')) {
        names.push(segment.slice(1))
        at.parameter ??= node()
        next = at.parameter
      } else {
        next = at.literal.get(segment) ?? node()
        at.literal.set(segment, next)
      }
      at = next
    }
    // If two routes have the same path, the first one wins.
    at.end ??= { handler, names }
  }

  match(method: string, path: string): Result<Handler> {
    const values: string[] = []
    const root = this.#methods.get(method)
    const end = root && find(root, path.slice(1).split('/'), 0, values)
    if (!end) return [[]]
    const params: Params = {}
    for (let index = 0; index < values.length; index++) params[end.names[index]!] = values[index]!
    return [[[end.handler, params]]]
  }
}

function find<Handler>(
  at: Node<Handler>,
  segments: readonly string[],
  depth: number,
  values: string[],
): Node<Handler>['end'] {
  if (depth === segments.length) return at.end ?? at.rest
  const segment = segments[depth]!
  const next = at.literal.get(segment)
  const literal = next && find(next, segments, depth + 1, values)
  if (literal) return literal
  if (!at.parameter || segment === '') return at.rest
  values.push(segment)
  const below = find(at.parameter, segments, depth + 1, values)
  if (below) return below
  values.pop()
  return at.rest
}
