import { endpoints } from '@causeway/contract/endpoints/secrets'
import { audit } from '../../platform/audit/store.js'
import { createId } from '../../platform/crypto/random.js'
import { readJson, writeJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { gone, one, type Route } from '../../platform/http/endpoint/route.js'
import { findRow, orNotFound } from '../../platform/rows.js'
import { type Ctx, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'

type SecretRow = Tables['secrets']

/** Shows a secret without its value. No response ever contains the value. */
const showSecret = (row: SecretRow) => ({
  id: row.id,
  metadata: readJson('secrets.metadata', row.metadata),
  status: row.status,
  created_at: showTime(row.created_at),
  updated_at: showTime(row.updated_at),
})

const sealValue = (ctx: Ctx, id: string, value: string) => sealer(ctx).seal({ id, field: 'value' }, value)

export const secretRoutes: Route[] = [
  implement(endpoints.createSecret, {
    async handle(ctx, { body: { value, metadata } }) {
      const id = createId('secret', ctx.now)
      const times = { created_at: ctx.now, updated_at: ctx.now }
      const row = {
        id,
        team_id: ctx.team.id,
        value: sealValue(ctx, id, value),
        status: 'active' as const,
        metadata: writeJson(metadata ?? {}),
        ...times,
      }
      await ctx.db.insertInto('secrets').values(row).execute()
      await audit(ctx, ctx.actor, 'secret.create', id)
      return one(showSecret(row))
    },
  }),
  implement(endpoints.listSecrets, {
    async handle(ctx) {
      const { rows, headers } = await page(ctx, 'secret', from =>
        from('secrets').where('team_id', '=', ctx.team.id).where('status', '=', 'active'),
      )
      return { shape: 'list', body: rows.map(showSecret), headers }
    },
  }),
  implement(endpoints.retrieveSecret, {
    async handle(ctx, { params }) {
      const row = await findRow(ctx, 'secrets', params.sec_id)
      return one(showSecret(orNotFound(row?.status === 'active' ? row : undefined)))
    },
  }),
  implement(endpoints.deleteSecret, {
    async handle(ctx, { params }) {
      const id = params.sec_id
      orNotFound(
        await ctx.db
          .updateTable('secrets')
          .set({ status: 'deleted', value: sealValue(ctx, id, ''), metadata: writeJson({}), updated_at: ctx.now })
          .where('team_id', '=', ctx.team.id)
          .where('id', '=', id)
          .where('status', '=', 'active')
          .returning('id')
          .executeTakeFirst(),
      )
      await audit(ctx, ctx.actor, 'secret.delete', id)
      return gone
    },
  }),
]
