import { endpoints } from '@causeway/contract/endpoints/elements'
import { ServiceError } from '@causeway/contract/errors'
import { implement } from '../../platform/http/endpoint/implement.js'
import { one, type Route, wrapped } from '../../platform/http/endpoint/route.js'
import { orNotFound } from '../../platform/rows.js'
import { elementConfig, transferConfig } from '../session/config.js'
import { listEvents } from '../session/events.js'
import { unprovenSteps } from '../session/facts.js'
import { readAllocations, readConfig, readProgress } from '../session/session.js'
import { showOpalSession } from '../session/show-session.js'
import { findSession, findToken } from '../session/store.js'
import { createToken } from './create-token.js'
import { showEvents, showOperations } from './result-events.js'

export const elementRoutes: Route[] = [
  implement(endpoints.createElementToken, {
    async handle(ctx, { body }) {
      const { type, entity_id, session_id, connect, balance_transfer: transfer } = body
      const resumes = session_id !== undefined && (type === 'connect' || transfer === undefined)
      const requestedConfig =
        type === 'connect' ? elementConfig(connect ?? {}) : transfer ? transferConfig(transfer) : null
      const config = resumes ? null : requestedConfig
      const created = await createToken(ctx, {
        kind: 'element',
        mode: type,
        config,
        entity_id,
        entity: type === 'connect' ? connect?.entity : body.entity,
        session_id,
        created_by: ctx.actor,
        display: body,
      })
      const { id, mode, progress } = created.session
      const transferSession = mode === 'balance_transfer' ? id : readProgress({ progress }).next
      return one({
        element_token: created.token,
        ...(transferSession !== null && { session_id: transferSession }),
        ...(transferSession !== null && ctx.enveloped && { element_session_id: transferSession }),
        ...created.hosted,
      })
    },
  }),
  implement(endpoints.retrieveElementResults, {
    async handle(ctx, { params }) {
      const token = await findToken(ctx, params.token)
      const session = token && (await findSession(ctx, token.session_id))
      if (!token || !session) throw new ServiceError('NOT_FOUND')
      const done = session.completed_at !== null
      const accounts = readConfig(session).terms
        ? Object.keys(readAllocations(session))
        : (readProgress(session).selected ?? [])
      const events = await listEvents(ctx, token.handle)
      const { not_me, shown } = readProgress(session)
      const chosen = done ? accounts : []
      const { entity_id } = session
      return one({
        authenticated:
          token.consumed_at !== null &&
          // mutant: not-me-ends-authentication (remove)
          not_me === null &&
          shown !== null &&
          !unprovenSteps.has(shown),
        cxn_id: session.connect_id,
        accounts: chosen,
        entity_id,
        // mutant: results-of-existing-clients (false)
        events: ctx.enveloped
          ? showOperations(events, session.mode, { entity_id, accounts: chosen })
          : showEvents(events),
      })
    },
  }),
  implement(endpoints.retrieveElementSession, {
    async handle(ctx, { params }) {
      const session = orNotFound(await findSession(ctx, params.id))
      return wrapped(showOpalSession(session))
    },
  }),
]
