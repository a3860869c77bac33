import { entities } from '@causeway/contract/endpoints/entities'
import { ServiceError } from '@causeway/contract/errors'
import { ANY_KIND, entityTypes } from '@causeway/contract/products/entity'
import { sql } from 'kysely'
import { implement } from '../../platform/http/endpoint/implement.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { type Answer, one, type Route } from '../../platform/http/endpoint/route.js'
import { queriedWords } from '../../platform/name-words.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { checkExpand } from '../../team/teams/reads.js'
import { hasBehavior } from '../../versions/chain.js'
import { type EntityRow, typedFields, typedJson } from '../holders/entity.js'
import { detailColumns, nameWord, readDetails } from '../holders/show-entity.js'
import { findEntity, lockEntity } from '../holders/store.js'
import { expandEntities, readEntityExpand } from './expand.js'
import { type EntityChange, readNewEntity } from './input.js'
import { mergeDetails } from './merge-details.js'
import { readProofTime } from './proof-time.js'
import { createSession, resetMatch } from './sessions.js'
import { enqueueMatch, insertEntity, matchJobOf, updateEntity } from './store.js'

export async function resumeEntity(ctx: Ctx, id: string): Promise<Answer> {
  const [body] = await expandEntities(ctx, [orNotFound(await findEntity(ctx, id))])
  return one(body)
}

/**
 * If the request includes the customer's own phone verification, records it as a session that is verified immediately.
 */
async function recordPhoneProof(
  ctx: Ctx,
  row: EntityRow,
  { phone_proof: timestamp }: EntityChange,
): Promise<EntityRow> {
  if (timestamp === undefined || row.type !== 'individual') return row
  readProofTime(timestamp, 'individual.phone_verification_timestamp', ctx.now)
  if (row.phone_verified_at !== null) return row
  await createSession(ctx, row, 'phone', 'byo_sms', { timestamp })
  return orNotFound(await findEntity(ctx, row.id))
}

/** True if a match verifies the person in the request's version. Only simulated people are verified this way. */
const verifiesByMatch = ({ deps, version }: Ctx) =>
  // mutant: match-verifies-in-the-sandbox-only (drop 1)
  deps.environment === 'sandbox' && hasBehavior(version, 'match_verifies')

/** Returns the entity. If a job is matching the entity to a person, waits for that job first. */
const showAfterMatch = (row: EntityRow, job: string | null, ctx: Ctx): Promise<Answer> | Answer =>
  job === null ? resumeEntity(ctx, row.id) : { shape: 'later', job, resume: { kind: 'entity', id: row.id } }

/** Selects the ids of entities that have a given folded word in their name. */
const idsByName = (ctx: Ctx, word: string) =>
  ctx.db
    .selectFrom('name_words')
    .select('entity_id')
    .where('team_id', '=', ctx.team.id)
    .where('word', '=', nameWord(ctx, word))

/** Matches entities of the given type or, in versions that have kinds, corporations of the given kind. */
const ofType = (type: string) =>
  (entityTypes as readonly string[]).includes(type)
    ? sql<boolean>`type = ${type}`
    : sql<boolean>`(type = 'corporation' and coalesce(kind, ${ANY_KIND}) = ${type})`

/** The maximum number of ids by which a list can be filtered. */
const MAX_IDS = 100

export const entityRoutes: Route[] = [
  implement(entities.createEntity, {
    async handle(ctx, { body }) {
      await checkExpand(ctx, readEntityExpand(ctx))
      const { row, job } = await insertEntity(ctx, readNewEntity(body, ctx), metadataText(body.metadata), {
        verifies: verifiesByMatch(ctx),
      })
      return showAfterMatch(await recordPhoneProof(ctx, row, body), job, ctx)
    },
  }),
  implement(entities.listEntities, {
    async handle(ctx, { query: filter }) {
      const statuses = filter.all('status')
      const types = filter.all('type')
      const ids = filter.all('id')
      if (ids.length > MAX_IDS)
        throw new ServiceError('INVALID_SEARCH_PARAMETERS', `id can have at most ${MAX_IDS} different values.`)
      const name = filter.get('name')?.trim() ?? ''
      // Text without words, such as a hyphen, matches no entity.
      const lists = name === '' ? [] : queriedWords(name)
      if (name !== '' && lists.length === 0) lists.push([''])
      const { rows, headers } = await page(
        ctx,
        'entity',
        from => {
          let query = from('entities').where('team_id', '=', ctx.team.id)
          if (ids.length > 0) query = query.where('id', 'in', ids)
          if (statuses.length > 0) query = query.where('status', 'in', statuses)
          if (types.length > 0) query = query.where(end => end.or(types.map(type => ofType(type))))
          return query
        },
        lists.map(words => query => words.reduce((rest, word) => rest.where('id', 'in', idsByName(ctx, word)), query)),
      )
      return { shape: 'list', body: await expandEntities(ctx, rows), headers }
    },
  }),
  implement(entities.retrieveEntity, {
    handle: (ctx, { params }) => resumeEntity(ctx, params.ent_id),
  }),
  implement(entities.updateEntity, {
    async handle(ctx, { params, body }) {
      await checkExpand(ctx, readEntityExpand(ctx))
      const row = orNotFound(await lockEntity(ctx, params.ent_id))
      if (row.withdrawn_at !== null) throw new ServiceError('ENTITY_UPDATE_RESTRICTED')
      if (row.status === 'disabled') throw new ServiceError('ENTITY_UPDATE_DISABLED')
      const other = row.type === 'individual' ? 'corporation' : 'individual'
      if (body[other]) throw new ServiceError('ENTITY_UPDATE_UNSUPPORTED')
      const typed = typedFields(row)
      const { details, replaced } = mergeDetails(readDetails(ctx, row), typed, body, ctx)
      const metadata = body.metadata === undefined ? row.metadata : metadataText(body.metadata)
      const reset = replaced.length > 0 ? await resetMatch(ctx, row) : {}
      const changed = await updateEntity(ctx, row, {
        ...detailColumns(ctx, row.id, details),
        ...reset,
        match_job: matchJobOf({ ...row, ...reset }, details),
        typed: typedJson.write([...typed].filter(name => !replaced.includes(name))),
        metadata,
      })
      const job = await enqueueMatch(ctx, changed, details, { verifies: verifiesByMatch(ctx) })
      return showAfterMatch(await recordPhoneProof(ctx, changed, body), job, ctx)
    },
  }),
]
