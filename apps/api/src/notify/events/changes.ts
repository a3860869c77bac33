import type { moment } from '@causeway/contract/resources/timeline'
import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Scope } from '../../platform/scope.js'
import type { Body, Diff } from './event.js'
import { showEvents } from './show.js'

export type Change = NonNullable<z.infer<typeof moment>['changes']>[number]

/** The maximum number of changes that a timeline shows for an event. */
const MAX_CHANGES = 6

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a value as a timeline shows it: the size of a list, or the value itself. */
const shownValue = (value: unknown): Change['before'] =>
  Array.isArray(value) ? value.length : isBody(value) ? '{}' : ((value as Change['before'] | undefined) ?? null)

function* walk(before: unknown, after: unknown, path: string): Generator<Change> {
  const sides = [before ?? {}, after ?? {}] as const
  // An object that was added or removed is shown as its fields.
  if (isBody(sides[0]) && isBody(sides[1]) && (isBody(before) || isBody(after))) {
    const [one, other] = sides as readonly [Body, Body]
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
      yield* walk(one[name], other[name], path === '' ? name : `${path}.${name}`)
    return
  }
  if (JSON.stringify(before ?? null) === JSON.stringify(after ?? null)) return
  yield { path, before: shownValue(before), after: shownValue(after) }
}

/**
 * Returns the fields that an event changed, as paths such as `bt.payout_status`. Returns an empty list for a new
 * resource. Pure.
 */
export function changesOf({ before, after }: Diff): Change[] {
  if (before === null || after === null) return []
  const changes: Change[] = []
  for (const change of walk(before, after, '')) {
    if (change.path !== 'updated_at') changes.push(change)
    if (changes.length === MAX_CHANGES) break
  }
  return changes
}

/** Finds the changed fields of events, keyed by event id. */
export async function findChanges(
  scope: Scope,
  ids: readonly string[],
  version: Version,
): Promise<Map<string, Change[]>> {
  const rows = await scope.db
    .selectFrom('events')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids.concat(''))
    .execute()
  const shown = await showEvents(scope, rows, version)
  return new Map(rows.map(({ id }, index) => [id, changesOf(shown[index]!['diff'] as Diff)]))
}
