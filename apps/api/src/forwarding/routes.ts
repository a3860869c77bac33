import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { auditReads } from '../audit/store.js'
import { createId } from '../crypto/random.js'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { one, type Route } from '../http/route.js'
import { type Ctx, type Scope, sealer } from '../scope.js'
import { showJson, showTime } from '../show.js'
import { check, fill, type Given, isAllowed, methods } from './forwarding.js'
import { type ForwardingRow, findForwarding, openRequest, openResponse } from './store.js'
import { valuesOf } from './values.js'

const input = z.object({
  url: z.string().min(1).max(2_000),
  method: z.string(),
  headers: z.record(z.string().max(200), z.string().max(8_192)),
  body: z.string(),
  bindings: z.record(z.string().max(100), z.string().max(100)),
})

function read(ctx: Ctx): Given {
  const { method, ...rest } = parse(input, ctx.body())
  const found = methods.find(each => each === method)
  if (!found) throw new ServiceError('INVALID_METHOD')
  if (!isAllowed(rest.url, ctx.team.settings.forwarding_allow_list)) throw new ServiceError('URL_NOT_ALLOWED')
  if (!ctx.deps.outbound.admits(rest.url))
    throw new ServiceError('URL_NOT_ALLOWED', 'url is an address that is never called, whatever the list says.')
  return { ...rest, method: found }
}

function show(scope: Scope, row: ForwardingRow): Record<string, unknown> {
  const { bindings, url, method, headers, body } = openRequest(scope, row)
  const begun = { status: 'processing', timestamp: showTime(row.created_at) }
  return {
    id: row.id,
    bindings,
    request: { url, method, headers, body },
    response: openResponse(scope, row),
    duration_ms: row.duration_ms,
    status: row.status,
    status_history:
      row.status === 'processing' ? [begun] : [begun, { status: row.status, timestamp: showTime(row.updated_at) }],
    metadata: showJson(row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
}

/** What a caller hears where no answer came, by why. */
const failures: Readonly<Record<Exclude<ForwardingRow['fault'], null>, readonly [ErrorSubType, string]>> = {
  refused: ['URL_NOT_ALLOWED', 'The name of the destination leads to an address that is not called. Nothing was sent.'],
  lookup: ['FORWARDED_REQUEST_NETWORK_ERROR', 'The name of the destination leads nowhere. Nothing was sent.'],
  connection: [
    'FORWARDED_REQUEST_NETWORK_ERROR',
    'The connection failed. Whether the request arrived is not known; it is not sent again.',
  ],
  timeout: [
    'FORWARDED_REQUEST_TIMEOUT',
    'The destination did not answer in time. The request was sent at most once and is not sent again.',
  ],
  unknown: [
    'FORWARDED_REQUEST_NETWORK_ERROR',
    'The service stopped while the request was on its way. Whether it arrived is not known; it is not sent again.',
  ],
  binding: ['BINDING_NOT_FOUND', 'A bound value was deleted before the request was sent. Nothing was sent.'],
}

/** What the POST answers once the sending is over, or nobody waits for it any longer. */
export async function resumeForwarding(ctx: Ctx, id: string) {
  const row = (await findForwarding(ctx, id))!
  if (row.status === 'completed') return one(show(ctx, row))
  const [subType, message] = failures[row.fault ?? 'timeout']
  throw new ServiceError(subType, `${message} See ${id}.`)
}

export const forwardingRoutes: Route[] = [
  {
    method: 'POST',
    path: '/forwarding_requests',
    async handle(ctx) {
      const given = read(ctx)
      const metadata = readMetadata(ctx.body(), 'INVALID_REQUEST')
      // The same as when it is sent, so that what can't be filled is refused while nothing has happened.
      fill(given, (await valuesOf(ctx, given.bindings, check(given))).lookUp)
      const id = createId('forwarding_request', ctx.now)
      await ctx.db
        .insertInto('forwarding_requests')
        .values({
          id,
          team_id: ctx.team.id,
          request: sealer(ctx).seal({ id, field: 'request' }, JSON.stringify(given)),
          status: 'processing',
          response: null,
          fault: null,
          sent_at: null,
          duration_ms: null,
          metadata,
          created_at: ctx.now,
          updated_at: ctx.now,
        })
        .execute()
      await auditReads(ctx, 'forwarding.bind', [...new Set(Object.values(given.bindings))])
      const job = await ctx.deps.jobs.enqueue(ctx, {
        kind: 'forward.send',
        payload: { request: id },
        clocked: false,
        awaited: true,
      })
      return { shape: 'later', job, resume: { kind: 'forwarding', id } }
    },
  },
  {
    method: 'GET',
    path: '/forwarding_requests/:freq_id',
    async handle(ctx) {
      const row = await findForwarding(ctx, ctx.params['freq_id'] ?? '')
      if (!row) throw new ServiceError('NOT_FOUND')
      return one(show(ctx, row))
    },
  },
]
