import { onContentUpdated, useData } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h, nextTick, onMounted } from 'vue'
import './site.css'
import { followGroups, followSearch, repair, showCurrent } from './repair.mjs'
import { followTabs, restoreTabs } from './tabs.mjs'

/** A link to the page's plain text, for readers who want to pass the text to a tool. */
const MarkdownLink = {
  setup() {
    const { page, frontmatter } = useData()
    const link = () =>
      h('a', { href: `/${page.value.relativePath}`, target: '_self', type: 'text/markdown' }, 'View as Markdown')
    return () =>
      frontmatter.value.layout === 'home' || page.value.isNotFound ? null : h('p', { class: 'markdown-link' }, link())
  },
}

const Layout = {
  setup() {
    onMounted(() => {
      followTabs()
      followGroups()
      followSearch()
    })
    onContentUpdated(() => {
      restoreTabs()
      nextTick(() => {
        repair()
        showCurrent()
      })
    })
    return () => h(DefaultTheme.Layout, null, { 'doc-footer-before': () => h(MarkdownLink) })
  },
}

export default { extends: DefaultTheme, Layout }
