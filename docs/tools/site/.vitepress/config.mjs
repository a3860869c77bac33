import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { menuNames } from '../../contents.mjs'
import { slugOf } from '../../markdown.mjs'
import { stage } from '../../stage.mjs'

const at = path => fileURLToPath(new URL(path, import.meta.url))
const sections = stage(at('../pages'))

/**
 * A link to a page that VitePress does not render. The target makes the browser load the page, so VitePress does not
 * look for its Markdown.
 */
const reference = { text: 'API reference', link: '/reference/', target: '_self' }

/**
 * Turns empty header cells into regular cells. Markdown requires a header row, so a table without headings has empty
 * header cells.
 */
function dropEmptyHeaders(md) {
  md.core.ruler.push('headers', ({ tokens }) => {
    for (const [index, token] of tokens.entries())
      if (token.type === 'th_open' && tokens[index + 1].content === '') token.tag = tokens[index + 2].tag = 'td'
  })
}

/** Makes tables reachable by keyboard, because they can scroll sideways, and gives each table a name. */
function wrapTables(md) {
  md.renderer.rules.table_open = (tokens, index) => {
    const number = tokens.slice(0, index + 1).filter(({ type }) => type === 'table_open').length
    return `<div class="table" tabindex="0" role="group" aria-label="Table ${number}"><table>`
  }
  md.renderer.rules.table_close = () => '</table></div>'
}

/** Marks inline code as plain text so that Vue does not parse it as a template. */
function keepCode(md) {
  const render = md.renderer.rules.code_inline
  md.renderer.rules.code_inline = (tokens, index, ...rest) => {
    tokens[index].attrSet('v-pre', '')
    return render(tokens, index, ...rest)
  }
}

export default defineConfig({
  title: 'Causeway',
  titleTemplate: ':title · Causeway docs',
  lang: 'en-US',
  srcDir: 'pages',
  cacheDir: at('../../node_modules/.cache/vitepress'),
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  metaChunk: true,
  markdown: {
    html: false,
    linkify: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    config: md => {
      dropEmptyHeaders(md)
      wrapTables(md)
      keepCode(md)
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3], label: 'On this page' },
    nav: [
      { text: 'Quick start', link: '/guides/quick-start' },
      { text: 'Sandbox', link: '/sandbox' },
      reference,
      { text: 'Errors', link: '/guides/troubleshooting' },
    ],
    sidebar: sections.map(section => ({
      text: section.title,
      collapsed: !['Get started', 'Build', 'Test'].includes(section.title),
      items: [
        ...(section.reference ? [reference] : []),
        ...section.pages.map(({ path, title, route }) => ({
          text: menuNames[path] ?? title,
          link: `/${route.replace(/(?:index)?\.md$/, '')}`,
        })),
      ],
    })),
  },
  vite: {
    configFile: false,
    publicDir: at('../pages/public'),
    logLevel: 'warn',
    // The default theme imports the styles of a third-party search library, which this site does not install.
    resolve: { alias: { '@docsearch/css': at('theme/none.css') } },
  },
})
