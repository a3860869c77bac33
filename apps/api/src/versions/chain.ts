import { type Prefix, prefixes } from '@causeway/contract/ids'
import { type Version, versions } from '@causeway/contract/versions'
import type { z } from 'zod'
import { parse } from '../platform/http/body.js'
import type { Versions } from '../platform/http/versions.js'
import type { Scope } from '../platform/scope.js'
import { downTo202012 } from './2020-12-06.js'
import { downTo202404 } from './2024-04-04.js'
import { downTo202507 } from './2025-07-04.js'
import { downTo202512 } from './2025-12-01.js'
import { type Facts, type LoadFacts, type Need, noFacts } from './facts.js'
import { type Behaviour, type Body, type Named, type Step, type Taken, without } from './step.js'

/**
 * The steps, newest first. A step applies to its own version and older ones. A version without a step is the same as
 * the next newer one.
 */
export const steps: readonly Step[] = [downTo202512, downTo202507, downTo202404, downTo202012]

const kinds = new Map((Object.entries(prefixes) as [Prefix, string][]).map(([kind, prefix]) => [prefix, kind]))
/** Returns the kind with the longest prefix that an id begins with, because one prefix may begin with another one. */
function kindOf(id: string): Prefix | undefined {
  for (let end = id.lastIndexOf('_'); end > 0; end = id.lastIndexOf('_', end - 1)) {
    const kind = kinds.get(id.slice(0, end + 1))
    if (kind) return kind
  }
  return undefined
}

/** The steps from the latest version down to each version. */
const reached = new Map(
  versions.map((version, index) => [version, steps.filter(step => index <= versions.indexOf(step.version))]),
)
const stepsTo = (version: Version): readonly Step[] => reached.get(version)!
const lacked = new Map(versions.map(version => [version, stepsTo(version).flatMap(step => step.lacksParameters ?? [])]))

/**
 * Returns the fields that a kind of resource does not have in a version, because they were added later or removed
 * before.
 */
export const fieldsAfter = (version: Version, kind: Prefix): string[] => {
  const reached = stepsTo(version)
  return steps.flatMap(step => (reached.includes(step) ? step.loses?.[kind] : step.keeps?.[kind]) ?? [])
}

/** Returns the schema of a kind of resource in a version, if it differs from the latest one. */
export const schemaAt = (version: Version, kind: Prefix): z.ZodType | undefined =>
  stepsTo(version).findLast(step => step.schemas?.[kind])?.schemas?.[kind]

/** Returns the input of an endpoint in a version, if it differs. @param endpoint such as `POST /entities` */
export const requestAt = (version: Version, endpoint: string): Taken =>
  Object.assign({}, ...stepsTo(version).map(step => step.requests?.[endpoint]))

/**
 * Parses a request's body in the form of its version and converts it step by step to the latest version.
 * @param newest the schema in the latest version. Throws INVALID_REQUEST, or the field's own error
 */
function upToNewest(version: Version, endpoint: string, newest: z.ZodType, body: unknown): unknown {
  const passed = stepsTo(version).flatMap(step => step.requests?.[endpoint] ?? [])
  const read = parse(passed.findLast(taken => taken.body)?.body ?? newest, body)
  return passed.reduceRight<unknown>((value, { up }) => (up ? up(value as never) : value), read)
}

/** Converts an example response of the latest version to a version. */
export function exampleAt(version: Version, body: unknown): unknown {
  if (Array.isArray(body)) return body.map(item => exampleAt(version, item))
  const kind = kindOf(String((body as Body | null)?.['id'] ?? ''))
  const own = kind && stepsTo(version).findLast(step => step.examples?.[kind])?.examples?.[kind]
  return own ? { ...showAt(version, body)!, ...own } : showAt(version, body)
}

/** True if a version still has a behavior of older versions. */
export function behaves(version: Version, behaviour: Behaviour): boolean {
  return stepsTo(version).some(step => step.behaviours?.includes(behaviour))
}

/**
 * Returns the name of a holder's product or subscription in a version, given the latest name; null if the version lacks
 * it.
 */
export function nameAt(version: Version, named: Named, name: string, holder: 'account' | 'entity'): string | null {
  let found: string | null = name
  for (const { names } of stepsTo(version)) {
    if (found === null) return null
    found = names?.[named] ? names[named](found, holder) : found
  }
  return found
}

