/** For tests alone: bodies that are wrong in one place. */

/** Values that no field of the contract takes, each of another JSON type than the one that is right. */
const strange: readonly [string, unknown][] = [
  ['boolean', true],
  ['number', 7.25],
  ['string', 'canary-value'],
  ['array', ['canary-value']],
  ['object', { 'canary-key': 'canary-value' }],
]

type Json = Record<string, unknown>

/** Paths of all leaves and branches of a body: `individual.phone`, `connect.products[0]`. */
export function places(value: unknown, under = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => places(item, `${under}[${index}]`)).concat(under)
  if (typeof value !== 'object' || value === null) return [under]
  const inner = Object.entries(value).flatMap(([key, item]) => places(item, under ? `${under}.${key}` : key))
  return under ? [...inner, under] : inner
}

/** The body with another value at a place. */
export function replaced(body: Json, place: string, value: unknown): Json {
  const parts = place.split(/[.[\]]+/).filter(part => part !== '')
  const copy = structuredClone(body)
  let at = copy as Json
  for (const part of parts.slice(0, -1)) at = at[part] as Json
  at[parts.at(-1)!] = value
  return copy
}

export function valueAt(body: Json, place: string): unknown {
  return place
    .split(/[.[\]]+/)
    .filter(part => part !== '')
    .reduce<unknown>((at, part) => (at as Json)[part], body)
}

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** Every place of a good body with every value of a type that it does not take. */
export function spoiled(body: Json, free: readonly string[] = []): { place: string; value: unknown; body: Json }[] {
  return places(body)
    .filter(place => !free.some(name => place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`)))
    .flatMap(place =>
      strange
        .filter(([type]) => type !== typeOf(valueAt(body, place)))
        .map(([, value]) => ({ place, value, body: replaced(body, place, value) })),
    )
}
