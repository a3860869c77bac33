/**
 * Lets metadata keep a member named `__proto__`, which is a member like any other to a customer. Zod drops it from every
 * record, so it has another name while a schema checks the body.
 */
const PROTO = '__proto__'

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

const renamed = (members: Members, from: string, to: string): Members =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name === from ? to : name, value]))

/**
 * Calls `parse` with a body whose metadata has no member named `__proto__`. The member's temporary name has the same
 * length, so that a limit on the size of the metadata applies to it.
 * @param restore returns the same result with another metadata
 */
export function withProtoMember<Result>(
  body: unknown,
  parse: (body: unknown) => Result,
  restore: (result: Result, change: (metadata: unknown) => unknown) => Result,
): Result {
  const metadata = isObject(body) ? body['metadata'] : undefined
  if (!isObject(metadata) || !Object.hasOwn(metadata, PROTO)) return parse(body)
  let number = 0
  let temporary = ''
  do temporary = `__p${String(number++).padStart(4, '0')}__`
  while (Object.hasOwn(metadata, temporary))
  return restore(parse({ ...(body as Members), metadata: renamed(metadata, PROTO, temporary) }), changed =>
    isObject(changed) ? renamed(changed, temporary, PROTO) : changed,
  )
}
