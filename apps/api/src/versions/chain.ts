import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import { type Prefix, prefixes } from '@causeway/contract/ids'
import { type Version, versions } from '@causeway/contract/versions'
import type { z } from 'zod'
import { parse } from '../platform/http/request/body.js'
import type { Scope, Versions } from '../platform/scope.js'
import { downTo202012 } from './2020-12-06.js'
import { downTo202404 } from './2024-04-04.js'
import { downTo202507 } from './2025-07-04.js'
import { downTo202512 } from './2025-12-01.js'
import { envelopedAt } from './enveloped.js'
import { type FactKind, type Facts, type LoadFacts, noFacts } from './facts.js'
import { type Behavior, type Body, type NameKind, omitting, type RequestFormat, type Step } from './step.js'

/**
 * The conversion steps, newest first. A step applies to its own version and all older versions. A version without a
 * step is identical to the next newer version.
 */
export const steps: readonly Step[] = [downTo202512, downTo202507, downTo202404, downTo202012]

const kindsByPrefix = new Map((Object.entries(prefixes) as [Prefix, string][]).map(([kind, prefix]) => [prefix, kind]))
/**
 * Returns the kind whose prefix matches the start of an id. The longest match wins, because one prefix may begin with
 * another.
 */
function kindOf(id: string): Prefix | undefined {
  for (let end = id.lastIndexOf('_'); end > 0; end = id.lastIndexOf('_', end - 1)) {
    const kind = kindsByPrefix.get(id.slice(0, end + 1))
    if (kind) return kind
  }
  return undefined
}

/** The steps that convert from the latest version to each version. */
const stepsByVersion = new Map(
  versions.map((version, index) => [version, steps.filter(step => index <= versions.indexOf(step.version))]),
)
const stepsTo = (version: Version): readonly Step[] => stepsByVersion.get(version)!
const newerParametersByVersion = new Map(
  versions.map(version => [version, stepsTo(version).flatMap(step => step.newerParameters ?? [])]),
)

/**
 * Returns the fields that a kind of resource doesn't have in a version, because they were either added later or already
 * removed.
 */
export const absentFields = (version: Version, kind: Prefix): string[] => {
  const appliedSteps = stepsTo(version)
  return steps.flatMap(
    step => (appliedSteps.includes(step) ? step.newerFields?.[kind] : step.olderFields?.[kind]) ?? [],
  )
}

/** Returns the schema for a kind of resource in a version if it differs from the latest schema. */
export const schemaAt = (version: Version, kind: Prefix): z.ZodType | undefined =>
  stepsTo(version).findLast(step => step.schemas?.[kind])?.schemas?.[kind]

/** Returns the schemas of a resource's fields that differ in a version. */
export const fieldSchemasAt = (version: Version, kind: Prefix): z.ZodRawShape =>
  Object.assign({}, ...stepsTo(version).map(step => step.fields?.[kind]))

/** Returns an endpoint as a version describes it. */
export function endpointAt<E extends Endpoint>(version: Version, endpoint: E): E {
  const name = `${endpoint.method} ${endpoint.path}`
  const shape = stepsTo(version).findLast(step => step.shapes?.[name])?.shapes?.[name]
  return shape ? { ...endpoint, shape } : endpoint
}

/**
 * Returns an endpoint's input in a version and a mount if it differs from the latest input on the root mount.
 * @param endpoint such as `POST /entities`
 */
export function requestAt(version: Version, endpoint: string, enveloped = false): RequestFormat {
  const format: RequestFormat = Object.assign({}, ...stepsTo(version).map(step => step.requests?.[endpoint]))
  const envelopedFormat = enveloped ? envelopedAt(version, endpoint, format.body) : undefined
  return envelopedFormat ? { ...format, body: envelopedFormat.body } : format
}

/**
 * Parses a request body in its version's format and converts it step by step to the latest version. Throws
 * INVALID_REQUEST or the field's specific error.
 * @param newest the schema in the latest version
 */
function upToNewest(version: Version, endpoint: string, newest: z.ZodType, body: unknown, enveloped: boolean): unknown {
  const formats = stepsTo(version).flatMap(step => step.requests?.[endpoint] ?? [])
  const ownBody = formats.findLast(format => format.body)?.body
  const envelopedFormat = enveloped ? envelopedAt(version, endpoint, ownBody) : undefined
  const parsed = envelopedFormat
    ? parse(envelopedFormat.body, envelopedFormat.read(body))
    : parse(ownBody ?? newest, body)
  return formats.reduceRight<unknown>((value, { up }) => (up ? up(value) : value), parsed)
}

/** Converts an example response from the latest version to a given version. */
export function exampleAt(version: Version, body: unknown): unknown {
  if (Array.isArray(body)) return body.map(item => exampleAt(version, item))
  const kind = kindOf(String((body as Body | null)?.['id'] ?? ''))
  const example = kind && stepsTo(version).findLast(step => step.examples?.[kind])?.examples?.[kind]
  return example ? { ...showAt(version, body)!, ...example } : showAt(version, body)
}

