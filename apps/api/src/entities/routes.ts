import { ServiceError } from '@causeway/contract/errors'
import { ANY_KIND, corporationKinds } from '@causeway/contract/resources/entity'
import { sql } from 'kysely'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { page } from '../http/paging.js'
import { type Answer, one, type Route } from '../http/route.js'
import { entityById } from '../products/holders.js'
import type { Ctx } from '../scope.js'
import { behaves } from '../versions/chain.js'
import { type EntityRow, typedOf } from './entity.js'
import { expandEntities, readEntityExpand } from './expand.js'
import { fill } from './fill.js'
import { readNewEntity } from './input.js'
import { beginSession, forgetMatch } from './sessions.js'
import { detailColumns, nameWord, readDetails } from './show.js'
import { askMatch, insertEntity, lockEntity, updateEntity } from './store.js'

export async function resumeEntity(ctx: Ctx, id: string): Promise<Answer> {
  const [body] = await expandEntities(ctx, [await entityById(ctx, id)])
  return one(body)
}

const phoneProof = z.object({
  phone_verification_type: z.string().min(1).max(40),
  phone_verification_timestamp: z.iso.datetime({ offset: true }),
})

/** Where the version takes the customer's own check of the phone with the entity: a session that is verified at once. */
async function provePhone(ctx: Ctx, row: EntityRow, body: Record<string, unknown>): Promise<EntityRow> {
  const person = body['individual'] as Record<string, unknown> | null | undefined
  if (person?.['phone_verification_type'] == null || !behaves(ctx.version, 'phone_proof_in_entity')) return row
  if (row.type !== 'individual' || row.phone_verified_at !== null) return row
  const { phone_verification_timestamp } = parse(phoneProof, person, 'individual')
  await beginSession(ctx, row, 'phone', 'byo_sms', { timestamp: phone_verification_timestamp })
  return entityById(ctx, row.id)
}

/** The entity's answer, after the network said who it is where it was asked. */
const after = (row: EntityRow, job: string | null, ctx: Ctx): Promise<Answer> | Answer =>
  job === null ? resumeEntity(ctx, row.id) : { shape: 'later', job, resume: { kind: 'entity', id: row.id } }

/** Ids of entities with a word in their name. */
const namedLike = (ctx: Ctx, word: string) =>
  ctx.db
    .selectFrom('name_words')
    .select('entity_id')
    .where('team_id', '=', ctx.team.id)
    .where('word', '=', nameWord(ctx, word))

export const entityRoutes: Route[] = [
  {
    method: 'POST',
    path: '/entities',
    async handle(ctx) {
      const body = ctx.body()
      readEntityExpand(ctx)
      const given = readNewEntity(body, ctx.now, behaves(ctx.version, 'corporation_kinds'))
      const metadata = readMetadata(body, 'MAX_ENTITY_METADATA_SIZE_EXCEEDED')
      const { row, job } = await insertEntity(ctx, given, metadata)
      return after(await provePhone(ctx, row, body), job, ctx)
    },
  },
  {
    method: 'GET',
    path: '/entities',
    async handle(ctx) {
      const status = ctx.query.get('status')
      const type = ctx.query.get('type')
      const kind = behaves(ctx.version, 'corporation_kinds') ? corporationKinds.find(each => each === type) : undefined
      const words = (ctx.query.get('name') ?? '').split(/\s+/).filter(Boolean)
      const { rows, headers } = await page<EntityRow>(ctx, 'entity', from => {
        let query = from('entities').where('team_id', '=', ctx.team.id)
        if (status) query = query.where('status', '=', status)
        if (kind) query = query.where(sql<boolean>`coalesce(kind, ${ANY_KIND}) = ${kind}`)
        if (type) query = query.where('type', '=', kind ? 'corporation' : type)
        for (const word of words) query = query.where('id', 'in', namedLike(ctx, word))
        return query
      })
      return { shape: 'list', body: await expandEntities(ctx, rows), headers }
    },
  },
  {
    method: 'GET',
    path: '/entities/:ent_id',
    handle: ctx => resumeEntity(ctx, ctx.params['ent_id'] ?? ''),
  },
  {
    method: 'PUT',
    path: '/entities/:ent_id',
    async handle(ctx) {
      const body = ctx.body()
      readEntityExpand(ctx)
      const row = await lockEntity(ctx, ctx.params['ent_id'] ?? '')
      if (!row) throw new ServiceError('NOT_FOUND')
      if (row.withdrawn_at !== null) throw new ServiceError('ENTITY_UPDATE_RESTRICTED')
      if (row.status === 'disabled') throw new ServiceError('ENTITY_UPDATE_DISABLED')
      const other = row.type === 'individual' ? 'corporation' : 'individual'
      if (body[other] != null) throw new ServiceError('ENTITY_UPDATE_UNSUPPORTED')
      const typed = typedOf(row)
      const { details, replaced } = fill(readDetails(ctx, row), typed, body, ctx.now)
      const metadata = 'metadata' in body ? readMetadata(body, 'MAX_ENTITY_METADATA_SIZE_EXCEEDED') : row.metadata
      const changed = await updateEntity(ctx, row, {
        ...detailColumns(ctx, row.id, details),
        ...(replaced.length > 0 ? await forgetMatch(ctx, row) : {}),
        typed: JSON.stringify([...typed].filter(name => !replaced.includes(name))),
        metadata,
      })
      const job = await askMatch(ctx, changed, details)
      return after(await provePhone(ctx, changed, body), job, ctx)
    },
  },
]
