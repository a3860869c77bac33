/** Parses JSON text. Returns null for null. */
export const showJson = (text: string | null): unknown => (text === null ? null : JSON.parse(text))
/** Formats epoch milliseconds as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const showTime = (at: number): string => new Date(at).toISOString()
