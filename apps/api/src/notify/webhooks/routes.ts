import { deliveries, endpoints } from '@causeway/contract/endpoints/webhooks'
import { resourceCodes, resourceError, ServiceError } from '@causeway/contract/errors'
import { STRONG_SECRET_LENGTH } from '@causeway/contract/resources/webhook'
import { changesBetween, hiddenChanges } from '../../platform/audit/changes.js'
import { audit } from '../../platform/audit/store.js'
import { createId } from '../../platform/crypto/random.js'
import { writeJson } from '../../platform/db/json.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { gone, one, type Route } from '../../platform/http/endpoint/route.js'
import { createLane, resetLane } from '../../platform/jobs/lanes.js'
import { type Ctx, sealer } from '../../platform/scope.js'
import { isLoopback, readUrl } from '../../team/teams/origin.js'
import { showWebhook, type WebhookRow } from './show.js'
import { newSecret } from './sign.js'
import { cancelDeliveries, changeWebhook, disableWebhook } from './status.js'
import { findWebhookOrThrow } from './store.js'
import { laneOf, noFailures, SECRET_OVERLAP_MS } from './webhook.js'

/** Throws INVALID_REQUEST if the service would refuse to call the URL. */
function checkUrl(ctx: Ctx, url: string): void {
  const { environment, outbound } = ctx.deps
  readUrl(url, 'url', environment === 'sandbox')
  if (outbound.admits(url)) return
  const hint = isLoopback(new URL(url).hostname) && !outbound.loopback
  throw new ServiceError(
    'INVALID_REQUEST',
    hint
      ? 'url must not point to the machine that runs the service, unless the service runs with OUTBOUND_LOOPBACK=allow.'
      : 'url must be a public address that does not belong to the service itself.',
  )
}

const sealOf = (ctx: Ctx, id: string) => (field: string, value: string | null | undefined) =>
  value ? sealer(ctx).seal({ id, field }, value) : null

const isWeak = (secret: string | null | undefined) => Boolean(secret) && secret!.length < STRONG_SECRET_LENGTH

/** Returns the header that names a weak secret. */
const weakSecretWarning = ({ weak_secret }: WebhookRow) =>
  weak_secret === 1
    ? {
        headers: { 'Service-Warning': `hmac_secret has fewer than ${STRONG_SECRET_LENGTH} characters. Rotate it.` },
      }
    : {}

/** Deletes a webhook's secrets and cancels its deliveries. */
async function deleteWebhook(ctx: Ctx, webhook: WebhookRow): Promise<WebhookRow> {
  const none = { auth_token: null, hmac_secret: null, previous_secret: null, weak_secret: null }
  await resetLane(ctx, webhook.lane)
  const row = await changeWebhook(ctx, webhook, { status: 'deleted', ...none })
  await cancelDeliveries(ctx, row.id)
  await audit(ctx, ctx.actor, 'webhook.delete', row.id)
  return row
}

