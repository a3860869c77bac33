/** Formats epoch milliseconds as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const showTime = (at: number): string => new Date(at).toISOString()
