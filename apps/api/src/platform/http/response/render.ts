import { ServiceError } from '@causeway/contract/errors'
import type { Version } from '@causeway/contract/versions'
import { isContended, StoreFault } from '../../db/fault.js'
import type { Answer } from '../endpoint/route.js'
import type { Rendered } from './rendered.js'

export type { Rendered } from './rendered.js'

const JSON_TYPE = 'application/json'

/**
 * Renders the outer structure of every body, in the form of the root mount.
 * @param show converts a body from the latest version to the given version
 */
export function render(
  answer: Exclude<Answer, { shape: 'later' }>,
  version: Version,
  show: (body: unknown) => unknown,
): Rendered {
  if (answer.shape === 'raw')
    return { status: 200, body: answer.body, type: answer.type, headers: answer.headers ?? {} }
  if (answer.shape === 'stream')
    return { status: 200, body: '', type: answer.type, headers: answer.headers ?? {}, stream: streamOf(answer.parts()) }
  const isShown = answer.shape !== 'wrapped' && answer.shown
  const data = isShown ? answer.body : show(answer.body)
  const headers = answer.shape === 'wrapped' ? {} : (answer.headers ?? {})
  const message = answer.shape === 'wrapped' ? (answer.message ?? null) : null
  if (answer.shape === 'wrapped')
    return { status: 200, body: JSON.stringify({ success: true, data, message }), type: JSON_TYPE, headers, version }
  const body = answer.shape === 'list' ? { data } : data
  return { status: 200, body: JSON.stringify(body), kind: answer.shape, type: JSON_TYPE, headers, version }
}

/**
 * Returns a response in the form of the request's mount: under `/enveloped`, every body is `{ success, data, message }`.
 * A stored response is shown in the form of the mount that repeats it.
 */
export function showOnMount(rendered: Rendered, enveloped: boolean): Rendered {
  const { kind, body } = rendered
  if (!enveloped || kind === undefined) return rendered
  if (kind === 'error') {
    const { message } = (JSON.parse(body) as { error: { message: string } }).error
    return { ...rendered, body: `{"success":false,"data":${body},"message":${JSON.stringify(message)}}` }
  }
  const data = kind === 'list' ? body.slice('{"data":'.length, -1) : body
  return { ...rendered, body: `{"success":true,"data":${data},"message":null}` }
}

/** Creates each part after the previous one has been read. Stops if the reader cancels. */
export function streamOf(parts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
      },
      cancel: async () => void (await parts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
}

export function renderError(error: ServiceError): Rendered {
  const body = error.body()
  return {
    status: error.status,
    body: JSON.stringify({ error: body }),
    kind: 'error',
    type: JSON_TYPE,
    headers: { ...error.headers },
    subType: body.sub_type,
  }
}

const IN_THE_WAY = 'This request conflicted with other requests. Nothing was changed. Retry it.'
const STORE_FAILED =
  'The database did not respond. Retry the request with the same Idempotency-Key. If the original request took effect, you receive its response.'

/** Converts any thrown value to a request error. An unknown error becomes INTERNAL_ERROR. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  if (isContended(error)) return new ServiceError('SERVICE_UNAVAILABLE', IN_THE_WAY, { 'Retry-After': '1' })
  if (error instanceof StoreFault) return new ServiceError('SERVICE_UNAVAILABLE', STORE_FAILED, { 'Retry-After': '1' })
  return new ServiceError('INTERNAL_ERROR')
}
