/** Escapes text for HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`)

/** Formats a sentence whose only markup is backticks around code. */
export const renderProse = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Formats a value as indented JSON. */
export const renderJson = (value: unknown): string =>
  `<pre tabindex="0"><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`

/** Converts text to the name of an anchor on the page. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
