import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { one, type Route, wrapped } from '../http/route.js'
import { showOpalSession } from '../opal/session.js'
import { readBalanceTransfer, readElementConnect } from './config.js'
import { eventsOf } from './events.js'
import { readAllocations, readConfig, readProgress } from './session.js'
import { findSession, findToken } from './store.js'
import { createToken } from './tokens.js'

const head = z.object({
  type: z.enum(['connect', 'balance_transfer']),
  entity_id: z.string().optional(),
  session_id: z.string().optional(),
  connect: z.record(z.string(), z.unknown()).optional(),
  entity: z.record(z.string(), z.unknown()).optional(),
})

export const elementRoutes: Route[] = [
  {
    method: 'POST',
    path: '/elements/token',
    async handle(ctx) {
      const body = ctx.body()
      const { type, entity_id, session_id, connect, entity } = parse(head, body)
      const transfer = body['balance_transfer']
      const resumes = session_id !== undefined && (type === 'connect' || transfer === undefined)
      const config = resumes ? null : type === 'connect' ? readElementConnect(connect) : readBalanceTransfer(transfer)
      if (config?.accounts && entity_id === undefined)
        throw new ServiceError('INVALID_REQUEST', 'connect.accounts needs the entity_id of their holder.')
      const made = await createToken(ctx, {
        kind: 'element',
        mode: type,
        config,
        entity_id,
        entity: type === 'connect' ? connect?.['entity'] : entity,
        session_id,
        body,
      })
      return one({
        element_token: made.token,
        ...(type === 'balance_transfer' ? { session_id: made.session.id } : {}),
        ...made.hosted,
      })
    },
  },
  {
    method: 'GET',
    path: '/elements/token/:token/results',
    async handle(ctx) {
      const token = await findToken(ctx, ctx.params['token'] ?? '')
      const session = token && (await findSession(ctx, token.session_id))
      if (!token || !session) throw new ServiceError('NOT_FOUND')
      const done = session.completed_at !== null
      const accounts = readConfig(session).terms
        ? Object.keys(readAllocations(session))
        : (readProgress(session).selected ?? [])
      const events = await eventsOf(ctx, token.handle)
      return one({
        authenticated:
          token.consumed_at !== null &&
          readProgress(session).not_me === null &&
          readProgress(session).shown !== null &&
          !['consent', 'phone', 'code'].includes(readProgress(session).shown ?? ''),
        cxn_id: session.connect_id,
        accounts: done ? accounts : [],
        entity_id: session.entity_id,
        events: events.map(event => ({ type: event.type, timestamp: event.timestamp, metadata: event.data })),
      })
    },
  },
  {
    method: 'GET',
    path: '/elements/sessions/:id',
    async handle(ctx) {
      const session = await findSession(ctx, ctx.params['id'] ?? '')
      if (!session) throw new ServiceError('NOT_FOUND')
      return wrapped(showOpalSession(session))
    },
  },
]
