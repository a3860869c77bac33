import { endpoints } from '@causeway/contract/endpoints/forwarding'
import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { createId } from '../platform/crypto/random.js'
import { implement } from '../platform/http/endpoint/implement.js'
import { metadataText } from '../platform/http/endpoint/metadata.js'
import { one, type Route } from '../platform/http/endpoint/route.js'
import { orNotFound } from '../platform/rows.js'
import { type Ctx, sealer } from '../platform/scope.js'
import { validateUrlText } from '../team/teams/origin.js'
import { auditReads } from '../team/teams/reads.js'
import { checkTemplates, type ForwardingRequest, fillTemplates, isUrlAllowed } from './forwarding.js'
import { linkHolders } from './holders.js'
import { showForwarding } from './show.js'
import { type ForwardingRow, findForwarding, forwardingJson } from './store.js'
import { loadValues } from './values.js'

type Body = z.output<typeof endpoints.createForwardingRequest.body>

/** Reads the request to send. Throws URL_NOT_ALLOWED, and INVALID_REQUEST for a URL with characters that hide. */
function readRequest(ctx: Ctx, { metadata: _, ...request }: Body): ForwardingRequest {
  validateUrlText(request.url, 'url')
  if (!isUrlAllowed(request.url, ctx.team.settings.forwarding_allow_list)) throw new ServiceError('URL_NOT_ALLOWED')
  if (!ctx.deps.outbound.admits(request.url))
    throw new ServiceError(
      'URL_NOT_ALLOWED',
      'The service never calls the address in url, even if it is in forwarding_allow_list.',
    )
  return request
}

/** The errors to return to the caller, keyed by the reason that no response arrived. */
const errorsByFault: Readonly<Record<Exclude<ForwardingRow['fault'], null>, readonly [ErrorSubType, string]>> = {
  refused: [
    'URL_NOT_ALLOWED',
    'The host of url resolves to an address that the service never calls. Nothing was sent.',
  ],
  lookup: ['FORWARDED_REQUEST_NETWORK_ERROR', 'The host name of url could not be resolved. Nothing was sent.'],
  connection: [
    'FORWARDED_REQUEST_NETWORK_ERROR',
    'The connection failed. The request may have arrived. It will not be retried.',
  ],
  timeout: [
    'FORWARDED_REQUEST_TIMEOUT',
    'The destination did not respond in time. The request was sent at most once and will not be retried.',
  ],
  unknown: [
    'FORWARDED_REQUEST_NETWORK_ERROR',
    'The service stopped while it was sending the request. The request may have arrived. It will not be retried.',
  ],
  binding: ['BINDING_NOT_FOUND', 'A bound value was deleted before the request was sent. Nothing was sent.'],
}

/** Returns the response to the POST request once sending is complete or the wait has timed out. */
export async function resumeForwarding(ctx: Ctx, id: string) {
  const row = (await findForwarding(ctx, id))!
  if (row.status === 'completed') return one(showForwarding(ctx, row))
  const [subType, message] = errorsByFault[row.fault ?? 'timeout']
  throw new ServiceError(subType, `${message} See ${id}.`)
}

export const forwardingRoutes: Route[] = [
  implement(endpoints.createForwardingRequest, {
    async handle(ctx, { body }) {
      const request = readRequest(ctx, body)
      // Fills in the templates before storing anything, so that a request whose templates can't be filled in is
      // rejected.
      fillTemplates(request, (await loadValues(ctx, request.bindings, checkTemplates(request))).lookUp)
      const id = createId('forwarding_request', ctx.now)
      await ctx.db
        .insertInto('forwarding_requests')
        .values({
          id,
          team_id: ctx.team.id,
          request: sealer(ctx).seal({ id, field: 'request' }, forwardingJson.request.write(request)),
          status: 'processing',
          response: null,
          fault: null,
          sent_at: null,
          duration_ms: null,
          metadata: metadataText(body.metadata),
          linked: 1,
          created_at: ctx.now,
          updated_at: ctx.now,
        })
        .execute()
      await linkHolders(ctx, id, request)
      await auditReads(ctx, 'forwarding.bind', [...new Set(Object.values(request.bindings))])
      const job = await ctx.deps.jobs.enqueue(ctx, {
        kind: 'forward.send',
        payload: { request: id },
        clocked: false,
        awaited: true,
      })
      return { shape: 'later', job, resume: { kind: 'forwarding', id } }
    },
  }),
  implement(endpoints.retrieveForwardingRequest, {
    async handle(ctx, { params }) {
      const row = orNotFound(await findForwarding(ctx, params.freq_id))
      return one(showForwarding(ctx, row))
    },
  }),
]
