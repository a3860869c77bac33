import type { z } from 'zod'
import { type ErrorSubType, errors } from '../errors.js'

type Message = (issue: object) => unknown
interface Def {
  readonly type?: string
  readonly error?: Message
  readonly path?: readonly PropertyKey[]
  readonly checks?: readonly { readonly _zod: { readonly def: Def & { readonly check: string } } }[]
  readonly [part: string]: unknown
}

const isName = (text: unknown): text is ErrorSubType => typeof text === 'string' && Object.hasOwn(errors, text)
const messageOf = ({ error }: Def): unknown => error?.({})

/** Calls `visit` once for a schema and once for each schema nested inside it, passing the path of its field. */
function walk(value: unknown, path: readonly string[], visit: (def: Def, path: readonly string[]) => void): void {
  const seen = new Set<unknown>()
  const each = (part: unknown, at: readonly string[]): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return
    seen.add(part)
    if (Array.isArray(part)) for (const item of part) each(item, at)
    const def = (part as { _zod?: { def: Def } })._zod?.def
    if (!def) return
    visit(def, at)
    for (const [key, inner] of Object.entries(def)) {
      if (key === 'shape') for (const [name, field] of Object.entries(inner as object)) each(field, [...at, name])
      else if (key !== 'checks') each(inner, at)
    }
  }
  each(value, path)
}

/** Returns the error names that a body's schema uses in place of messages. */
export function codesOf(body: z.ZodType): ErrorSubType[] {
  const found = new Set<ErrorSubType>()
  walk(body, [], def => {
    for (const message of [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)].map(messageOf))
      if (isName(message)) found.add(message)
  })
  return [...found]
}

/**
 * Returns the rules that span several fields of a body, one sentence each. The schema of a single field cannot express
 * such rules.
 */
export function rulesOf(body: z.ZodType): string[] {
  const found = new Set<string>()
  walk(body, [], (def, path) => {
    if (def.type !== 'object') return
    for (const { _zod } of def.checks ?? []) {
      const message = messageOf(_zod.def)
      const place = [...path, ...(_zod.def.path ?? [])].join('.')
      if (isName(message)) found.add(`\`${message}\`: ${errors[message].message}`)
      else if (typeof message === 'string')
        found.add(message.startsWith('must ') ? `\`${place}\` ${message}.` : message.replace(/[^.]$/, '$&.'))
    }
  })
  return [...found]
}
