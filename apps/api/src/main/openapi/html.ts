/** Escapes text for HTML. */
export const safe = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

/** A sentence of the table: its `code` marks are the only markup it has. */
export const prose = (text: string): string => safe(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A value as indented JSON, to be read. */
export const json = (value: unknown): string =>
  `<pre tabindex="0"><code>${safe(JSON.stringify(value, null, 2))}</code></pre>`

/** The name of an anchor of the page. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
