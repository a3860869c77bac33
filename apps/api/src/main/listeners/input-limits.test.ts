import { endpointsByPath as connectorMethods, pushSchema } from '@causeway/connector/methods/contract'
import { endpoints } from '@causeway/contract/endpoints/table'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { MAX_CPU_MS, measureCpuMs } from '../../testing/cost.js'

/** A schema's definition, with the members that its type has. */
type Definition = {
  type: string
  format?: string
  checks?: { _zod: { def: { check: string; abort?: boolean } } }[]
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
  valueType?: z.ZodType
  options?: z.ZodType[]
  in?: z.ZodType
  innerType?: z.ZodType
}
type Visit = (schema: z.ZodType, def: Definition, path: string) => void

function walk(schema: z.ZodType, path: string, visit: Visit): void {
  const def = schema.def as unknown as Definition
  visit(schema, def, path)
  for (const [name, inner] of Object.entries(def.shape ?? {})) walk(inner, `${path}.${name}`, visit)
  for (const inner of def.options ?? []) walk(inner, path, visit)
  if (def.element) walk(def.element, `${path}[]`, visit)
  if (def.type === 'record' && def.valueType) walk(def.valueType, `${path}{}`, visit)
  if (def.innerType) walk(def.innerType, path, visit)
  if (def.type === 'pipe' && def.in) walk(def.in, path, visit)
}

const checksOf = ({ checks = [] }: Definition) => checks.map(({ _zod }) => _zod.def)

/** Bodies that clients send, and answers and pushes that connectors send. */
const bodies = [
  ...endpoints.flatMap(({ method, path, body }) => (body ? [{ name: `${method} ${path}`, schema: body }] : [])),
  ...[...connectorMethods].map(([path, { method }]) => ({ name: `connector ${path}`, schema: method.answer })),
  { name: 'push', schema: pushSchema as z.ZodType },
]

function collect(visit: (def: Definition, path: string) => string | undefined): string[] {
  const problems = new Set<string>()
  for (const { name, schema } of bodies)
    walk(schema, name, (_inner, def, path) => {
      const problem = visit(def, path)
      if (problem) problems.add(`${path} ${problem}`)
    })
  return [...problems]
}

it('limits the length of every string before it applies a pattern or another check', () => {
  const problems = collect((def, path) => {
    if (def.type !== 'string') return undefined
    const checks = checksOf(def)
    const limit = checks.findIndex(({ check }) => check === 'max_length')
    const costly = checks.findIndex(({ check }) => check === 'string_format' || check === 'custom')
    if (def.format !== undefined) return 'has a format that runs before its maximum length'
    if (limit < 0 && costly < 0) return path.startsWith('connector') ? undefined : 'has no maximum length'
    if (limit < 0) return 'has a pattern and no maximum length'
    if (costly < 0 || (limit < costly && checks[limit]!.abort)) return undefined
    return 'applies a pattern to text that is too long'
  })
  expect(problems.filter(each => !unlimited.some(([place]) => each.startsWith(`${place} `)))).toEqual([])
})

/** Strings whose length only the body limits, each with the reason. The size of a connector's answer is limited too. */
const unlimited: readonly (readonly [string, string])[] = [['POST /forwarding_requests.body', 'is forwarded as it is']]

it('limits the number of items of every list', () => {
  const problems = collect(def =>
    def.type === 'array' && !checksOf(def).some(({ check }) => check === 'max_length' || check === 'length_equals')
      ? 'has no maximum number of items'
      : undefined,
  )
  expect(problems).toEqual([])
})

const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
const hostileObjects: readonly (readonly [string, object])[] = [
  ['a long name', { ['n'.repeat(70_000)]: 1 }],
  ['many names', Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`f${index}`, 1]))],
  ['long text', { a: 'x'.repeat(70_000) }],
]

const accepts = (schema: z.ZodType, wrap = (value: unknown) => value) =>
  hostileObjects.filter(([, value]) => schema.safeParse(wrap(value)).success).map(([what]) => what)

it('limits the names, depth and size of every object with arbitrary fields', () => {
  const accepted = new Map<z.ZodType, string>()
  for (const { name, schema } of bodies)
    walk(schema, name, (inner, def, path) => {
      // The parts of a provider's block share one limit.
      const isLimitedElsewhere = /\.(plaid|mx|teller)\.\w/.test(path)
      if (def.type !== 'record' || isLimitedElsewhere || accepted.has(inner)) return
      accepted.set(inner, accepts(inner).length === 0 ? '' : path)
    })
  expect([...accepted.values()].filter(Boolean)).toEqual([])
})

it.each(['plaid', 'mx', 'teller'])('limits the names, depth and size of a block from %s', name => {
  const { body } = endpoints.find(({ id }) => id === 'updateAccountVerificationSession')!
  const field = name === 'mx' ? 'account' : 'balances'
  expect(accepts(body!, value => ({ [name]: { [field]: value, transactions: [] } }))).toEqual([])
  expect(accepts(body!, value => ({ [name]: { [field]: {}, transactions: [value] } }))).toEqual([])
  const nested = (levels: number) =>
    body!.safeParse({ [name]: { [field]: { value: deep(levels) }, transactions: [] } }).error?.issues
  expect(nested(5)).toBeUndefined()
  expect(nested(12)).toMatchObject([{ path: [name], message: 'must be nested at most 10 levels deep' }])
})

const LENGTH = 20_000
const hostileTexts = [
  'a'.repeat(LENGTH),
  '1'.repeat(LENGTH),
  ' '.repeat(LENGTH),
  `${' '.repeat(LENGTH)}x`,
  `a@${'.'.repeat(LENGTH)} `,
  `a@${'a.'.repeat(LENGTH / 2)}`,
  '@'.repeat(LENGTH),
  '-'.repeat(LENGTH),
  `1${' -'.repeat(LENGTH / 2)}x`,
  `2026-03-02T15:00:00.${'0'.repeat(LENGTH)}`,
  `P${'1'.repeat(LENGTH)}`,
  'P1D'.repeat(LENGTH / 3),
  `https://${'a.'.repeat(LENGTH / 2)}`,
  '\u0301'.repeat(LENGTH),
  '{{'.repeat(LENGTH / 2),
]

it('checks every string in time proportional to its length', async () => {
  const strings = new Map<z.ZodType, string>()
  for (const { name, schema } of bodies)
    walk(schema, name, (inner, def, path) => {
      if (def.type === 'string') strings.set(inner, path)
    })
  expect(strings.size).toBeGreaterThan(100)
  const slow: string[] = []
  for (const text of hostileTexts) {
    // Measures all schemas together, and each one only if together they take too long.
    const ms = await measureCpuMs(() => {
      for (const schema of strings.keys()) schema.safeParse(text)
    })
    if (ms < MAX_CPU_MS) continue
    for (const [schema, path] of strings) {
      const own = await measureCpuMs(() => schema.safeParse(text))
      if (own >= MAX_CPU_MS) slow.push(`${path}: ${text.slice(0, 10)}: ${Math.round(own)} ms`)
    }
  }
  expect(slow).toEqual([])
})
