import { endpoints } from '@causeway/contract/endpoints/preauths'
import { resourceError, ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { callOutside } from '../../network/outside-call.js'
import { createPortCall } from '../../network/ports.js'
import { createId } from '../../platform/crypto/random.js'
import { readJson, writeJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { findRow, orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { requireAgreed } from '../holders/consent-rules.js'
import { findAccount } from '../holders/store.js'

type PreauthBody = z.output<(typeof endpoints.createPreauth)['body']>
type PreauthRow = Tables['preauths']

const showPreauth = (row: PreauthRow) => ({
  id: row.id,
  account_id: row.account_id,
  status: row.error === null ? 'completed' : 'failed',
  verified_ownership: row.ownership,
  card_standing: row.standing,
  success_likelihood: row.likelihood === null ? null : row.likelihood / 10_000,
  optimal_retry_date: row.retry_at === null ? null : showTime(row.retry_at),
  error: readJson('preauths.error', row.error),
  metadata: readJson('preauths.metadata', row.metadata),
  created_at: showTime(row.created_at),
  updated_at: showTime(row.created_at),
})

/** Returns the network's reference for a credit card of the team. */
async function findCard(ctx: Ctx, id: string): Promise<string> {
  const account = orNotFound(await findAccount(ctx, id))
  if (account.type !== 'liability' || account.liability_type !== 'credit_card' || account.reference === null)
    throw new ServiceError('INVALID_REQUEST', 'account_id must be a credit card that the network found.')
  // Standing and ownership are facts that an update contains.
  // mutant: preauth-needs-consent (remove)
  requireAgreed(account, 'update')
  return account.reference
}

/** Requests the signals from the network. Stores neither the card nor the purchase. */
async function requestSignals(ctx: Ctx, { account_id, card, purchase }: PreauthBody) {
  const id = createId('preauth', ctx.now)
  const account = account_id == null ? null : await findCard(ctx, account_id)
  const answer = await callOutside(
    () =>
      ctx.deps.ports.network.preauth({
        ...createPortCall(ctx, id),
        account,
        card: card
          ? {
              bin6: card.bin6,
              last4: card.last4,
              first_name: card.first_name ?? null,
              last_name: card.last_name ?? null,
              phone: card.phone ?? null,
              zip: card.zip ?? null,
            }
          : null,
        purchase: purchase
          ? {
              amount: purchase.amount,
              mcc: purchase.mcc,
              ip_address: purchase.ip_address,
              at: Date.parse(purchase.txn_time),
            }
          : null,
      }),
    'The card network',
  )
  if (answer.status === 'unavailable')
    throw new ServiceError('TEAM_CAPABILITY_RESTRICTED', 'The network of this service has no preauth signals.')
  return { id, answer }
}

export const preauthRoutes: Route[] = [
  implement(endpoints.createPreauth, {
    prepare: (ctx, { body }) => requestSignals(ctx, body),
    async handle(ctx, { body: { account_id, metadata }, prepared: { id, answer } }) {
      const isFailed = answer.status === 'failed'
      const row: PreauthRow = {
        team_id: ctx.team.id,
        id,
        account_id: account_id ?? null,
        ownership: isFailed ? null : answer.ownership,
        standing: isFailed ? null : answer.standing,
        likelihood: isFailed || answer.likelihood === null ? null : Math.round(answer.likelihood * 10_000),
        retry_at: isFailed ? null : answer.retry_at,
        error: isFailed ? writeJson(resourceError(answer.code)) : null,
        metadata: metadataText(metadata),
        created_at: ctx.now,
      }
      await ctx.db.insertInto('preauths').values(row).execute()
      return one(showPreauth(row))
    },
  }),
  implement(endpoints.listPreauths, {
    async handle(ctx) {
      const { rows, headers } = await page(ctx, 'preauth', from => from('preauths').where('team_id', '=', ctx.team.id))
      return { shape: 'list', body: rows.map(showPreauth), headers }
    },
  }),
  implement(endpoints.retrievePreauth, {
    handle: async (ctx, { params }) => one(showPreauth(orNotFound(await findRow(ctx, 'preauths', params.preauth_id)))),
  }),
]
