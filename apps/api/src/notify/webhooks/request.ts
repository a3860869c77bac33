/** Builds a delivery's request. The body and headers are derived from stored data. */
import { eventTypeOf } from '@causeway/contract/events'
import { isVersion, type Version } from '@causeway/contract/versions'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { eventJson } from '../events/event.js'
import { showEvents } from '../events/show.js'
import { type DeliveryContext, listAttempts } from './deliveries.js'
import { versionOf } from './show.js'
import { signatureHeaders } from './sign.js'
import { actionOf, SECRET_OVERLAP_MS } from './webhook.js'

/** The maximum number of response bytes to store. */
const MAX_EXCERPT_BYTES = 512

/**
 * Builds the body, with the event in a version's format. `erased` is true if the event's data has been deleted. Source:
 * contract, webhook payload.
 */
export async function bodyOf(
  scope: Scope,
  { webhook, event }: Pick<DeliveryContext, 'webhook' | 'event'>,
  version: Version,
): Promise<{ body: string; erased: boolean }> {
  const [shownEvent] = webhook.expand_event === 1 ? await showEvents(scope, [event], version) : []
  const body = JSON.stringify({
    webhook_id: webhook.id,
    id: event.resource_id,
    type: webhook.type,
    op: actionOf(webhook.type),
    ...(event.path === null ? {} : { path: event.path }),
    event: shownEvent ? { ...shownEvent, ...aliasFields(webhook.type) } : event.id,
    refs: event.refs === null ? null : eventJson.refs.read(event.refs),
  })
  return { body, erased: (shownEvent?.['diff'] as { after: unknown } | undefined)?.after === null }
}

/** Returns the names in an event that a webhook created under an alias receives in place of ours. Pure. */
const aliasFields = (type: string) =>
  eventTypeOf(type) === type ? {} : { type, resource_type: type.slice(0, type.lastIndexOf('.')) }

/** Returns the beginning of a response. Omits the bytes of a character that is cut off at the end. Pure. */
export const excerptOf = (body: Buffer): string =>
  new TextDecoder().decode(body.subarray(0, MAX_EXCERPT_BYTES), { stream: body.length > MAX_EXCERPT_BYTES })

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
export async function eraseResponses({ db, team }: Scope, events: readonly string[]): Promise<void> {
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
function authHeaders(
  scope: Scope,
  { webhook, delivery }: DeliveryContext,
  body: string,
  at: number,
): Record<string, string> | null {
  const { open } = sealer(scope)
  const rotatedAt = webhook.previous_until === null ? 0 : webhook.previous_until - SECRET_OVERLAP_MS
  if (at < rotatedAt || webhook.status === 'deleted') return null
  const openSecret = (field: 'hmac_secret' | 'previous_secret') => {
    const sealed = webhook[field]
    return sealed === null ? null : open({ id: webhook.id, field }, sealed)
  }
  const previous = webhook.previous_until !== null && webhook.previous_until > at ? openSecret('previous_secret') : null
  const secrets = [openSecret('hmac_secret'), previous].filter(secret => secret !== null)
  return signatureHeaders({ id: delivery.id, at, body, secrets, token: null, peer: webhook.peer_headers === 1 })
}

/** Returns the request sent in a delivery's last attempt or, if none is stored, the request for the next attempt. */
export async function showRequest(scope: Scope, context: DeliveryContext) {
  const { delivery, webhook } = context
  const [last] = await listAttempts(scope, delivery, 1)
  const sentAt = last?.sent_at ?? null
  const version = last?.version && isVersion(last.version) ? last.version : versionOf(scope, webhook)
  const { body, erased } = await bodyOf(scope, context, version)
  const signature = sentAt === null || erased ? null : authHeaders(scope, context, body, sentAt)
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
      ...signature,
      ...(webhook.auth_token === null ? {} : { Authorization: '[redacted]' }),
    },
    signed: signature !== null,
    body,
    erased,
  }
}
