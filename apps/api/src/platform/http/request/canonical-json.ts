/**
 * Returns the canonical text of a parsed JSON value: equal values have the same text, whatever the order of their
 * members. The value's depth must be limited.
 */
export function canonicalJson(value: unknown): string {
  // JSON.stringify would write an infinite number as null, and -0 equals 0.
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const members = value as Record<string, unknown>
  const texts = Object.keys(members)
    .sort()
    .map(name => `${JSON.stringify(name)}:${canonicalJson(members[name])}`)
  return `{${texts.join()}}`
}

/**
 * Returns the text that identifies a request's body: equal JSON is the same request, whatever its spacing, the order of
 * its members and its escapes. A body that isn't valid is identified by its text.
 */
export function identifyBody(request: { body(): unknown; readonly text: string }): string {
  try {
    return canonicalJson(request.body())
  } catch {
    return request.text
  }
}
