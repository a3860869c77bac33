/**
 * Stores an event's resource before and after the change: the current state and the earlier values of the changed
 * fields, in one compressed value. Compression matters because events are the largest part of a store.
 */
import type { Sealer } from '../../platform/crypto/vault.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import { eventDictionary } from './dictionary.js'
import { type Body, type Diff, diffOf } from './event.js'

type StatesColumns = Pick<Tables['events'], 'data' | 'diff'>

/** The states of a resource. `before` is null for a new resource. */
export interface ResourceStates {
  data: Body
  before: Body | null
}

/** The stored form. */
interface StoredStates {
  data: Body
  /** The previous values of the changed and removed fields. Null if the resource is new. */
  before: Body | null
  /** The names of the changed and added fields. */
  changed: string[]
}

const statesJson = jsonColumn<StoredStates>('events.data')

/** The earlier form of an event: its data, and both sides of the difference. Neither is compressed. */
const uncompressedJson = { data: jsonColumn<Body>('events.data'), diff: jsonColumn<Diff>('events.diff') }

const fieldsOf = (body: Body | null): string[] => Object.keys(body ?? {})

/** Returns the encrypted columns of an event. An empty `diff` means that `data` contains both states. */
export function sealStates({ pack }: Sealer, id: string, { data, before: whole }: ResourceStates): StatesColumns {
  const { before, after } = diffOf(whole, data)
  const value: StoredStates = { data, before, changed: before === null ? [] : fieldsOf(after) }
  return { data: pack({ id, field: 'data' }, statesJson.write(value), eventDictionary), diff: '' }
}

/** Returns the encrypted columns of an event whose data was deleted. Only the resource's id remains. */
export const sealErased = ({ seal }: Sealer, id: string, resource: string): StatesColumns => ({
  data: seal({ id, field: 'data' }, uncompressedJson.data.write({ id: resource })),
  diff: seal({ id, field: 'diff' }, uncompressedJson.diff.write({ before: null, after: null })),
})

/** Reads an event's states. `erased` is true if the event's data was deleted. */
export function openStates(
  sealer: Sealer,
  { id, data: sealed, diff }: StatesColumns & { id: string },
): ResourceStates & { erased: boolean } {
  const place = { id, field: 'data' }
  if (diff === '') {
    const value = statesJson.read(sealer.unpack(place, sealed, eventDictionary))
    return { data: value.data, before: stateBefore(value), erased: false }
  }
  const data = uncompressedJson.data.read(sealer.open(place, sealed))
  const { before, after } = uncompressedJson.diff.read(sealer.open({ id, field: 'diff' }, diff))
  return { data, before: stateBefore({ data, before, changed: fieldsOf(after) }), erased: after === null }
}

/** Rebuilds the previous state of a resource. Returns null if the resource is new. Pure. */
function stateBefore({ data, before, changed }: StoredStates): Body | null {
  if (before === null) return null
  return { ...Object.fromEntries(Object.entries(data).filter(([key]) => !changed.includes(key))), ...before }
}
