/** The request of a delivery: its body and its headers, which are derived from what is stored. */
import { isVersion, type Version } from '@causeway/contract/versions'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { showEvents } from '../events/show.js'
import { attemptsOf, type Going } from './deliveries.js'
import { versionOf } from './show.js'
import { signatureHeaders } from './sign.js'
import { OVERLAP, opOf } from './webhook.js'

/** Bytes of a response that are stored. */
const EXCERPT = 512

/** The body, with the event as a version shows it. `erased`: the event's data was deleted. Source: contract, webhook payload. */
export async function bodyOf(
  scope: Scope,
  { webhook, event }: Pick<Going, 'webhook' | 'event'>,
  version: Version,
): Promise<{ body: string; erased: boolean }> {
  const [whole] = webhook.expand_event === 1 ? await showEvents(scope, [event], version) : []
  const body = JSON.stringify({
    webhook_id: webhook.id,
    id: event.resource_id,
    type: webhook.type,
    op: opOf(webhook.type),
    ...(event.path === null ? {} : { path: event.path }),
    event: whole ?? event.id,
    refs: event.refs === null ? null : JSON.parse(event.refs),
  })
  return { body, erased: (whole?.['diff'] as { after: unknown } | undefined)?.after === null }
}

/** The beginning of a response. Bytes of a character that is cut off are left out. Pure. */
export const excerptOf = (body: Buffer): string =>
  new TextDecoder().decode(body.subarray(0, EXCERPT), { stream: body.length > EXCERPT })

export const sealedExcerpt = (scope: Scope, delivery: string, excerpt: string | null): string | null =>
  excerpt === null ? null : sealer(scope).seal({ id: delivery, field: 'excerpt' }, excerpt)

/** Deletes what is stored of the responses to deliveries of some events, which may repeat personal data. */
export async function forgetResponses({ db, team }: Scope, events: readonly string[]): Promise<void> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select('id')
    .where('team_id', '=', team.id)
    .where('store_responses', 'is not', null)
    .execute()
  for (const { id } of events.length > 0 ? webhooks : [])
    await db
      .updateTable('delivery_attempts')
      .set({ excerpt: null })
      .where('team_id', '=', team.id)
      .where('delivery_id', 'in', from =>
        from
          .selectFrom('deliveries')
          .select('deliveries.id')
          .where('deliveries.team_id', '=', team.id)
          .where('deliveries.webhook_id', '=', id)
          .where('deliveries.event_id', 'in', events),
      )
      .execute()
}

/** The headers that prove the sender; null if the secret was changed since, so that they can't be repeated. */
function proofOf(scope: Scope, { webhook, delivery }: Going, body: string, at: number): Record<string, string> | null {
  const { open } = sealer(scope)
  const rotated = webhook.previous_until === null ? 0 : webhook.previous_until - OVERLAP
  if (at < rotated || webhook.status === 'deleted') return null
  const read = (field: 'hmac_secret' | 'previous_secret') => {
    const sealed = webhook[field]
    return sealed === null ? null : open({ id: webhook.id, field }, sealed)
  }
  const previous = webhook.previous_until !== null && webhook.previous_until > at ? read('previous_secret') : null
  const secrets = [read('hmac_secret'), previous].filter(secret => secret !== null)
  return signatureHeaders({ id: delivery.id, at, body, secrets, token: null, peer: webhook.peer_headers === 1 })
}

/** The request of the last attempt of a delivery, or of the next one if none is stored. */
export async function showRequest(scope: Scope, going: Going) {
  const { delivery, webhook } = going
  const [last] = await attemptsOf(scope, delivery, 1)
  const sentAt = last?.sent_at ?? null
  const version = last?.version && isVersion(last.version) ? last.version : versionOf(scope, webhook)
  const { body, erased } = await bodyOf(scope, going, version)
  const proof = sentAt === null || erased ? null : proofOf(scope, going, body, sentAt)
  const seconds = sentAt === null ? null : String(Math.floor(sentAt / 1_000))
  return {
    delivery_id: delivery.id,
    attempt: last?.number ?? null,
    sent_at: sentAt === null ? null : showTime(sentAt),
    url: webhook.url,
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': delivery.id,
      ...(seconds === null ? {} : { 'webhook-timestamp': seconds }),
      ...proof,
      ...(webhook.auth_token === null ? {} : { Authorization: '[redacted]' }),
    },
    signed: proof !== null,
    body,
    erased,
  }
}
