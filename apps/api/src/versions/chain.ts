import { type Prefix, prefixes } from '@causeway/contract/ids'
import { type Version, versions } from '@causeway/contract/versions'
import { downTo202404 } from './2024-04-04.js'
import { downTo202507 } from './2025-07-04.js'
import { downTo202512 } from './2025-12-01.js'
import { type Behaviour, type Step, without } from './step.js'

/** Newest first: each step is applied while the request's version is at most its own. A version without one is its newer neighbour. */
const steps: readonly Step[] = [downTo202512, downTo202507, downTo202404]

const kinds = (Object.entries(prefixes) as [Prefix, string][]).sort((a, b) => b[1].length - a[1].length)
function kindOf(id: string): Prefix | undefined {
  return kinds.find(([, prefix]) => id.startsWith(prefix))?.[0]
}

const stepsTo = (version: Version) => steps.filter(step => versions.indexOf(version) <= versions.indexOf(step.version))

/** The fields that a kind of resource does not have in a version: not yet, or no longer. */
export const fieldsAfter = (version: Version, kind: Prefix): string[] => {
  const reached = stepsTo(version)
  return steps.flatMap(step => (reached.includes(step) ? step.loses?.[kind] : step.keeps?.[kind]) ?? [])
}

/** Whether a version does something the way older ones did. */
export function behaves(version: Version, behaviour: Behaviour): boolean {
  return stepsTo(version).some(step => step.behaviours?.includes(behaviour))
}

type Change = Pick<Step, 'loses' | 'down'>

/** What makes a newest body one of a version: what it no longer shows leaves, then step by step what it does not have yet. */
const changes = new Map(
  versions.map((version): [Version, readonly Change[]] => {
    const reached = stepsTo(version)
    const passed = steps.flatMap(({ keeps, ...step }) =>
      keeps && !reached.some(each => each.version === step.version) ? { loses: keeps } : [],
    )
    return [version, [...passed, ...reached]]
  }),
)

/** A newest body as a version shows it; expanded resources inside it too. */
export function showAt(version: Version, body: unknown): unknown {
  return walk(body, changes.get(version)!)
}

function walk(value: unknown, apply: readonly Change[]): unknown {
  if (Array.isArray(value)) return value.map(item => walk(item, apply))
  if (typeof value !== 'object' || value === null) return value
  let body = value as Record<string, unknown>
  const kind = typeof body['id'] === 'string' ? kindOf(body['id']) : undefined
  if (kind)
    for (const { loses, down } of apply) {
      if (loses?.[kind]) body = without(body, loses[kind])
      body = down?.[kind]?.(body) ?? body
    }
  const out: Record<string, unknown> = {}
  for (const key in body)
    out[key] = typeof body[key] === 'object' && key !== 'metadata' ? walk(body[key], apply) : body[key]
  return out
}
