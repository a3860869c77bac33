const known = new Map<string, readonly string[]>()
const MANY = 1_000

/** A JSON list of names as a column holds it. The same few texts come with every row, so each is read once. */
export function readNames(text: string): readonly string[] {
  const found = known.get(text)
  if (found) return found
  if (known.size >= MANY) known.clear()
  const list = Object.freeze(JSON.parse(text) as string[])
  known.set(text, list)
  return list
}
