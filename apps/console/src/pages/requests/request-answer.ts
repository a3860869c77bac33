/** Builds the summary for a request's page, and formats the request as a curl command. Pure functions. */
import type { RequestDetail } from '@causeway/sdk'
import type { Answer } from '../../parts/answer.js'
import { words } from '../../words.js'

const { request: text } = words

/** Returns the message from an error body. The service logs it because it contains no personal data. */
function messageOf(response: unknown): string {
  const { error } = (response ?? {}) as { error?: { message?: unknown } }
  return typeof error?.message === 'string' ? error.message : ''
}

/** Returns the route with its placeholders replaced by ids, in the order in which the ids were logged. */
function filledRoute({ route, resource_ids }: Pick<RequestDetail, 'route' | 'resource_ids'>): string {
  const ids = [...resource_ids]
  return route.replace(/:\w+|\{\w+\}/g, name => ids.shift() ?? name)
}

/** Formats the request as a curl command, without the key. */
export function curlOf(
  request: Pick<RequestDetail, 'method' | 'route' | 'resource_ids' | 'version' | 'request'>,
): string {
  const lines = [
    `curl -X ${request.method} "$CAUSEWAY_URL${filledRoute(request)}"`,
    `-H "Authorization: Bearer $CAUSEWAY_KEY"`,
  ]
  if (request.version) lines.push(`-H "Service-Version: ${request.version}"`)
  if (request.request !== null && request.request !== undefined) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${JSON.stringify(request.request).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}

/** Returns true if the service rejected the request (4xx). A rejected request changes nothing. */
export const isRejected = ({ status }: Pick<RequestDetail, 'status'>): boolean => status >= 400 && status < 500

export function answerOf(format: { ms: (ms: number) => string }, value: RequestDetail): Answer {
  const { status, sub_type, ms, idempotency } = value
  const known = text[idempotency as 'replayed' | 'mismatch']
  const note: Answer['points'] =
    idempotency === 'replayed' || idempotency === 'mismatch' ? [[text.facts.idempotency, known]] : []
  if (status < 400) return { tone: 'good', title: text.okTitle(format.ms(ms)), points: note }
  const broken = status >= 500
  return {
    tone: broken ? 'bad' : 'warn',
    title: broken ? text.brokenTitle(status) : text.failedTitle(status),
    points: [
      [words.answer.why, messageOf(value.response), sub_type ?? ''],
      ...note,
      [words.answer.todo, broken ? text.docsBroken : text.docs],
    ],
  }
}