export const webhookRoutes: Route[] = [
  implement(endpoints.createWebhook, {
    async handle(ctx, { body }) {
      const { type, url, auth_token, hmac_secret, expand_event, api_version, store_responses } = body
      checkUrl(ctx, url)
      const id = createId('webhook', ctx.now)
      const lane = laneOf(ctx.team.id, url)
      const seal = sealOf(ctx, id)
      // Without a secret, a receiver can't distinguish our deliveries from another sender's.
      const newHmacSecret = hmac_secret ? undefined : newSecret()
      const row: WebhookRow = {
        id,
        team_id: ctx.team.id,
        type,
        url,
        lane,
        expand_event: expand_event ? 1 : 0,
        api_version: api_version ?? null,
        peer_headers: ctx.enveloped ? 1 : 0,
        store_responses: store_responses ? 1 : null,
        weak_secret: isWeak(hmac_secret) ? 1 : null,
        auth_token: seal('auth_token', auth_token),
        hmac_secret: seal('hmac_secret', hmac_secret || newHmacSecret),
        previous_secret: null,
        previous_until: null,
        ...noFailures,
        counted_since: 0,
        status: 'active',
        error: null,
        metadata: metadataText(body.metadata),
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await ctx.db.insertInto('webhooks').values(row).execute()
      await createLane(ctx, lane)
      await audit(ctx, ctx.actor, 'webhook.create', id, { changes: changesBetween({}, { type }) })
      const shown = showWebhook(row)
      const answer = (value: string | null) => ({ ...shown, hmac_secret: value })
      return { shape: 'one', body: answer(newHmacSecret ?? null), stored: answer(null), ...weakSecretWarning(row) }
    },
  }),
  implement(endpoints.listWebhooks, {
    async handle(ctx, { query: filter }) {
      const statuses = filter.all('status')
      const { rows, headers } = await page(ctx, 'webhook', from => {
        const query = from('webhooks').where('team_id', '=', ctx.team.id).where('status', '!=', 'deleted')
        return statuses.length > 0 ? query.where('status', 'in', statuses) : query
      })
      return { shape: 'list', body: rows.map(showWebhook), headers }
    },
  }),
  implement(endpoints.retrieveWebhook, {
    handle: async (ctx, { params }) => one(showWebhook(await findWebhookOrThrow(ctx, params.whk_id))),
  }),
  implement(endpoints.updateWebhook, {
    async handle(ctx, { params, body: { status, store_responses } }) {
      const webhook = await findWebhookOrThrow(ctx, params.whk_id)
      if (status === 'deleted') return one(showWebhook(await deleteWebhook(ctx, webhook)))
      if (status !== undefined) await resetLane(ctx, webhook.lane)
      const current = { status: webhook.status, store_responses: webhook.store_responses === 1 }
      const next = { ...current, ...(status && { status }), ...(store_responses !== undefined && { store_responses }) }
      await audit(ctx, ctx.actor, 'webhook.update', webhook.id, { changes: changesBetween(current, next) })
      const row =
        store_responses === undefined
          ? webhook
          : await changeWebhook(ctx, webhook, { store_responses: store_responses ? 1 : 0 })
      if (status === undefined) return one(showWebhook(row))
      if (status === 'disabled')
        return one(
          showWebhook(
            await disableWebhook(ctx, row, {
              error: writeJson(resourceError(resourceCodes.WEBHOOK_DISABLED_BY_USER)),
              // The service no longer tries the endpoint, even if it had disabled the webhook itself.
              ...noFailures,
            }),
          ),
        )
      return one(showWebhook(await changeWebhook(ctx, row, { status, error: null, ...noFailures })))
    },
  }),
  implement(deliveries.rotateWebhook, {
    async handle(ctx, { params, body: { hmac_secret, auth_token } }) {
      const row = await findWebhookOrThrow(ctx, params.whk_id)
      const seal = sealOf(ctx, row.id)
      const { open } = sealer(ctx)
      const previousSecret = row.hmac_secret && open({ id: row.id, field: 'hmac_secret' }, row.hmac_secret)
      const secrets = hmac_secret
        ? {
            hmac_secret: seal('hmac_secret', hmac_secret),
            weak_secret: isWeak(hmac_secret) ? 1 : null,
            previous_secret: seal('previous_secret', previousSecret),
            previous_until: ctx.deps.clock() + SECRET_OVERLAP_MS,
          }
        : {}
      const replaced = [...(hmac_secret ? ['hmac_secret'] : []), ...(auth_token ? ['auth_token'] : [])]
      await audit(ctx, ctx.actor, 'webhook.rotate', row.id, { changes: hiddenChanges(replaced) })
      const tokens = auth_token ? { auth_token: seal('auth_token', auth_token) } : {}
      const rotated = await changeWebhook(ctx, row, { ...secrets, ...tokens })
      return { shape: 'one', body: showWebhook(rotated), ...(hmac_secret && weakSecretWarning(rotated)) }
    },
  }),
  implement(endpoints.deleteWebhook, {
    async handle(ctx, { params }) {
      await deleteWebhook(ctx, await findWebhookOrThrow(ctx, params.whk_id))
      return gone
    },
  }),
]
