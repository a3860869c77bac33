import { ServiceError } from '@causeway/contract/errors'
import { isFieldName } from '../log/redact.js'

const ESCAPES = /(?:%[\dA-Fa-f]{2})+/g

/** Returns the fault of percent-encoded text, or undefined if it decodes to UTF-8 without U+0000. */
function faultOf(text: string): string | undefined {
  for (const [escapes] of text.matchAll(ESCAPES))
    try {
      if (decodeURIComponent(escapes).includes('\0')) return 'must not contain the character U+0000'
    } catch {
      return 'must be percent-encoded UTF-8'
    }
  return undefined
}

/** The maximum number of query parameters. Every list of the contract has fewer values. */
const MAX_PARAMETERS = 200

/**
 * Checks that a URL's query has few parameters and is percent-encoded UTF-8, so that no byte is replaced when it is
 * decoded. A path that is not matches no resource. Throws INVALID_REQUEST.
 */
export function checkQuery(url: string): void {
  const mark = url.indexOf('?')
  if (mark < 0) return
  const parameters = url.slice(mark + 1).split('&')
  if (parameters.length > MAX_PARAMETERS)
    throw new ServiceError('INVALID_REQUEST', `The URL's query must have at most ${MAX_PARAMETERS} parameters.`)
  if (!url.includes('%', mark)) return
  for (const parameter of parameters) {
    const fault = faultOf(parameter)
    if (!fault) continue
    const [name = ''] = parameter.split('=', 1)
    const subject = isFieldName(name.replace(/\[\]$/, '')) ? `The query parameter ${name}` : "The URL's query"
    throw new ServiceError('INVALID_REQUEST', `${subject} ${fault}.`)
  }
}
