import { sessions } from '@causeway/contract/endpoints/entities'
import { ServiceError } from '@causeway/contract/errors'
import { callOutside } from '../../network/outside-call.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { type Answer, one, type Route } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import type { RecordRow } from '../holders/product.js'
import { findEntity, lockEntity } from '../holders/store.js'
import { findRecord } from '../records/store.js'
import { answerSession } from './answers.js'
import { createSession, requestOf, SESSION, showSession } from './sessions.js'

export async function resumeSession(ctx: Ctx, id: string): Promise<Answer> {
  const row = orNotFound(await findRecord(ctx, SESSION, id))
  return one(showSession(row))
}

async function findSessionOrThrow(ctx: Ctx, { ent_id, id }: { ent_id: string; id: string }): Promise<RecordRow> {
  const entity = orNotFound(await findEntity(ctx, ent_id))
  return orNotFound(await findRecord(ctx, SESSION, id, entity.id))
}

export const entitySessionRoutes: Route[] = [
  implement(sessions.createEntityVerificationSession, {
    async handle(ctx, { params, body }) {
      const entity = orNotFound(await lockEntity(ctx, params.ent_id))
      const { type, method } = body
      const { row, job, waits } = await createSession(ctx, entity, type, method, body[method] ?? {})
      return job && waits ? { shape: 'later', job, resume: { kind: 'evf', id: row.id } } : one(showSession(row))
    },
  }),
  implement(sessions.listEntityVerificationSessions, {
    async handle(ctx, { params }) {
      const entity = orNotFound(await findEntity(ctx, params.ent_id))
      const { rows, headers } = await page(ctx, SESSION, from =>
        from('records')
          .where('team_id', '=', ctx.team.id)
          .where('holder_id', '=', entity.id)
          .where('product', '=', SESSION),
      )
      return { shape: 'list', body: rows.map(showSession), headers }
    },
  }),
  implement(sessions.retrieveEntityVerificationSession, {
    handle: async (ctx, { params }) => one(showSession(await findSessionOrThrow(ctx, params))),
  }),
  implement(sessions.updateEntityVerificationSession, {
    async prepare(ctx, { params, body }) {
      const row = await findSessionOrThrow(ctx, params)
      const { type, method } = body
      const request = requestOf(row)
      if (request.type !== type || request.method !== method)
        throw new ServiceError(
          'INVALID_REQUEST',
          `type and method must match the session: ${request.type} and ${request.method}.`,
        )
      if (row.status === 'verified') throw new ServiceError('EXISTING_VERIFIED_SESSION')
      return callOutside(() => answerSession(ctx, row.id, body[method] ?? {}), 'The verification provider')
    },
    handle: async (_ctx, { prepared }) => one(showSession(prepared)),
  }),
]
