/**
 * Parses Markdown as GitHub does, with the same anchors, tables and links, so that the links can be checked. The site
 * uses the same anchors.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { root } from './pages.mjs'

/** Returns a heading's anchor: lowercase letters, no punctuation, and dashes in place of spaces. */
export const slugOf = text =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const textOf = ({ children }) =>
  children
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')

/**
 * Sets each heading's `id` to its anchor, and its `meta.text` to its text. A second heading with the same text gets the
 * suffix `-1`.
 */
function nameHeadings(state) {
  const seen = new Map()
  state.tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return
    const text = textOf(state.tokens[index + 1])
    const slug = slugOf(text)
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    token.attrSet('id', times === 0 ? slug : `${slug}-${times}`)
    token.meta = { text }
  })
}

const createMarkdown = () =>
  new MarkdownIt({ typographer: false }).use(md => md.core.ruler.push('anchors', nameHeadings))

/** Parses a page into tokens, and lists its links and anchors. */
export function readPage(path) {
  const md = createMarkdown()
  const text = readFileSync(join(root, path), 'utf8')
  const tokens = md.parse(text, {})
  const inline = tokens.flatMap(({ children, map }) =>
    (children ?? []).map(child => ({ child, line: (map?.[0] ?? 0) + 1 })),
  )
  const links = inline.flatMap(({ child, line }) => {
    const to = child.type === 'link_open' ? child.attrGet('href') : child.type === 'image' ? child.attrGet('src') : null
    return to === null ? [] : [{ to, line }]
  })
  const headings = tokens.filter(({ type }) => type === 'heading_open')
  return { path, md, tokens, links, headings, anchors: headings.map(token => token.attrGet('id')) }
}
