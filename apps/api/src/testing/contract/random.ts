/** Test helper that generates pseudorandom invalid bodies, which are the same in every run. */
import fc from 'fast-check'
import { places, replaceAt } from './input.js'

/** The number of bodies to generate for each endpoint and each session step. A full run uses 2,000. */
export const RUNS = Number(process.env['FUZZ_RUNS'] ?? 75)
export const SEED = 20_260_302

const canary = fc.string({ minLength: 3, maxLength: 20, unit: 'grapheme' }).map(text => `canary${text}`)
const values = fc.oneof(
  canary,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', 'x'.repeat(5_000), '0', 'null', '-1', '1e9', '__proto__', "' or 1=1 --"),
  fc.constantFrom(0, -0, -1, 1, 99, 100.5, 1e21, -1e-9, 2 ** 53, Number.MAX_VALUE, 100_000_001),
  fc.constantFrom(null, true, [], {}, [[]], [null], { constructor: { name: 1 } }, ['', '']),
)

/**
 * Makes one to three changes to a valid body: sets a field to another value, removes a field, or adds an unknown one.
 */
export const spoiledBodies = (valid: Record<string, unknown>) =>
  fc
    .array(fc.record({ place: fc.nat(), value: values, how: fc.constantFrom('set', 'set', 'set', 'drop', 'more') }), {
      minLength: 1,
      maxLength: 3,
    })
    .map(changes => {
      let body = valid
      for (const { place, value, how } of changes) {
        const paths = places(body)
        const at = paths[place % Math.max(1, paths.length)]
        if (at === undefined) break
        if (how === 'more') body = { ...body, [`extra${place}`]: value }
        else body = replaceAt(body, at, how === 'drop' ? undefined : value)
      }
      return body
    })
