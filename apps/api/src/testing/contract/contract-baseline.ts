/**
 * Reads and writes the facts of a contract in a compact form: a line for each field of a request, response or resource.
 * The line begins with the field and continues with the fields inside it. `!` marks a required field, `:` precedes its
 * types, and `=` precedes the values that a request may send.
 *
 *     Account response
 *      .ach:null|object .number!:null|string .routing!:string
 */
interface Field {
  required: boolean
  types: string[]
  values: string[]
}

const factPattern = /^(.+ (?:request|response)) (\S*?)(?:: (\S+)| = (\S+)| required)$/
const fieldPattern = /^((?:(?:query|path|header)\.)?\.?[^.[]*)(.*)$/
const tokenPattern = /^([^!:=]*)(!?)(?::([^=]+))?(?:=(.+))?$/
/** Operations and webhooks exist on their own. A resource exists only where something refers to it. */
const subjectPattern = /^(?:[A-Z]+ |webhook )/

/** Returns the name of the operation or webhook that a request or response belongs to; null for a resource. */
const subjectOf = (place: string): string | null =>
  subjectPattern.test(place) ? place.slice(0, place.lastIndexOf(' ')) : null

const showField = (path: string, { required, types, values }: Field): string =>
  `${path}${required ? '!' : ''}${types.length ? `:${types.join('|')}` : ''}${values.length ? `=${values.join('|')}` : ''}`

/** Returns the text of a contract's facts. */
export function formatFacts(facts: ReadonlySet<string>): string {
  const places = new Map<string, Map<string, Field>>()
  const subjects = new Set<string>()
  for (const fact of [...facts].sort()) {
    const [, place, path, type, value] = factPattern.exec(fact) ?? []
    if (place === undefined || path === undefined) {
      subjects.add(fact)
      continue
    }
    const fields = places.get(place) ?? new Map<string, Field>()
    places.set(place, fields)
    const field = fields.get(path) ?? { required: false, types: [], values: [] }
    fields.set(path, field)
    if (type !== undefined) field.types.push(type)
    else if (value !== undefined) field.values.push(value)
    else field.required = true
  }
  const described = new Set([...places.keys()].map(subjectOf))
  const blocks = new Map([...subjects].filter(subject => !described.has(subject)).map(subject => [subject, subject]))
  for (const [place, fields] of places) {
    const lines = new Map<string, string[]>()
    for (const [path, field] of [...fields].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [, first = '', rest = ''] = fieldPattern.exec(path) ?? []
      const tokens = lines.get(first) ?? (rest === '' ? [] : [first])
      lines.set(first, [...tokens, showField(rest === '' ? path : rest, field)])
    }
    const [whole, ...others] = [...lines]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, tokens]) => ` ${tokens.join(' ')}`)
    blocks.set(
      place,
      fields.has('') && whole ? [place + whole, ...others].join('\n') : [place, whole, ...others].join('\n'),
    )
  }
  return `${[...blocks]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text)
    .join('\n')}\n`
}

/** Returns the facts in a text that {@link formatFacts} returned. */
export function parseFacts(text: string): Set<string> {
  const facts = new Set<string>()
  let place = ''
  const addLine = (tokens: readonly string[]) => {
    let first = ''
    for (const [index, token] of tokens.entries()) {
      const [, path = '', required, types, values] = tokenPattern.exec(token) ?? []
      if (index === 0) first = path
      const at = `${place} ${index === 0 ? path : first + path}`
      if (required) facts.add(`${at} required`)
      for (const type of types?.split('|') ?? []) facts.add(`${at}: ${type}`)
      for (const value of values?.split('|') ?? []) facts.add(`${at} = ${value}`)
    }
  }
  for (const line of text.split('\n').filter(Boolean)) {
    if (line.startsWith(' ')) {
      addLine(line.slice(1).split(' '))
      continue
    }
    const [, header, rest] = /^(.+ (?:request|response))(?: (.*))?$/.exec(line) ?? []
    place = header ?? ''
    const subject = header === undefined ? line : subjectOf(header)
    if (subject !== null) facts.add(subject)
    if (rest !== undefined) addLine(rest.split(' '))
  }
  return facts
}
