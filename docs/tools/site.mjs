/**
 * The guides, and all other pages, as a site: plain HTML files with relative links, so that any static server (or none) shows
 * them, without a line of script and without anything from elsewhere.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { readPage } from './markdown.mjs'
import { pages, root } from './pages.mjs'

const HOME = 'docs/guides/README.md'

/** The place of a page or an image of the repository in the site; null for files that the site does not have. */
function addressOf(path) {
  if (path === HOME) return 'index.html'
  if (path.startsWith('docs/images/')) return path.slice('docs/'.length)
  if (!pages.includes(path)) return null
  if (path === 'README.md') return 'repository.html'
  return path
    .replace(/^docs\//, '')
    .replace(/\/README\.md$/, '.html')
    .replace(/\.md$/, '.html')
}

const encode = text =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign])
const relative = (from, to) => posix.relative(posix.dirname(from), to)

/** The order of the guides is that of their list; the rest goes by name. */
function contents(read) {
  const order = read.get(HOME).links.map(({ to }) => posix.join('docs/guides', to))
  const guides = [
    HOME,
    ...order.filter((path, index) => path.startsWith('docs/guides/') && order.indexOf(path) === index),
  ]
  const reference = pages.filter(path => path.startsWith('docs/') && !path.startsWith('docs/guides/'))
  return [
    ['Guides', guides],
    ['Reference', reference],
    ['Packages', pages.filter(path => path.startsWith('packages/') || !path.includes('/'))],
  ]
}

const titleOf = ({ headings }) => headings[0]?.meta.text ?? 'Causeway'

/** Turns links to pages into links within the site. What it does not have (a folder, a source file) stays as words. */
function localise({ path, tokens }) {
  const here = addressOf(path)
  for (const { children } of tokens) {
    const dropped = []
    for (const child of children ?? []) {
      const name = child.type === 'image' ? 'src' : 'href'
      if (child.type === 'link_close' && dropped.pop()) child.hidden = true
      if (child.type !== 'link_open' && child.type !== 'image') continue
      const [file, anchor] = child.attrGet(name).split('#')
      const outside = /^[a-z]+:/.test(file)
      const address = outside ? null : file === '' ? here : addressOf(posix.join(posix.dirname(path), file))
      if (child.type === 'link_open') dropped.push(!outside && address === null)
      if (outside) continue
      if (address !== null) child.attrSet(name, relative(here, address) + (anchor ? `#${anchor}` : ''))
      else child.hidden = true
    }
    if (children) for (const child of children) if (child.hidden) Object.assign(child, { type: 'text', content: '' })
  }
}

/** A head of empty cells is there for Markdown's sake; a cell without words is no head. */
function emptyHeads(tokens) {
  for (const [index, token] of tokens.entries())
    if (token.type === 'th_open' && tokens[index + 1].content === '') token.tag = tokens[index + 2].tag = 'td'
}

/** A region that scrolls sideways can be reached by the keyboard, and has a name. */
function addRules(md) {
  let tables = 0
  md.renderer.rules.table_open = () =>
    `<div class="scroll" tabindex="0" role="group" aria-label="Table ${++tables}"><table>`
  md.renderer.rules.table_close = () => '</table></div>'
  md.renderer.rules.fence = (tokens, index) => {
    const { info, content } = tokens[index]
    const file = /\bfile=(\S+)/.exec(info)?.[1]
    const block = `<pre tabindex="0"><code>${encode(content)}</code></pre>`
    return file ? `<figure><figcaption>${encode(file)}</figcaption>${block}</figure>` : block
  }
}

function render(page, groups, read) {
  const here = addressOf(page.path)
  const to = path => relative(here, path)
  localise(page)
  emptyHeads(page.tokens)
  addRules(page.md)
  const item = path =>
    `<li><a href="${to(addressOf(path))}"${path === page.path ? ' aria-current="page"' : ''}>${encode(titleOf(read.get(path)))}</a></li>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${encode(titleOf(page))} · Causeway</title>
<link rel="stylesheet" href="${to('site.css')}"><link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header><a class="brand" href="${to('index.html')}">Causeway</a> <a class="to-contents" href="#contents">Contents</a></header>
<main id="main">${page.md.renderer.render(page.tokens, page.md.options, {})}</main>
<nav id="contents" aria-label="Contents">${groups
    .map(([name, paths]) => `<h2>${name}</h2><ul>${paths.map(item).join('')}</ul>`)
    .join('')}</nav>
</body>
</html>
`
}

const filesIn = folder =>
  readdirSync(join(root, folder), { recursive: true })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter(path => statSync(join(root, path)).isFile())

/** Every file of the site by its path in it, as text or bytes. */
export function buildSite() {
  const read = new Map(pages.map(path => [path, readPage(path)]))
  const groups = contents(read)
  const site = new Map([['site.css', readFileSync(new URL('site.css', import.meta.url), 'utf8')]])
  for (const page of read.values()) site.set(addressOf(page.path), render(page, groups, read))
  for (const path of filesIn('docs/images')) site.set(addressOf(path), readFileSync(join(root, path)))
  return site
}

export function writeSite(site, folder) {
  for (const [path, body] of site) {
    const file = join(folder, path)
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, body)
  }
}

const types = { html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', png: 'image/png', jpg: 'image/jpeg' }

/** Answers a request from the site. Nothing but what was built can be asked for. */
export const serveSite = site => (request, response) => {
  const path = request.url.split('?')[0].slice(1) || 'index.html'
  const body = site.get(path)
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': body === undefined ? 'text/plain' : types[path.split('.').at(-1)],
    'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self' data:",
  })
  response.end(body ?? 'There is no such page.')
}
