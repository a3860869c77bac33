import type { Envelope } from '@causeway/connector/methods/contract'
import type { StoredAnswers } from '@causeway/connector/provider/exchange'
import type { LinkedResource, ProviderStore } from '@causeway/connector/provider/provider'
import { DAY_MS } from '@causeway/contract/time'
import type { Sealer, Vault } from '../../platform/crypto/vault.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Store } from '../../platform/db/types.js'
import { canonicalJson } from '../../platform/http/request/canonical-json.js'

/** Returns the encryption of a team's values. */
export type SealerOf = (team: string) => Promise<Sealer>

export const createSealerOf =
  (store: Store, vault: Vault): SealerOf =>
  async team => {
    const row = await store.reader.selectFrom('teams').select('data_key').where('id', '=', team).executeTakeFirst()
    if (!row) throw new Error('A provider was called for a team that does not exist.')
    return vault.sealer(team, row.data_key)
  }

/** Returns the encryption of one team's values, whose key is read once. For the rows of one call. */
export function readOnce(sealerOf: SealerOf): SealerOf {
  let sealer: Promise<Sealer> | undefined
  return team => {
    sealer ??= sealerOf(team)
    return sealer
  }
}

const rowJson = jsonColumn<unknown>('provider_rows.value')
const answerJson = jsonColumn<unknown>('provider_calls.answer')

/** The number of days for which a provider's row is kept if the provider does not say. */
const DEFAULT_ROW_DAYS = 90

/** Creates the rows of a provider for a team. Each value is sealed for its own row. */
export function createProviderRows(
  { store, sealerOf, clock }: { store: Store; sealerOf: SealerOf; clock: () => number },
  provider: string,
  team: string,
): ProviderStore {
  const placeOf = (kind: string, id: string) => ({ id: `${provider} ${kind} ${id}`, field: 'provider_rows' })
  async function get(kind: string, id: string): Promise<unknown> {
    const row = await store.reader
      .selectFrom('provider_rows')
      .select('value')
      .where('team_id', '=', team)
      .where('provider', '=', provider)
      .where('kind', '=', kind)
      .where('id', '=', id)
      .executeTakeFirst()
    return row && rowJson.read((await sealerOf(team)).open(placeOf(kind, id), row.value))
  }
  async function createRow(kind: string, id: string, value: unknown, days: number | null) {
    const now = clock()
    return {
      team_id: team,
      provider,
      kind,
      id,
      value: (await sealerOf(team)).seal(placeOf(kind, id), rowJson.write(value)),
      expires_at: days === null ? null : now + days * DAY_MS,
      updated_at: now,
    }
  }
  return {
    get,
    async put(kind, id, value, { days = DEFAULT_ROW_DAYS } = {}) {
      const row = await createRow(kind, id, value, days)
      await store.write(tx =>
        tx
          .insertInto('provider_rows')
          .values(row)
          .onConflict(conflict =>
            conflict.columns(['team_id', 'provider', 'kind', 'id']).doUpdateSet({
              value: row.value,
              expires_at: row.expires_at,
              updated_at: row.updated_at,
            }),
          )
          .execute(),
      )
    },
    async claim(kind, id, value, { days = DEFAULT_ROW_DAYS } = {}) {
      const row = await createRow(kind, id, value, days)
      const inserted = await store.write(tx =>
        tx
          .insertInto('provider_rows')
          .values(row)
          .onConflict(conflict => conflict.columns(['team_id', 'provider', 'kind', 'id']).doNothing())
          .returning('id')
          .executeTakeFirst(),
      )
      return inserted ? value : get(kind, id)
    },
    async delete(kind, id) {
      await store.write(tx =>
        tx
          .deleteFrom('provider_rows')
          .where('team_id', '=', team)
          .where('provider', '=', provider)
          .where('kind', '=', kind)
          .where('id', '=', id)
          .execute(),
      )
    },
  }
}

/** Stores which resource an object at a provider belongs to. The first resource keeps the object. */
export async function linkObject(
  { store, clock }: { store: Store; clock: () => number },
  provider: string,
  team: string,
  externalId: string,
  { kind, id }: LinkedResource,
): Promise<void> {
  await store.write(tx =>
    tx
      .insertInto('provider_objects')
      .values({
        team_id: team,
        provider,
        external_id: externalId,
        kind,
        resource_id: id,
        line_id: null,
        return_line_id: null,
        created_at: clock(),
      })
      .onConflict(conflict => conflict.doNothing())
      .execute(),
  )
}

/** The question hash of an act, of which there is one for each request id. */
const NO_QUESTION = ''

/** Creates the store of the first answers of providers. Answers are sealed, because a few name people. */
export function createStoredAnswers(
  { store, vault, clock }: { store: Store; vault: Vault; clock: () => number },
  sealerOf: SealerOf,
): StoredAnswers {
  // The hash is keyed, because a question can be a short code.
  const hashOf = (check: unknown) =>
    check === null ? NO_QUESTION : vault.hash('provider question', canonicalJson(check))
  const placeOf = (path: string, { request_id }: Envelope, question: string) => ({
    id: `${path} ${request_id} ${question}`,
    field: 'provider_calls',
  })
  const find: StoredAnswers['find'] = async (path, call, check) => {
    const question = hashOf(check)
    const row = await store.reader
      .selectFrom('provider_calls')
      .select('answer')
      .where('team_id', '=', call.team_id)
      .where('path', '=', path)
      .where('request_id', '=', call.request_id)
      .where('question', '=', question)
      .executeTakeFirst()
    return (
      row && { answer: answerJson.read((await sealerOf(call.team_id)).open(placeOf(path, call, question), row.answer)) }
    )
  }
  return {
    find,
    async save(path, call, check, answer) {
      const question = hashOf(check)
      const sealed = (await sealerOf(call.team_id)).seal(placeOf(path, call, question), answerJson.write(answer))
      const { team_id, request_id } = call
      const inserted = await store.write(tx =>
        tx
          .insertInto('provider_calls')
          .values({ team_id, path, request_id, question, answer: sealed, created_at: clock() })
          .onConflict(conflict => conflict.columns(['team_id', 'path', 'request_id', 'question']).doNothing())
          .returning('path')
          .executeTakeFirst(),
      )
      return inserted ? answer : (await find(path, call, check))!.answer
    },
  }
}
