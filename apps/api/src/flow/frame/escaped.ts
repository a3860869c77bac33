const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for use in HTML. */
export const escaped = (text: string) => text.replace(/[&<>"]/g, sign => entities[sign]!)
