import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVault, sha256 } from '../../platform/crypto/vault.js'
import { SEED } from '../../testing/contract/random.js'
import { eventDictionary } from './dictionary.js'
import { diffOf } from './event.js'
import { openStates, sealErased, sealStates } from './states.js'

const vault = createVault(Buffer.alloc(32, 7))
const sealer = vault.sealer('tm_a', vault.createTeamKey('tm_a'))
const id = 'evt_a'

type Body = Record<string, unknown>
/** Returns a body as it is after it was stored as JSON and read again. */
const stored = (value: unknown) => JSON.parse(JSON.stringify(value)) as Body
/** Few names, so that two states often share fields, in a different order. */
const names = fc.constantFrom('id', 'status', 'error', 'metadata', 'constructor', 'toString', '0', 'é')
const values = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, '', 'active', 0, {}, []),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const bodies: fc.Arbitrary<Body> = fc
  .uniqueArray(fc.tuple(names, values), { selector: ([name]) => name, maxLength: 8 })
  .map(fields => Object.fromEntries(fields))

const read = (row: { data: string; diff: string }) => openStates(sealer, { id, ...row })
/** The earlier form of an event: the whole state, and both sides of the difference. */
const inEarlierForm = (data: Body, before: Body | null) => ({
  data: sealer.seal({ id, field: 'data' }, JSON.stringify(data)),
  diff: sealer.seal({ id, field: 'diff' }, JSON.stringify(diffOf(before, data))),
})
/** The difference as `GET /events` shows it, as text, because the order of its fields is part of a webhook's body. */
const shown = ({ data, before }: { data: Body; before: Body | null }) => JSON.stringify([data, diffOf(before, data)])

describe('the states of an event', () => {
  it('are read back as they were, for any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(bodies, { minLength: 1, maxLength: 5 }), sequence => {
        sequence.forEach((data, at) => {
          const before = sequence[at - 1] ?? null
          const opened = read(sealStates(sealer, id, { data, before }))
          expect(opened).toEqual({ data: stored(data), before: stored(before), erased: false })
          expect(JSON.stringify(opened.data)).toBe(JSON.stringify(data))
          // The same bytes as an event in the earlier form.
          expect(shown(opened)).toBe(shown(read(inEarlierForm(data, before))))
        })
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('are read from an event in the earlier form', () => {
    const [before, data] = [
      { id: 'pmt_a', status: 'pending', gone: 1 },
      { id: 'pmt_a', status: 'sent', came: null },
    ]
    expect(read(inEarlierForm(data, before))).toEqual({ data, before, erased: false })
    expect(read(inEarlierForm(data, null))).toEqual({ data, before: null, erased: false })
  })

  it('take less than half of the space that they take in the earlier form', () => {
    const data = Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`field_of_a_payment_${at}`, `value ${at}`]))
    const sizeOf = (row: { data: string; diff: string }) => row.data.length + row.diff.length
    for (const before of [null, { ...data, field_of_a_payment_3: null }])
      expect(sizeOf(sealStates(sealer, id, { data, before }))).toBeLessThan(sizeOf(inEarlierForm(data, before)) / 2)
  })

  it('are gone once the event is erased', () => {
    const erased = read(sealErased(sealer, id, 'pmt_a'))
    expect(erased).toEqual({ data: { id: 'pmt_a' }, before: null, erased: true })
  })

  it('are compressed with a text that never changes', () => {
    // If this fails, undo the change to the text: without the old one, no stored event can be read.
    expect(sha256(eventDictionary.toString())).toBe('sl5SG7xRFndgLpMtnzySfhNEg4a9aPwxFg54zA6nms4')
  })

  it('of a large resource are read back', () => {
    const data = { id: 'ent_a', text: 'é'.repeat(40_000), more: Array.from({ length: 5_000 }, (_, at) => at) }
    expect(read(sealStates(sealer, id, { data, before: null })).data).toEqual(data)
  })
})
