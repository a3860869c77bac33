import { clientLimits, type JsonFault, readJson } from '@causeway/connector/wire/json-reader'
import { maxPartsOf, readParts } from '@causeway/connector/wire/parts'
import { safeParse } from '@causeway/connector/wire/proto-member'
import { decodeUtf8, findInvalidByte } from '@causeway/connector/wire/text'
import { type ErrorSubType, errors, ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { nameInMessage, unknownInMessage } from './field-place.js'

const MAX_BODY = 1_048_576

/**
 * Returns an error that also closes the connection. The rest of the body is not read, so the connection can't be
 * reused.
 */
const tooLarge = (most: number) =>
  new ServiceError(
    'REQUEST_TOO_LARGE',
    most === MAX_BODY ? undefined : `The body of this request must be at most ${most / 1024} kB.`,
    { Connection: 'close' },
  )

const tooManyParts = (most: number) =>
  new ServiceError(
    'INVALID_REQUEST',
    `The body must arrive in at most ${maxPartsOf(most).toLocaleString('en')} chunks. Send larger chunks, or send the body with a Content-Length header.`,
    { Connection: 'close' },
  )

/** A body's size limit and its Content-Length header, if any. A body of known length isn't read as a stream. */
interface Reading {
  most?: number
  length?: string | null | undefined
}

/**
 * The maximum size, in bytes, of a body that is read without reserving memory. Larger bodies share a limited amount of
 * memory, because each one stays in memory until it is complete.
 */
const SMALL = 65_536
const MAX_HELD = 16 * MAX_BODY
/** The total size, in bytes, of the larger bodies that this process is currently reading. */
let held = 0

/** Reserves memory for one body. Throws SERVICE_UNAVAILABLE if too little memory is left. */
function holding() {
  let mine = 0
  return {
    upTo(size: number) {
      if (size <= SMALL || size <= mine) return
      if (held + size - mine > MAX_HELD)
        throw new ServiceError(
          'SERVICE_UNAVAILABLE',
          'The service is receiving too many large request bodies. Retry the request.',
          {
            'Retry-After': '1',
            Connection: 'close',
          },
        )
      held += size - mine
      mine = size
    },
    release() {
      held -= mine
      mine = 0
    },
  }
}

/**
 * Decodes UTF-8, with or without a byte order mark. Throws INVALID_REQUEST for other bytes.
 * @param subject the beginning of the error message
 */
export function readText(bytes: Uint8Array, subject = 'The body'): string {
  const text = decodeUtf8(bytes)
  if (text !== undefined) return text
  throw new ServiceError(
    'INVALID_REQUEST',
    `${subject} must be UTF-8. The byte at offset ${findInvalidByte(bytes)} is not part of a UTF-8 character.`,
  )
}

/**
 * Reads a whole body in UTF-8, up to `most` bytes. Rejects a longer body. If the length is declared, rejects it before
 * reading the body.
 */
export async function readBytes(
  request: Request,
  { most = MAX_BODY, length = request.headers.get('content-length') }: Reading = {},
): Promise<string> {
  const declared = Number(length ?? 0)
  if (declared > most) throw tooLarge(most)
  const hold = holding()
  try {
    hold.upTo(declared)
    if (declared > 0) return readText(new Uint8Array(await request.arrayBuffer()))
    const bytes = await readParts(request.body, most, size => hold.upTo(size))
    if (bytes === 'size') throw tooLarge(most)
    if (bytes === 'parts') throw tooManyParts(most)
    return readText(bytes)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('INVALID_REQUEST', 'The connection closed before the whole body arrived. Send it again.')
  } finally {
    hold.release()
  }
}

/** The maximum length of a Content-Type header. Registered JSON types have at most 100 characters. */
const MAX_TYPE_LENGTH = 200
const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/i
const UTF8_CHARSET = /^charset\s*=\s*"?utf-?8"?$/i

/** Checks for a JSON media type whose only parameter, if any, is the UTF-8 charset. */
function isJsonType(type: string): boolean {
  if (type.length > MAX_TYPE_LENGTH) return false
  const [name, ...parameters] = type.split(';').map(part => part.trim())
  return JSON_TYPE.test(name!) && parameters.every(each => each === '' || UTF8_CHARSET.test(each))
}

/** Checks that the headers describe uncompressed JSON in UTF-8. A body without a Content-Type is treated as JSON. */
export function checkType(type: string | undefined, encoding: string | undefined): void {
  if (type !== undefined && !isJsonType(type)) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE')
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'The body must not be compressed. Send it without the Content-Encoding header.',
    )
}

const BLANK = /^[\t\n\r ]*$/

/** Parses a body's text as a JSON object. A body without any characters, or with only JSON's white space, is `{}`. */
export function readObject(text: string): Record<string, unknown> {
  if (BLANK.test(text)) return {}
  const { value, fault } = readJson(text, clientLimits)
  if (fault) throw new ServiceError('INVALID_REQUEST', sentenceOf(fault))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ServiceError('INVALID_REQUEST', 'The body must be a JSON object.')
  return value as Record<string, unknown>
}

