import { ServiceError } from '@causeway/contract/errors'
import type { KeyScope } from '@causeway/contract/fields/key-scopes'
import type { Version } from '@causeway/contract/versions'
import { compiled } from '../../db/compiled-query.js'
import { errorCode, LOCK_TIMEOUT_CODE } from '../../db/fault.js'
import { readJson, writeJson } from '../../db/json.js'
import { jsonColumn } from '../../db/json-column.js'
import type { Tables } from '../../db/tables.js'
import type { Db } from '../../db/types.js'
import { type Deps, type Scope, sealer, type Team } from '../../scope.js'
import { scopeOfPath } from '../endpoint/scopes.js'
import type { Rendered } from '../response/rendered.js'

/** The request that claims a key. */
export interface Claim {
  team: Team
  key: string
  method: string
  path: string
  bodyHash: string
}

interface Stored {
  rendered: Rendered
  mismatch: boolean
}

/**
 * The state of a key. `other` means that a request with another method or path claimed the key; `scope` is the scope
 * that it required.
 */
export type ClaimState =
  | { state: 'mine' }
  | { state: 'other'; scope: KeyScope | undefined }
  | ({ state: 'done' } & Stored)
  | { state: 'waiting'; waitsFor: WaitsFor }
/** A committed effect whose response still depends on a job. */
export interface WaitsFor {
  job: string
  kind: string
  id: string
}

const answerJson = jsonColumn<Rendered>('idempotency.body')

function read(deps: Deps, claim: Claim, row: Tables['idempotency']): ClaimState {
  // mutant: replay-for-same-path (drop 2)
  if (row.method !== claim.method || row.path !== claim.path)
    return { state: 'other', scope: scopeOfPath(row.method, row.path) }
  if (row.state === 'waiting') return { state: 'waiting', waitsFor: readJson('idempotency.waits_for', row.waits_for)! }
  const own = { deps, team: claim.team, now: 0, db: deps.store.reader, after() {} }
  const rendered = answerJson.read(sealer(own).open({ id: row.key, field: 'answer' }, row.body ?? ''))
  return {
    state: 'done',
    rendered,
    // mutant: replay-reports-other-body (= false)
    mismatch: row.body_hash !== claim.bodyHash,
  }
}

const rowOf = compiled((db, given: { team: string; key: string }) =>
  db
    .selectFrom('idempotency')
    .selectAll()
    // mutant: keys-of-own-team (remove)
    .where('team_id', '=', given.team)
    .where('key', '=', given.key),
)

/** Returns a key's state, or undefined if the key has no row. */
export async function find(deps: Deps, db: Db, claim: Claim): Promise<ClaimState | undefined> {
  const row = await rowOf.first(db, { team: claim.team.id, key: claim.key })
  return row && read(deps, claim, row)
}

const insertClaim = compiled((db, row: Tables['idempotency']) =>
  db
    .insertInto('idempotency')
    .values(row)
    .onConflict(conflict => conflict.columns(['team_id', 'key']).doNothing())
    .returning('key'),
)

/** Claims the key for this transaction, or returns the key's state. Waits if another transaction holds the key. */
export async function claim(deps: Deps, tx: Db, wanted: Claim): Promise<ClaimState> {
  const inserted = await insertClaim.first(tx, {
    team_id: wanted.team.id,
    key: wanted.key,
    state: 'waiting',
    method: wanted.method,
    path: wanted.path,
    body_hash: wanted.bodyHash,
    subject: null,
    status: null,
    body: null,
    waits_for: null,
    created_at: deps.clock(),
  })
  // mutant: key-belongs-to-first-request (true)
  if (inserted) return { state: 'mine' }
  return (await find(deps, tx, wanted)) ?? { state: 'mine' }
}

type Kept = Pick<Tables['idempotency'], 'key' | 'status' | 'subject' | 'body'> & { team: string }
const keepAnswer = compiled((db, { team, key, ...answer }: Kept) =>
  db
    .updateTable('idempotency')
    .set({ ...answer, state: 'done', waits_for: null })
    .where('team_id', '=', team)
    .where('key', '=', key)
    .where('state', '=', 'waiting')
    .returning('key'),
)

/** Stores the exact response. Returns false if a response is already stored. */
export async function keep(deps: Deps, tx: Db, owned: Claim, answer: Rendered): Promise<boolean> {
  return (await keepAnswer.first(tx, keptOf(deps, tx, owned, answer))) !== undefined
}

/** Stores the exact response of a key that this transaction has claimed. */
export const keepClaimed = (deps: Deps, tx: Db, owned: Claim, answer: Rendered): Promise<void> =>
  keepAnswer.later(tx, keptOf(deps, tx, owned, answer))

