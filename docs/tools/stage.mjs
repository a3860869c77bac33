/**
 * Copies the repository's Markdown to the folder that VitePress reads. The copies use features that GitHub lacks:
 * blocks with `tab=` become tabs, a block with `file=` shows the file name, and links point to pages of the site.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import MarkdownIt from 'markdown-it'
import { routeOf, sections, unsearched } from './contents.mjs'
import { pages, root } from './pages.mjs'

const plain = new MarkdownIt()

/** Returns a page's first paragraph without markup, truncated at the end of a sentence. */
function descriptionOf(tokens) {
  const at = tokens.findIndex(({ type }) => type === 'paragraph_open')
  if (at < 0) return ''
  const text = tokens[at + 1].children
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : content))
    .join('')
    .trim()
  const sentences = text.match(/[^.]+(?:\.(?!\s|$)[^.]*)*\.?/g) ?? [text]
  let short = sentences[0]
  for (const next of sentences.slice(1)) if (short.length + next.length < 200) short += next
  return short.replace(/:$/, '.').trim()
}

/**
 * Rewrites links to pages so that they point to the pages' URLs on the site, and replaces links to source files with
 * plain text.
 */
const relink = (path, here, text) =>
  text.replace(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (all, image, words, to) => {
    const [file, anchor] = to.split('#')
    if (/^[a-z]+:/.test(file) || file === '') return all
    const target = posix.join(posix.dirname(path), decodeURI(file))
    if (target.startsWith('docs/images/')) return `${image}[${words}](/${target.slice('docs/'.length)})`
    const route = routeOf(target)
    if (route === null) return words
    const address = posix.relative(posix.dirname(here), route)
    return `[${words}](${address.startsWith('.') ? address : `./${address}`}${anchor ? `#${anchor}` : ''})`
  })

/** Returns the opening line of a code block on the site, with its language and the name on its tab. */
const openFence = ({ lang, label }) => `\`\`\`${lang}${label ? ` [${label}]` : ''}`

/**
 * Returns a page's lines with new code fences. `open` returns the line that opens each code block, and `before` and
 * `after` are inserted around each group of tabs.
 */
function rewriteFences(lines, fences, { open, before, after }) {
  const inserted = new Map()
  const add = (line, text) => inserted.set(line, [...(inserted.get(line) ?? []), text])
  fences.forEach((fence, index) => {
    const next = fences[index + 1]
    const [indent] = /^\s*/.exec(lines[fence.start])
    lines[fence.start] = indent + open(fence)
    if (!fence.label) return
    const previous = fences[index - 1]
    const joins = (one, other) => one?.tab && other?.tab && one.end === other.start
    if (before && !joins(previous, fence)) add(fence.start, before)
    if (after && !joins(fence, next)) add(fence.end, after)
  })
  return lines.flatMap((line, index) => [...(inserted.get(index) ?? []), line]).concat(inserted.get(lines.length) ?? [])
}

/** Returns each code block of a page, with its language, its first and last lines, and the name on its tab. */
const fencesOf = tokens =>
  tokens
    .filter(({ type }) => type === 'fence')
    .map(({ info, map }) => {
      const [lang = '', ...rest] = info.trim().split(/\s+/)
      const value = name => rest.find(part => part.startsWith(`${name}=`))?.slice(name.length + 1)
      const tab = value('tab')
      return { lang: lang || 'text', tab, label: tab ?? value('file'), start: map[0], end: map[1] }
    })

/** Replaces a page's links outside of code blocks. Does not change the number of lines. */
function relinkLines(path, here, lines, fences) {
  const parts = []
  let at = 0
  for (const { start, end } of [...fences, { start: lines.length, end: lines.length }]) {
    if (start > at) parts.push(...relink(path, here, lines.slice(at, start).join('\n')).split('\n'))
    parts.push(...lines.slice(start, end))
    at = end
  }
  return parts
}

/**
 * Returns a page of the site. `site` is the page's text for VitePress, and `markdown` is the plain text that the site
 * offers to readers.
 */
export function readSitePage(path) {
  const text = readFileSync(join(root, path), 'utf8').replace(/^<!--[\s\S]*?-->\s*/, '')
  const here = routeOf(path)
  const tokens = plain.parse(text, {})
  const fences = fencesOf(tokens)
  const heading = tokens.findIndex(({ type }) => type === 'heading_open')
  const title = tokens[heading + 1].content.replaceAll('`', '')
  const description = descriptionOf(tokens)
  const groups = { open: openFence, before: '\n::: code-group', after: ':::\n' }
  const bare = { open: ({ lang }) => `\`\`\`${lang}` }
  const render = how => {
    const lines = relinkLines(path, here, text.split('\n'), fences)
    return rewriteFences(lines, fences, how).join('\n').trimStart()
  }
  const search = unsearched.includes(path) ? 'search: false\n' : ''
  const front = `---\ndescription: ${JSON.stringify(description)}\n${search}---\n\n`
  return { path, route: here, title, description, site: front + render(groups), markdown: `${render(bare).trim()}\n` }
}

const siteFile = name => new URL(`site/${name}`, import.meta.url)

/**
 * Writes the pages and their images into a folder that VitePress reads.
 * @returns the pages by section
 */
export function stage(folder) {
  rmSync(folder, { recursive: true, force: true })
  const read = new Map(pages.map(path => [path, readSitePage(path)]))
  for (const { route, site } of read.values()) {
    mkdirSync(dirname(join(folder, route)), { recursive: true })
    writeFileSync(join(folder, route), site)
  }
  cpSync(siteFile('home.md'), join(folder, 'index.md'))
  cpSync(join(root, 'docs/images'), join(folder, 'public/images'), { recursive: true })
  return sections.map(({ title, pages: paths, reference }) => ({
    title,
    reference,
    pages: paths.map(path => read.get(path)),
  }))
}