/** Returns true if a version retains a given behavior from older versions. */
export function hasBehavior(version: Version, behavior: Behavior): boolean {
  return stepsTo(version).some(step => step.behaviors?.includes(behavior))
}

/**
 * Returns the name of a holder's product or subscription in a version, given its latest name. Returns null if the
 * version doesn't have it.
 */
export function nameAt(version: Version, kind: NameKind, name: string, holder: 'account' | 'entity'): string | null {
  let olderName: string | null = name
  for (const { names } of stepsTo(version)) {
    if (olderName === null) return null
    olderName = names?.[kind] ? names[kind](olderName, holder) : olderName
  }
  return olderName
}

/** Returns the query parameters that a version doesn't have. */
export const lackedParameters = (version: Version): string[] => newerParametersByVersion.get(version)!

/** Returns true if a version has an event type, given the type's latest name. */
export const hasEvent = (version: Version, type: string): boolean =>
  !stepsTo(version).some(step => step.isNewerEvent?.(type) === true)

/** A conversion of one kind of resource. */
type Change = (body: Body, facts: Facts) => Body

type Changes = ReadonlyMap<Prefix, readonly Change[]>

/**
 * Returns the changes that convert a resource of this kind from the latest version. These changes first remove fields
 * that appear only in other versions, and then apply the steps.
 */
function changesOf(version: Version, kind: Prefix): Change[] {
  const appliedSteps = stepsTo(version)
  const changes: Change[] = []
  let omittedFields = steps
    .filter(step => !appliedSteps.includes(step))
    .flatMap(({ olderFields, internalFields }) => [...(olderFields?.[kind] ?? []), ...(internalFields?.[kind] ?? [])])
  for (const step of appliedSteps) {
    omittedFields = [...omittedFields, ...(step.newerFields?.[kind] ?? [])]
    const down = step.down?.[kind]
    if (!down) continue
    if (omittedFields.length > 0) changes.push(omitting(omittedFields))
    changes.push(down)
    omittedFields = []
  }
  return omittedFields.length > 0 ? [...changes, omitting(omittedFields)] : changes
}

const changesByVersion = new Map(
  versions.map((version): [Version, Changes] => [
    version,
    new Map(
      [...kindsByPrefix.values()].flatMap(kind => {
        const kindChanges = changesOf(version, kind)
        return kindChanges.length > 0 ? [[kind, kindChanges]] : []
      }),
    ),
  ]),
)

const needsByVersion = new Map(
  versions.map(version => [version, new Set(stepsTo(version).flatMap(step => step.needs ?? []))]),
)

/**
 * Converts a body, including any expanded resources inside it, from the latest version to a given version.
 * @param facts loaded for the same version and body; fields that depend on missing facts are null
 */
export function showAt(version: Version, body: unknown, facts: Facts = noFacts): unknown {
  return convert(body, changesByVersion.get(version)!, facts)
}

/**
 * Loads any data that a version's steps need besides the body. Runs a few queries for the whole body, or none for most
 * versions.
 */
async function loadNeededFacts(load: LoadFacts, scope: Scope, version: Version, body: unknown): Promise<Facts> {
  const needs = needsByVersion.get(version)!
  if (needs.size === 0) return noFacts
  const ids = { entity: new Set<string>(), account: new Set<string>() }
  collectIds(body, needs, ids)
  return load(scope, { entity: [...ids.entity], account: [...ids.account] })
}

/** Creates the platform's interface to the versions. */
export const createVersions = (load: LoadFacts): Versions => ({
  lackedParameters,
  requestAt,
  upToNewest,
  showAt: (version, body) => showAt(version, body),
  async showing(scope, version, body) {
    const facts = await loadNeededFacts(load, scope, version, body)
    return part => showAt(version, part, facts)
  },
})

function collectIds(value: unknown, needs: ReadonlySet<FactKind>, idsByKind: Record<FactKind, Set<string>>): void {
  if (typeof value !== 'object' || value === null) return
  const { id } = value as Body
  const kind = typeof id === 'string' ? kindOf(id) : undefined
  if (kind && needs.has(kind as FactKind)) idsByKind[kind as FactKind].add(id as string)
  for (const [key, part] of Object.entries(value)) if (key !== 'metadata') collectIds(part, needs, idsByKind)
}

/** Converts a body and everything inside it. Unchanged parts are not copied. */
function convert(value: unknown, apply: Changes, facts: Facts): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const converted = value.map(item => convert(item, apply, facts))
    return converted.every((item, index) => item === value[index]) ? value : converted
  }
  let body = value as Body
  const kind = typeof body['id'] === 'string' ? kindOf(body['id']) : undefined
  for (const change of (kind && apply.get(kind)) ?? []) body = change(body, facts)
  let converted = body
  for (const key in body) {
    const part = body[key]
    if (typeof part !== 'object' || part === null || key === 'metadata') continue
    const convertedPart = convert(part, apply, facts)
    if (convertedPart === part) continue
    if (converted === body) converted = { ...body }
    converted[key] = convertedPart
  }
  return converted
}
