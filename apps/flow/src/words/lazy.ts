/** Creates a value on first use. Creating date formatters takes longer than everything else at startup combined. */
export function lazy<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