/** Describes why a body can't be read. */
function sentenceOf(fault: JsonFault): string {
  const name = nameInMessage('path' in fault ? fault.path : [])
  switch (fault.kind) {
    case 'syntax':
      return 'The body must be valid JSON.'
    case 'values':
      return `The body must have at most ${fault.max.toLocaleString('en')} values.`
    case 'depth':
      return `The body must be nested at most ${fault.max} levels deep.`
    case 'items':
    case 'fields':
      return `${name} must have at most ${fault.max.toLocaleString('en')} ${fault.kind}.`
    case 'text':
      return `${name} must not contain ${fault.what}.`
    case 'name':
      return `The body has a field whose name contains ${fault.what}.`
    case 'repeated':
      return `${name} occurs twice in the body. Send it once.`
    case 'inexact':
      return `${name} has more digits than a JSON number can hold exactly. Send it as a string if it is an identifier; otherwise, send fewer digits.`
  }
}

/**
 * Parses a body according to its schema. Throws INVALID_REQUEST for an invalid field. The message names the field and
 * its requirement, but never its value.
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown, under = ''): z.infer<S> {
  const result = safeParse(schema, value)
  if (result.success) return result.data
  const { issues } = result
  // Issues that make the request malformed take precedence over issues that have their own error code.
  const issue = issues.find(each => ownError(each, value) === undefined) ?? issues[0]
  const own = issue && ownError(issue, value)
  const name = nameInMessage(issue?.path ?? [], schema, under)
  if (own) throw new ServiceError(own, reasonOf(name, issue))
  throw new ServiceError(
    'INVALID_REQUEST',
    issue ? sentence(name, issue, within(value, issue.path) === undefined) : undefined,
  )
}

/** Returns the sentence for an issue whose error code has several reasons, or undefined if the code has one sentence. */
function reasonOf(name: string, issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_value') return listed(name, issue)
  const reason = issue.code === 'custom' ? issue.params?.['reason'] : undefined
  return typeof reason === 'string' ? `${name} ${reason}.` : undefined
}

/** Returns the value at a path inside another value, or undefined if there is none. */
const within = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key], value)

/** Returns the field's own error code, which the schema provides as the message. A missing field has no such code. */
const ownError = ({ message, path }: z.core.$ZodIssue, value: unknown): ErrorSubType | undefined =>
  Object.hasOwn(errors, message) && within(value, path) !== undefined ? (message as ErrorSubType) : undefined

const listed = (name: string, { values }: z.core.$ZodIssueInvalidValue): string =>
  `${name} must be ${values.length > 1 ? 'one of: ' : ''}${values.map(String).join(', ')}.`

function sentence(name: string, issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (issue.message.startsWith('must ') && !isMissing) return `${name} ${issue.message.replace(/\.$/, '')}.`
  switch (issue.code) {
    case 'invalid_type':
      return isMissing
        ? `${name} is required and must be ${article(issue.expected)}.`
        : `${name} must be ${article(issue.expected)}.`
    case 'invalid_key':
      return sentence(`The name of ${name[0]!.toLowerCase()}${name.slice(1)}`, issue.issues[0]!, false)
    case 'unrecognized_keys':
      return `${name} has ${unknownInMessage(issue.keys)}.`
    case 'invalid_value':
      return listed(name, issue)
    case 'too_small':
      return `${name} ${bound('least', Number(issue.minimum), issue.origin)}.`
    case 'too_big':
      return `${name} ${bound('most', Number(issue.maximum), issue.origin)}.`
    case 'custom':
      return issue.message.includes(' ') ? issue.message : `${name} must match its schema in /openapi.json.`
    default:
      if (issue.code === 'invalid_format' && formats[issue.format]) return `${name} must be ${formats[issue.format]}.`
      return /^[\w.]+ /.test(issue.message) && issue.message.endsWith('.')
        ? issue.message
        : `${name} must match its schema in /openapi.json.`
  }
}

/** Descriptions of field formats, for error messages. */
const formats: Readonly<Record<string, string>> = {
  datetime: 'a time in ISO 8601 with a time zone, such as 2026-03-02T15:00:00Z',
  date: 'a day in the format YYYY-MM-DD',
  email: 'an email address, such as ana@example.com',
  url: 'a URL, such as https://lender.example/hooks',
}

const article = (type: string) =>
  type === 'int'
    ? 'a whole number'
    : type === 'record'
      ? 'an object'
      : /^[aeiou]/.test(type)
        ? `an ${type}`
        : `a ${type}`
/** Describes a limit on a number or on the length of a string or array. */
function bound(side: 'least' | 'most', limit: number, origin: string): string {
  if (origin !== 'string' && origin !== 'array') return `must be at ${side} ${limit}`
  if (side === 'least' && limit === 1) return 'must not be empty'
  const plural = limit === 1 ? '' : 's'
  return origin === 'string'
    ? `must be at ${side} ${limit} character${plural} long`
    : `must have at ${side} ${limit} item${plural}`
}
