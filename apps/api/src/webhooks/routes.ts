import { resourceError, ServiceError } from '@causeway/contract/errors'
import { webhookTypes } from '@causeway/contract/events'
import { z } from 'zod'
import { createId } from '../crypto/random.js'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { page } from '../http/paging.js'
import { gone, one, type Route } from '../http/route.js'
import { type Ctx, sealer } from '../scope.js'
import { readUrl } from '../teams/origin.js'
import { showWebhook, type WebhookRow } from './show.js'

const secret = z.string().min(1).max(1_024).nullish()
const input = z.object({
  type: z
    .string()
    .refine(type => webhookTypes.has(type), 'type must be one of the event types, such as payment.update.'),
  url: z.string(),
  auth_token: secret,
  hmac_secret: secret,
  expand_event: z.boolean().default(false),
})
const change = z.strictObject({ status: z.enum(['active', 'disabled']) })

async function webhookById(ctx: Ctx): Promise<WebhookRow> {
  const query = ctx.db
    .selectFrom('webhooks')
    .selectAll()
    .where('team_id', '=', ctx.team.id)
    .where('id', '=', ctx.params['whk_id'] ?? '')
    .where('status', '!=', 'deleted')
  const row = await query.executeTakeFirst()
  if (!row) throw new ServiceError('NOT_FOUND')
  return row
}

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
      readUrl(url, 'url', ctx.deps.environment === 'sandbox')
      const metadata = readMetadata(body, 'MAX_WEBHOOK_METADATA_SIZE_EXCEEDED')
      const id = createId('webhook', ctx.now)
      const seal = (field: string, value: string | null | undefined) =>
        value ? sealer(ctx).seal({ id, field }, value) : null
      const row: WebhookRow = {
        id,
        team_id: ctx.team.id,
        type,
        url,
        expand_event: expand_event ? 1 : 0,
        auth_token: seal('auth_token', auth_token),
        hmac_secret: seal('hmac_secret', hmac_secret),
        status: 'active',
        error: null,
        metadata,
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await ctx.db.insertInto('webhooks').values(row).execute()
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
      const error = status === 'disabled' ? JSON.stringify(resourceError(25005)) : null
      return one(showWebhook(await update(ctx, row, { status, error })))
    },
  },
  {
    method: 'DELETE',
    path: '/webhooks/:whk_id',
    async handle(ctx) {
      await update(ctx, await webhookById(ctx), { status: 'deleted', auth_token: null, hmac_secret: null })
      return gone
    },
  },
]