function keptOf(deps: Deps, tx: Db, owned: Claim, answer: Rendered): Kept {
  const { stored, ...whole } = answer
  const rendered = stored === undefined ? whole : { ...whole, body: stored }
  const scope = { deps, team: owned.team, now: 0, db: tx, after() {} }
  return {
    team: owned.team.id,
    key: owned.key,
    status: rendered.status,
    subject: subjectOf(owned.path, rendered.body),
    // mutant: answers-are-sealed (argument 2)
    body: sealer(scope).seal({ id: owned.key, field: 'answer' }, answerJson.write(rendered)),
  }
}

/** Records the job that the response depends on, so that the effect can be committed without a response. */
export async function postpone(tx: Db, owned: Claim, waitsFor: WaitsFor): Promise<void> {
  await tx
    .updateTable('idempotency')
    .set({ waits_for: writeJson(waitsFor) })
    .where('team_id', '=', owned.team.id)
    .where('key', '=', owned.key)
    .execute()
}

/**
 * Converts a failed claim to an error: 409 if the lock was not granted in time; otherwise, 503. The request had no
 * effect.
 */
export function asClaimError(error: unknown): ServiceError {
  return errorCode(error) === LOCK_TIMEOUT_CODE
    ? new ServiceError('IDEMPOTENCY_KEY_IN_USE', undefined, { 'Retry-After': '1' })
    : new ServiceError('IDEMPOTENCY_UNAVAILABLE', undefined, { 'Retry-After': '1' })
}

/**
 * Returns the id of the resource that a response is about: the entity or account in the path or, if there is none, the
 * resource in the body.
 */
function subjectOf(path: string, body: string): string | null {
  return /\b(?:ent|acc)_\w+/.exec(path)?.[0] ?? /"id":"(\w+)"/.exec(body.slice(0, 200))?.[1] ?? null
}

type Shown = Record<string, unknown> & { id: string }

/** Replaces every occurrence of a resource in a stored response with the resource's new form. */
function withShown(value: unknown, shown: Shown): unknown {
  if (Array.isArray(value)) return value.map(item => withShown(item, shown))
  if (typeof value !== 'object' || value === null) return value
  if ('id' in value && value.id === shown.id) return shown
  const parts = Object.entries(value).map(([key, part]) => [key, key === 'metadata' ? part : withShown(part, shown)])
  return Object.fromEntries(parts)
}

/**
 * Returns a response without personal data: only the subject's new form or, if the response is about another resource,
 * that resource's id.
 */
function withoutRest(
  kind: Rendered['kind'],
  answer: { success?: true; data?: { id?: string }; id?: string },
  shown: Shown,
): unknown {
  if (kind === 'list') return { data: [] }
  const said = answer.success ? answer.data : answer
  const left = said?.id === shown.id ? shown : { id: said?.id ?? null }
  return answer.success ? { ...answer, data: left } : left
}

/**
 * Removes a subject's data from the stored responses about the subject. Also removes an account's data from the stored
 * responses about its holder. A repeated request still gets a response in its version's format and never has a second
 * effect.
 * @param shown the subject's new form, in the latest API version
 */
export async function scrubAnswers(scope: Scope, subject: string, shown: Shown, holder?: string): Promise<void> {
  const { open, seal } = sealer(scope)
  const rows = await scope.db
    .selectFrom('idempotency')
    .select(['key', 'subject', 'body'])
    .where('team_id', '=', scope.team.id)
    .where(
      'subject',
      'in',
      holder === undefined ? [subject] : [subject, /* mutant: withdrawn-account-in-no-answer (remove) */ holder],
    )
    .where('state', '=', 'done')
    .execute()
  const forms = new Map<Version, Shown>()
  for (const row of rows) {
    const place = { id: row.key, field: 'answer' }
    const rendered = answerJson.read(open(place, row.body ?? ''))
    const { reads: _, ...unread } = rendered
    const own = row.subject === subject
    if (rendered.status >= 400 || !(own || rendered.body.includes(subject))) continue
    const version = rendered.version ?? scope.team.version
    const form = forms.get(version) ?? ((await scope.deps.versions.showing(scope, version, shown))(shown) as Shown)
    forms.set(version, form)
    const answer = JSON.parse(rendered.body)
    const left = own ? withoutRest(rendered.kind, answer, form) : withShown(answer, form)
    await scope.db
      .updateTable('idempotency')
      .set({
        body: seal(place, answerJson.write({ ...(own ? unread : rendered), body: JSON.stringify(left) })),
      })
      .where('team_id', '=', scope.team.id)
      .where('key', '=', row.key)
      .execute()
  }
}