/** Returns the query parameters that a version does not have. */
export const lackedParameters = (version: Version): string[] => lacked.get(version)!

/** Returns true if a version has an event type, given by its latest name. */
export const hasEvent = (version: Version, type: string): boolean =>
  !stepsTo(version).some(step => step.lacks?.(type) === true)

/** A change of a kind of resource: the fields to remove, then a conversion. */
interface Change {
  loses: readonly string[]
  down?: (body: Body, facts: Facts) => Body
}

type Changes = ReadonlyMap<Prefix, readonly Change[]>

/**
 * Returns the changes that convert a body of a kind from the latest version. First they remove fields that only other
 * versions show, then they apply the steps.
 */
function changesOf(version: Version, kind: Prefix): Change[] {
  const reached = stepsTo(version)
  const changes: Change[] = []
  let loses = steps
    .filter(step => !reached.includes(step))
    .flatMap(({ keeps, carries }) => [...(keeps?.[kind] ?? []), ...(carries?.[kind] ?? [])])
  for (const step of reached) {
    loses = [...loses, ...(step.loses?.[kind] ?? [])]
    const down = step.down?.[kind]
    if (!down) continue
    changes.push({ loses, down })
    loses = []
  }
  return loses.length > 0 ? [...changes, { loses }] : changes
}

const changes = new Map(
  versions.map((version): [Version, Changes] => [
    version,
    new Map(
      [...kinds.values()].flatMap(kind => {
        const own = changesOf(version, kind)
        return own.length > 0 ? [[kind, own]] : []
      }),
    ),
  ]),
)

const needs = new Map(versions.map(version => [version, new Set(stepsTo(version).flatMap(step => step.needs ?? []))]))

/**
 * Shows a body of the latest version at a version, including expanded resources inside it.
 * @param facts loaded for the same version and body; fields that depend on missing facts are null
 */
export function showAt(version: Version, body: unknown, facts: Facts = noFacts): unknown {
  return walk(body, changes.get(version)!, facts)
}

/**
 * Loads the facts that a version's steps need beyond a body: a few queries for the whole body, and none for most
 * versions.
 */
async function factsFor(load: LoadFacts, scope: Scope, version: Version, body: unknown): Promise<Facts> {
  const wanted = needs.get(version)!
  if (wanted.size === 0) return noFacts
  const ids = { entity: new Set<string>(), account: new Set<string>() }
  collect(body, wanted, ids)
  return load(scope, { entity: [...ids.entity], account: [...ids.account] })
}

/** Creates the platform's view of the versions. */
export const createVersions = (load: LoadFacts): Versions => ({
  lackedParameters,
  requestAt,
  upToNewest,
  showAt: (version, body) => showAt(version, body),
  async showing(scope, version, body) {
    const facts = await factsFor(load, scope, version, body)
    return part => showAt(version, part, facts)
  },
})

function collect(value: unknown, wanted: ReadonlySet<Need>, into: Record<Need, Set<string>>): void {
  if (typeof value !== 'object' || value === null) return
  const { id } = value as Body
  const kind = typeof id === 'string' ? kindOf(id) : undefined
  if (kind && wanted.has(kind as Need)) into[kind as Need].add(id as string)
  for (const [key, part] of Object.entries(value)) if (key !== 'metadata') collect(part, wanted, into)
}

/** Converts a body and everything inside it. Parts that do not change are not copied. */
function walk(value: unknown, apply: Changes, facts: Facts): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const shown = value.map(item => walk(item, apply, facts))
    return shown.every((item, index) => item === value[index]) ? value : shown
  }
  let body = value as Body
  const kind = typeof body['id'] === 'string' ? kindOf(body['id']) : undefined
  for (const { loses, down } of (kind && apply.get(kind)) ?? []) {
    if (loses.length > 0) body = without(body, loses)
    if (down) body = down(body, facts)
  }
  let shown = body
  for (const key in body) {
    const part = body[key]
    if (typeof part !== 'object' || part === null || key === 'metadata') continue
    const inner = walk(part, apply, facts)
    if (inner === part) continue
    if (shown === body) shown = { ...body }
    shown[key] = inner
  }
  return shown
}
