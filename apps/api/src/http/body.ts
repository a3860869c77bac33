import { ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'

export const MAX_BODY = 1_048_576

/** What is left of the body is not read, so the connection can't carry another request. */
const tooLarge = () => new ServiceError('REQUEST_TOO_LARGE', undefined, { Connection: 'close' })

/** Reads a body whole, up to the limit. @param length its Content-Length header: with it the body need not become a stream */
export async function readBytes(request: Request, length = request.headers.get('content-length')): Promise<string> {
  const declared = Number(length ?? 0)
  if (declared > MAX_BODY) throw tooLarge()
  if (declared > 0) return request.text()
  if (!request.body) return ''
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > MAX_BODY) throw tooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** A body's text as a JSON object. An empty body is `{}`. */
export function readObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'The body is not valid JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('INVALID_REQUEST', 'The body must be a JSON object.')
  checkTree(value, [])
  return value as Record<string, unknown>
}

/** Deeper than any body of the contract, and far from where a recursion ends. */
const MAX_DEPTH = 32

/** What no store keeps as it came: NUL, and a surrogate without its other half. */
const unkept = (text: string) =>
  text.includes('\0') ? 'the character U+0000' : /\p{Cs}/u.test(text) ? 'half a surrogate pair' : undefined

/** Refuses what a later step could not carry: endless nesting, and characters that are not kept. */
function checkTree(value: unknown, path: string[]): void {
  const found = typeof value === 'string' ? unkept(value) : undefined
  if (found) throw new ServiceError('INVALID_REQUEST', `${place(path)} must not contain ${found}.`)
  if (typeof value !== 'object' || value === null) return
  if (path.length >= MAX_DEPTH) throw new ServiceError('INVALID_REQUEST', 'The body is nested too deeply.')
  for (const [key, inner] of Object.entries(value)) {
    const inName = unkept(key)
    if (inName) throw new ServiceError('INVALID_REQUEST', `The body has a field whose name contains ${inName}.`)
    checkTree(inner, [...path, key])
  }
}

/** Names a place in a body as people write it: `individual.address.zip`, `accounts[0]`. */
export function place(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part)),
    '',
  )
}

/** Reads a body by its schema. What is wrong becomes INVALID_REQUEST with the field's name and what would be right; never its value. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, under = ''): z.infer<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const where = issue ? place(under ? [under, ...issue.path] : issue.path) : under
  throw new ServiceError('INVALID_REQUEST', issue ? sentence(where, issue) : undefined)
}

function sentence(where: string, issue: z.core.$ZodIssue): string {
  const name = where || 'The body'
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.message.includes('undefined')
        ? `${name} is required and must be ${article(issue.expected)}.`
        : `${name} must be ${article(issue.expected)}.`
    case 'unrecognized_keys':
      return `${where ? `${where} has` : 'The body has'} an unknown field: ${issue.keys.map(key => key.slice(0, 40)).join(', ')}.`
    case 'invalid_value':
      return `${name} must be ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}.`
    case 'too_small':
      return `${name} must be at least ${issue.minimum}${unit(issue.origin)}.`
    case 'too_big':
      return `${name} must be at most ${issue.maximum}${unit(issue.origin)}.`
    case 'custom':
      return issue.message.includes(' ') ? issue.message : `${name} is not valid.`
    default:
      if (issue.message.startsWith('must ')) return `${name} ${issue.message}`
      return /^[\w.]+ /.test(issue.message) && issue.message.endsWith('.') ? issue.message : `${name} is not valid.`
  }
}

const article = (type: string) =>
  type === 'int'
    ? 'a whole number'
    : type === 'record'
      ? 'an object'
      : /^[aeiou]/.test(type)
        ? `an ${type}`
        : `a ${type}`
const unit = (origin: string) => (origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : '')
