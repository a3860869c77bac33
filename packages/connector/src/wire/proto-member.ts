/**
 * Checks values from outside that may have a member named `__proto__`. To the sender, it is a member like any other; Zod
 * drops it from every record, so it has another name while a schema checks the value.
 */
import type { z } from 'zod'

const PROTO = '__proto__'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns true if a value has a member named `__proto__`, at any depth. */
const hasProto = (value: unknown): boolean =>
  isObject(value) && (Object.hasOwn(value, PROTO) || Object.values(value).some(hasProto))

/** Collects the names of all members of a value, at any depth. */
function collectNames(value: unknown, names: Set<string>): void {
  if (!isObject(value)) return
  const isList = Array.isArray(value)
  for (const [name, inner] of Object.entries(value)) {
    if (!isList) names.add(name)
    collectNames(inner, names)
  }
}

/** Renames the members of a value, at any depth. */
function renamed(value: unknown, from: string, to: string): unknown {
  if (!isObject(value)) return value
  if (Array.isArray(value)) return value.map(each => renamed(each, from, to))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name === from ? to : name, renamed(inner, from, to)]),
  )
}

/** Returns a name that no member has. It is as long as the name that it replaces, so that limits on size apply to it. */
function unusedName(names: ReadonlySet<string>): string {
  let number = 0
  let name = ''
  do name = `__p${String(number++).padStart(4, '0')}__`
  while (names.has(name))
  return name
}

type Checked<S extends z.ZodType> =
  | { readonly success: true; readonly data: z.output<S> }
  | { readonly success: false; readonly issues: readonly z.core.$ZodIssue[] }

const resultOf = <S extends z.ZodType>(schema: S, value: unknown): Checked<S> => {
  const { success, data, error } = schema.safeParse(value)
  return success ? { success, data } : { success, issues: error.issues }
}

/** Checks a value, in which every member named `__proto__` is the value's own, against a schema. */
export function safeParse<S extends z.ZodType>(schema: S, value: unknown): Checked<S> {
  if (!hasProto(value)) return resultOf(schema, value)
  const names = new Set<string>()
  collectNames(value, names)
  const temporary = unusedName(names)
  const result = resultOf(schema, renamed(value, PROTO, temporary))
  if (result.success) return { success: true, data: renamed(result.data, temporary, PROTO) as z.output<S> }
  const nameOf = <T>(part: T) => (part === temporary ? PROTO : part)
  const issues = result.issues.map(issue => ({
    ...issue,
    path: issue.path.map(nameOf),
    ...(issue.code === 'unrecognized_keys' && { keys: issue.keys.map(nameOf) }),
  }))
  return { success: false, issues: issues as z.core.$ZodIssue[] }
}
