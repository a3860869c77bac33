/** Builds a delivery's request. The body and headers are derived from stored data. */
import { eventTypeOf } from '@causeway/contract/events'
import { isVersion, type Version } from '@causeway/contract/versions'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { eventJson } from '../events/event.js'
import { showEvents } from '../events/show.js'
import { attemptsOf, type Going } from './deliveries.js'
import { versionOf } from './show.js'
import { signatureHeaders } from './sign.js'
import { OVERLAP, opOf } from './webhook.js'

/** The maximum number of response bytes to store. */
const EXCERPT = 512

/**
 * Builds the body, with the event in a version's format. `erased` is true if the event's data has been deleted. Source:
 * contract, webhook payload.
 */
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
    event: whole ? { ...whole, ...aliased(webhook.type) } : event.id,
    refs: event.refs === null ? null : eventJson.refs.read(event.refs),
  })
  return { body, erased: (whole?.['diff'] as { after: unknown } | undefined)?.after === null }
}

/** Returns the names in an event that a webhook created under an alias receives in place of ours. Pure. */
const aliased = (type: string) =>
  eventTypeOf(type) === type ? {} : { type, resource_type: type.slice(0, type.lastIndexOf('.')) }

/** Returns the beginning of a response. Omits the bytes of a character that is cut off at the end. Pure. */
export const excerptOf = (body: Buffer): string =>
  new TextDecoder().decode(body.subarray(0, EXCERPT), { stream: body.length > EXCERPT })

export const sealedExcerpt = (scope: Scope, delivery: string, excerpt: string | null): string | null =>
  excerpt === null
    ? null
    : /* mutant: stored-responses-are-sealed (argument 2) */ sealer(scope).seal(
        { id: delivery, field: 'excerpt' },
        excerpt,
      )

/**
 * Deletes the stored responses to deliveries of these events, because the responses may contain personal data from the
 * events.
 */
export async function forgetResponses({ db, team }: Scope, events: readonly string[]): Promise<void> {
  const webhooks = await db
    .selectFrom('webhooks')
    .select('id')
    .where('team_id', '=', team.id)
    .where('store_responses', 'is not', null)
    .execute()
  for (const { id } of /* mutant: stored-responses-are-erased (false) */ events.length > 0 ? webhooks : [])
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

/**
 * The headers that authenticate the sender. Null if the secret has since changed, because these headers can no longer
 * be reproduced.
 */
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

/** Returns the request sent in a delivery's last attempt or, if none is stored, the request for the next attempt. */
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
