import { DAY_MS } from '@causeway/contract/time'
import { phoneProofAge } from '../../people/entities/proof-time.js'
import type { EntityRow } from '../../people/holders/entity.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'

/** Returns the time at which the person last verified the phone; null if that proof does not count for this token. */
export function acceptedProofTime(
  scope: Scope,
  token: Pick<Tables['tokens'], 'phone_proof_days'>,
  entity: EntityRow,
): number | null {
  const age = phoneProofAge(entity, scope.now)
  const days = Math.min(scope.team.settings.phone_proof_days ?? Infinity, token.phone_proof_days ?? Infinity)
  return age !== null && days > 0 && age <= days * DAY_MS ? scope.now - age : null
}

/**
 * Selects the time at which this bearer verified the phone, if it did. An unverified bearer receives no personal data.
 */
export const selectProof = (scope: Scope, hash: string) =>
  scope.db
    .selectFrom('bearers')
    .select('proved_at')
    .where('team_id', '=', scope.team.id)
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)

const bearersOf = (scope: Scope, entity: string) =>
  scope.db
    .updateTable('bearers')
    .where('team_id', '=', scope.team.id)
    .where('session_id', 'in', from =>
      from
        .selectFrom('sessions')
        .select('sessions.id')
        .where('sessions.team_id', '=', scope.team.id)
        .where('sessions.entity_id', '=', entity),
    )

/**
 * Records that a bearer verified the phone, and revokes the person's unverified bearers, because an unauthenticated
 * client may hold them. The caller holds the entity's lock, so if two bearers verify the phone simultaneously, the
 * second is revoked.
 * @returns false if the bearer was itself revoked
 */
export async function proveBearer(scope: Scope, hash: string, entity: string): Promise<boolean> {
  const changed = await bearersOf(scope, entity)
    .set(row => {
      const isMine = row('hash', '=', hash)
      return {
        proved_at: row.case().when(isMine).then(scope.now).else(row.ref('proved_at')).end(),
        revoked_at: row.case().when(isMine).then(row.ref('revoked_at')).else(scope.now).end(),
      }
    })
    .where('revoked_at', 'is', null)
    .where(row =>
      row.or([
        row('hash', '=', hash),
        // mutant: proof-revokes-unverified-bearers (remove)
        row('proved_at', 'is', null),
      ]),
    )
    // A bearer that has since been revoked can't verify the phone or revoke other bearers.
    .where(row => row.exists(selectProof(scope, hash)))
    .returning('hash')
    .execute()
  // The bearer may have been revoked while this statement waited for the bearer's row.
  return changed.some(row => row.hash === hash)
}

/** Clears the phone proofs of a person's bearers when the person's own phone proof is deleted. */
export async function clearBearerProofs(scope: Scope, entity: string): Promise<void> {
  await bearersOf(scope, entity).set({ proved_at: null }).execute()
}
