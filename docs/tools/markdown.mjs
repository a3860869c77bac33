/** Markdown as GitHub shows it: the same anchors, tables and links, for the check of the links; the site has the same anchors. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import MarkdownIt from 'markdown-it'
import { root } from './pages.mjs'

/** The anchor of a heading: small letters, no punctuation, dashes for blanks. */
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

/** Gives every heading its anchor, `id`, and its words, `meta.text`; the second of a name gets `-1`. */
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

/** A page as tokens, with all that it links to and all that can be linked to in it. */
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
