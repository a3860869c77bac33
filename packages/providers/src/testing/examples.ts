/** Examples of requests and answers without their content, which can be published. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from './document.js'

interface Example {
  operation: string
  status: number
  /** The names of the query's parameters. */
  query: string[]
  request: unknown
  answer: unknown
}

const MAX_ITEMS = 20

/** The members whose names say that their value is one of a list of words. */
const wordMembers = /(?:^|_)(?:status|type|category|channel|reason)$/i
const word = /^[A-Za-z][\w.]{0,59}$/
const memberName = /^[A-Za-z_][\w.-]{0,59}$/

/** Returns the names of the members that are enumerations in the documents. */
function enumeratedMembers(documents: readonly Document[]): Set<string> {
  const names = new Set<string>()
  const visit = (schema: unknown, name: string | null): void => {
    if (typeof schema !== 'object' || schema === null) return
    if (name !== null && Array.isArray((schema as { enum?: unknown }).enum)) names.add(name)
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') for (const [member, each] of Object.entries(value)) visit(each, member)
      else visit(value, ['anyOf', 'oneOf', 'allOf', 'items'].includes(key) || Array.isArray(schema) ? name : null)
    }
  }
  for (const document of documents) visit(document, null)
  return names
}

/** Replaces every value by its type, except the words of enumerations. */
function redact(value: unknown, enumerated: ReadonlySet<string>, name = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map(each => JSON.stringify(redact(each, enumerated, name)))
    return [...new Set(items)].slice(0, MAX_ITEMS).map(each => JSON.parse(each))
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        memberName.test(key) ? key : '(name)',
        redact(each, enumerated, key),
      ]),
    )
  const isWord = typeof value === 'string' && word.test(value) && (enumerated.has(name) || wordMembers.test(name))
  return value === null || isWord ? value : `(${Number.isInteger(value) ? 'integer' : typeof value})`
}

function readBody(text: string, type: string): unknown {
  if (text === '') return null
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Collects redacted examples, and writes a file for each operation and status. */
export function createExamples(documents: readonly Document[]) {
  const enumerated = enumeratedMembers(documents)
  const bodies = new Map<string, Example>()
  const read = async (message: Request | Response) =>
    redact(readBody(await message.text(), message.headers.get('content-type') ?? ''), enumerated)
  return {
    async observe(operation: string, request: Request, response: Response): Promise<void> {
      const query = [...new Set(new URL(request.url).searchParams.keys())].sort()
      const { status } = response
      const example = { operation, status, query, request: await read(request), answer: await read(response) }
      bodies.set(JSON.stringify(example), example)
    },
    /** @returns the number of files */
    save(folder: string): number {
      const files = new Map<string, Example[]>()
      for (const example of bodies.values()) {
        const name = `${example.operation} ${example.status}`.toLowerCase().replace(/[^a-z0-9]+/g, '-')
        files.set(name, [...(files.get(name) ?? []), example])
      }
      mkdirSync(folder, { recursive: true })
      for (const [name, examples] of files)
        writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(examples, null, 2)}\n`)
      return files.size
    },
  }
}
