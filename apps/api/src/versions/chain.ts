import { type Prefix, prefixes } from '@causeway/contract/ids'
import { type Version, versions } from '@causeway/contract/versions'
import { downTo2024 } from './2024-04-04.js'

/** Turns a body of the next newer version into this one, by kind of resource. What is not named stays. */
export interface Step {
  version: Version
  down: Partial<Record<Prefix, (body: Record<string, unknown>) => Record<string, unknown>>>
}

/** Newest first: each step is applied while the request's version is at most its own. */
const steps: readonly Step[] = [downTo2024]

const kinds = (Object.entries(prefixes) as [Prefix, string][]).sort((a, b) => b[1].length - a[1].length)
function kindOf(id: string): Prefix | undefined {
  return kinds.find(([, prefix]) => id.startsWith(prefix))?.[0]
}

/** A newest body as an older version shows it; expanded resources inside it too. */
export function showAt(version: Version, body: unknown): unknown {
  const apply = steps.filter(step => versions.indexOf(version) <= versions.indexOf(step.version))
  return apply.length === 0 ? body : walk(body, apply)
}

function walk(value: unknown, apply: readonly Step[]): unknown {
  if (Array.isArray(value)) return value.map(item => walk(item, apply))
  if (typeof value !== 'object' || value === null) return value
  let body = value as Record<string, unknown>
  const kind = typeof body['id'] === 'string' ? kindOf(body['id']) : undefined
  if (kind) for (const step of apply) body = step.down[kind]?.(body) ?? body
  const out: Record<string, unknown> = {}
  for (const key in body)
    out[key] = typeof body[key] === 'object' && key !== 'metadata' ? walk(body[key], apply) : body[key]
  return out
}
