/** Renders the app's own Lit templates as HTML text on the server. */
import { noChange, nothing, type TemplateResult } from 'lit'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (value: unknown) => String(value).replace(/[&<>"]/g, sign => entities[sign]!)

const isTemplate = (value: unknown): value is TemplateResult =>
  typeof value === 'object' && value !== null && '_$litType$' in value && 'strings' in value

/** Matches an attribute that is still open at the end of a string. Captures its prefix, name and opening quote. */
const OPEN_ATTRIBUTE = /\s([@?.]?)([\w-]+)=(?:(")[^"<>]*)?$/

/**
 * Returns the HTML of a template. Omits event listeners, properties and directives on elements, because only a script
 * can apply them. Throws if a value can't be rendered as text.
 * @param draw renders a value that is an object other than a template, such as a screen
 */
export function renderMarkup(value: unknown, draw: (value: object) => unknown = refuse): string {
  if (value === nothing || value === noChange || value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(each => renderMarkup(each, draw)).join('')
  if (isTemplate(value)) return fromTemplate(value, draw)
  return typeof value === 'object' || typeof value === 'function' ? renderMarkup(draw(value), draw) : escaped(value)
}

function refuse(value: object): never {
  throw new Error(`a value of type ${value.constructor.name} can't be rendered as text`)
}

function fromTemplate({ strings, values }: TemplateResult, draw: (value: object) => unknown): string {
  let out = ''
  /** The template's own text up to the current value, excluding earlier values. */
  let source = ''
  /**
   * The position in the output where the open quoted attribute starts. `gone` is true if one of the attribute's values
   * removes the attribute.
   */
  let quoted: { start: number; gone: boolean } | null = null
  strings.forEach((string, i) => {
    if (quoted && string.includes('"')) {
      if (quoted.gone) {
        out = out.slice(0, quoted.start)
        string = string.slice(string.indexOf('"') + 1)
      }
      quoted = null
    }
    out += string
    source += string
    if (i === values.length) return
    const value = values[i]
    if (source.lastIndexOf('<') <= source.lastIndexOf('>')) {
      out += renderMarkup(value, draw)
      return
    }
    if (quoted) {
      quoted.gone ||= value === nothing
      out += value === nothing ? '' : escaped(value)
      return
    }
    const attribute = OPEN_ATTRIBUTE.exec(string)
    // The value is a directive on the element.
    if (!attribute) return
    const [all, prefix, name, quote] = attribute
    const start = out.length - all.length
    if (prefix === '@' || prefix === '.' || (prefix === '?' && !value) || (!quote && value === nothing)) {
      out = out.slice(0, start)
    } else if (prefix === '?') out = `${out.slice(0, start)} ${name}`
    else if (quote) {
      quoted = { start, gone: value === nothing }
      out += value === nothing ? '' : escaped(value)
    } else out += `"${escaped(value)}"`
  })
  return out
}
