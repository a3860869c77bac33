/** Test helper that creates bodies with one invalid value. */

type Json = Record<string, unknown>
/** The keys and indices that lead from the root of a body to a value. */
export type Place = readonly (string | number)[]

/** Values that no field in the contract accepts. Each one has a different JSON type than the valid value. */
const wrongValues: readonly unknown[] = [true, 7.25, 'canary-value', ['canary-value'], { 'canary-key': 'canary-value' }]

const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)

/** Lists every leaf and branch in a body, except the body itself. */
export function places(value: unknown, under: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return under.length > 0 ? [under] : []
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
  const inner = [...keys].flatMap(key => places((value as Json)[key], [...under, key]))
  return under.length > 0 ? [...inner, under] : inner
}

/** Returns the body with a different value at a given path. A value of undefined removes the field. */
export function replaceAt<T>(body: T, [first, ...rest]: Place, value: unknown): T {
  if (first === undefined) return value as T
  const copy = (Array.isArray(body) ? [...body] : { ...body }) as Json
  copy[first] = replaceAt(copy[first], rest, value)
  return copy as T
}

export function valueAt(body: unknown, place: Place): unknown {
  return place.reduce<unknown>((at, key) => (at as Json)[key], body)
}

/** Returns the last field name on the path to a value. */
export const nameOf = (place: Place): string => String([...place].reverse().find(key => typeof key === 'string'))

/**
 * Lists copies of a valid body. In each copy, one place is set to a value of the wrong type.
 * @param free places that accept any value
 */
export function spoiledCopies(
  body: Json,
  free: readonly string[] = [],
): { place: Place; value: unknown; body: Json }[] {
  return places(body)
    .filter(place => !free.includes(place.join('.')))
    .flatMap(place =>
      wrongValues
        .filter(value => typeOf(value) !== typeOf(valueAt(body, place)))
        .map(value => ({ place, value, body: replaceAt(body, place, value) })),
    )
}
