/**
 * Checks that every code block in the guides and READMEs compiles, parses or runs, or states in its source why it isn't
 * tested. `scripts/test/quick-start.mjs` runs the quick start's commands and files. The framework blocks are tested in
 * `frameworks/guides/`.
 */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, load } from './browser.mjs'
import { byKind, createCompiler, languages } from './compile.mjs'
import { blocks } from './pages.mjs'
import { hasPython, runBlocks } from './shell.mjs'

const TEST_TIMEOUT_MS = 180_000
const nameOf = ({ page, line, lang }) => `${page}:${line} ${lang}`
const live = blocks.filter(block => !block.illustration)
const own = live.filter(block => !(block.in || block.file) || block.lang === 'http')
const of = lang => own.filter(block => block.lang === lang).map(block => [nameOf(block), block])

test('every block that is not tested states a reason', () => {
  const ways = ['ts', 'tsx', 'js', 'vue', 'svelte', 'html', 'css', 'http', 'json', 'sh', 'python']
  expect(live.filter(({ lang }) => !ways.includes(lang)).map(nameOf)).toEqual([])
  expect(blocks.filter(({ illustration }) => illustration !== null && illustration.length < 15).map(nameOf)).toEqual([])
  expect(live.filter(block => (block.in || block.file) && !/quick-start|security-policy/.test(block.page))).toEqual([])
})

const compile = createCompiler(languages, fileURLToPath(new URL('tried', import.meta.url)))
const kinds = [...byKind(own)]
test('the pages have snippets for every framework', () =>
  expect(kinds.map(([kind]) => kind).sort()).toEqual([
    'angular',
    'javascript',
    'server',
    'svelte',
    'typescript',
    'vue',
  ]))
test.each(kinds.filter(([kind]) => kind in languages))(
  '%s compiles',
  { timeout: TEST_TIMEOUT_MS },
  async (kind, list) => expect(await compile(kind, list)).toBe(''),
)

test.for(of('json'))('%s parses', ([, { text }]) => {
  expect(JSON.parse(text)).toBeTruthy()
})

let browser
beforeAll(async () => {
  browser = await launch()
}, TEST_TIMEOUT_MS)
afterAll(() => browser?.close())

test.for(of('html'))(
  '%s runs, and opens the element that it opens',
  { timeout: TEST_TIMEOUT_MS },
  async ([, { text }]) => {
    const { page, faults, opened } = await load(browser, `<!doctype html><title>Yours</title>${text}`)
    if (/<connect-element|<opal-balance/.test(text) && /<script/.test(text))
      await expect
        .poll(() => page.locator(':is(connect-element, opal-balance-transfer-element):defined').count())
        .toBe(1)
    if (text.includes('<button type="button">')) await page.getByRole('button').click()
    if ((/\bopen\(\)/.test(text) && text.includes('getToken')) || text.includes('new Method('))
      expect(await opened()).toMatch(/\/e\/h{16}$/)
    expect(faults.filter(fault => !fault.includes('sha384-...'))).toEqual([])
    await page.close()
  },
)

test.for(of('css'))('%s is understood by a browser', async ([, { text }]) => {
  const { page } = await load(browser, '<!doctype html><title>Yours</title>')
  const count = await page.evaluate(css => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    return [...sheet.cssRules].reduce((sum, rule) => sum + rule.style.length, 0)
  }, text)
  expect(count).toBe(text.split('\n').filter(line => /^\s+[\w-]+:/.test(line)).length)
  await page.close()
})

test.for(of('http'))('under %s an element opens and nothing is refused', async ([, { text }]) => {
  const headers = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => line.split(/:\s(.*)/s, 2)),
  )
  expect(headers['Content-Security-Policy']).not.toContain('unsafe-')
  const html = `<!doctype html><title>Yours</title><script defer src="https://frame.example.com/v1/kit.js"></script>
    <connect-element></connect-element><script type="module" src="/page.js"></script>`
  const script = `const element = document.querySelector('connect-element')
    element.getToken = async () => (await (await fetch('/token', { method: 'POST' })).json()).element_token
    element.open()`
  const { page, faults, opened } = await load(browser, html, { headers, files: { '/page.js': script } })
  expect(await opened()).toBe(`https://frame.example.com/e/${'h'.repeat(16)}`)
  expect(faults).toEqual([])
  await page.close()
})

test('every complete page has a language and a viewport tag, so that it fits a phone', async () => {
  const pages = blocks.filter(({ lang, text }) => lang === 'html' && /<!doctype/i.test(text))
  expect(pages.length).toBeGreaterThan(0)
  for (const { page: file, text } of pages) {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, isMobile: true })
    await page.route('**', route => route.abort())
    await page.setContent(text)
    const layout = await page.evaluate(() => [innerWidth, document.documentElement.lang])
    expect([file, ...layout]).toEqual([file, 390, 'en'])
    await page.close()
  }
})

/** Returns the languages in each group of tabs, in page order. */
function tabGroups() {
  const groups = []
  for (const { page, line, text, lang, tab } of blocks.filter(block => block.tab)) {
    const last = groups.at(-1)
    const end = line + text.split('\n').length + 1
    if (last?.page === page && last.end === line) Object.assign(last, { end, tabs: [...last.tabs, `${lang} ${tab}`] })
    else groups.push({ page, line, end, tabs: [`${lang} ${tab}`] })
  }
  return groups
}

test('every request is shown for curl, Node and Python, in that order', () => {
  expect(tabGroups().length).toBeGreaterThan(4)
  for (const { page, line, tabs } of tabGroups())
    expect([`${page}:${line}`, ...tabs]).toEqual([`${page}:${line}`, 'sh curl', 'js Node', 'python Python'])
})

test('the commands and requests do what the pages say', { timeout: TEST_TIMEOUT_MS }, async () => {
  const run = own.filter(({ lang, tab }) => lang === 'sh' || lang === 'python' || (lang === 'js' && tab))
  expect(await runBlocks(run)).toEqual([])
})
if (!hasPython) test.skip('the Python requests need python3, which is not installed on this machine')
