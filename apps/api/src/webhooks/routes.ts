import { resourceError, ServiceError } from '@causeway/contract/errors'
import { webhookTypes } from '@causeway/contract/events'
import { z } from 'zod'
import { createId } from '../crypto/random.js'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { page } from '../http/paging.js'
import { gone, one, type Route } from '../http/route.js'
import { freeLane, openLane } from '../jobs/lanes.js'
import { type Ctx, sealer } from '../scope.js'
import { isLoopback, readUrl } from '../teams/origin.js'
import { showWebhook, type WebhookRow } from './show.js'
import { isSecret } from './sign.js'
import { callOff, switchOff } from './status.js'
import { webhookById } from './store.js'
import { laneOf, OVERLAP } from './webhook.js'

const token = z.string().min(1).max(1_024).nullish()
const secret = token.refine(
  text => !text || isSecret(text),
  'hmac_secret must go on in base64 where it begins with whsec_.',
)
const input = z.object({
  type: z
    .string()
    .refine(type => webhookTypes.has(type), 'type must be one of the event types, such as payment.update.'),
  url: z.string(),
  auth_token: token,
  hmac_secret: secret,
  expand_event: z.boolean().default(false),
})
const change = z.strictObject({ status: z.enum(['active', 'disabled']) })
const rotation = z
  .strictObject({ hmac_secret: secret, auth_token: token })
  .refine(body => body.hmac_secret || body.auth_token, 'Send a new hmac_secret, a new auth_token, or both.')

/** Throws INVALID_REQUEST where nothing would ever be sent there. */
function checkUrl(ctx: Ctx, url: string): void {
  const { environment, outbound } = ctx.deps
  readUrl(url, 'url', environment === 'sandbox')
  if (outbound.admits(url)) return
  const hint = isLoopback(new URL(url).hostname) && !outbound.loopback
  throw new ServiceError(
    'INVALID_REQUEST',
    hint
      ? 'url is on this machine, which the service calls only where it is started with OUTBOUND_LOOPBACK=allow.'
      : 'url must lead to a public address, and not to the service itself.',
  )
}

const sealOf = (ctx: Ctx, id: string) => (field: string, value: string | null | undefined) =>
  value ? sealer(ctx).seal({ id, field }, value) : null

async function update(ctx: Ctx, row: WebhookRow, set: Partial<WebhookRow>): Promise<WebhookRow> {
  return ctx.db
    .updateTable('webhooks')
    .set({ ...set, updated_at: ctx.now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const webhookRoutes: Route[] = [
  {
    method: 'POST',
    path: '/webhooks',
    async handle(ctx) {
      const body = ctx.body()
      const { type, url, auth_token, hmac_secret, expand_event } = parse(input, body)
      checkUrl(ctx, url)
      const metadata = readMetadata(body, 'MAX_WEBHOOK_METADATA_SIZE_EXCEEDED')
      const id = createId('webhook', ctx.now)
      const lane = laneOf(ctx.team.id, url)
      const seal = sealOf(ctx, id)
      const row: WebhookRow = {
        id,
        team_id: ctx.team.id,
        type,
        url,
        lane,
        expand_event: expand_event ? 1 : 0,
        auth_token: seal('auth_token', auth_token),
        hmac_secret: seal('hmac_secret', hmac_secret),
        previous_secret: null,
        previous_until: null,
        failures: 0,
        counted_since: 0,
        status: 'active',
        error: null,
        metadata,
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await ctx.db.insertInto('webhooks').values(row).execute()
      await openLane(ctx.db, lane, ctx.team.id)
      return one(showWebhook(row))
    },
  },
  {
    method: 'GET',
    path: '/webhooks',
    async handle(ctx) {
      const { rows, headers } = await page<WebhookRow>(ctx, 'webhook', from =>
        from('webhooks').where('team_id', '=', ctx.team.id).where('status', '!=', 'deleted'),
      )
      return { shape: 'list', body: rows.map(showWebhook), headers }
    },
  },
  { method: 'GET', path: '/webhooks/:whk_id', handle: async ctx => one(showWebhook(await webhookById(ctx))) },
  {
    method: 'PATCH',
    path: '/webhooks/:whk_id',
    async handle(ctx) {
      const row = await webhookById(ctx)
      const { status } = parse(change, ctx.body())
      await freeLane(ctx.db, row.lane)
      if (status === 'disabled')
        return one(showWebhook(await switchOff(ctx, row.id, JSON.stringify(resourceError(25005)))))
      return one(showWebhook(await update(ctx, row, { status, error: null, failures: 0, counted_since: ctx.now })))
    },
  },
  {
    method: 'POST',
    path: '/webhooks/:whk_id/rotate',
    async handle(ctx) {
      const row = await webhookById(ctx)
      const { hmac_secret, auth_token } = parse(rotation, ctx.body())
      const seal = sealOf(ctx, row.id)
      const { open } = sealer(ctx)
      const old = row.hmac_secret && open({ id: row.id, field: 'hmac_secret' }, row.hmac_secret)
      const secrets = hmac_secret
        ? {
            hmac_secret: seal('hmac_secret', hmac_secret),
            previous_secret: seal('previous_secret', old),
            previous_until: ctx.deps.clock() + OVERLAP,
          }
        : {}
      const tokens = auth_token ? { auth_token: seal('auth_token', auth_token) } : {}
      return one(showWebhook(await update(ctx, row, { ...secrets, ...tokens })))
    },
  },
  {
    method: 'DELETE',
    path: '/webhooks/:whk_id',
    async handle(ctx) {
      const none = { auth_token: null, hmac_secret: null, previous_secret: null }
      const row = await webhookById(ctx)
      await freeLane(ctx.db, row.lane)
      await update(ctx, row, { status: 'deleted', ...none })
      await callOff(ctx, row.id)
      return gone
    },
  },
]
