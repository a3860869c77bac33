/**
 * Builds the site: VitePress's pages, the API reference, the plain text of every page, and `llms.txt`, which lists the
 * pages.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'vitepress'
import { sections } from './contents.mjs'
import { root } from './pages.mjs'
import { readSitePage } from './stage.mjs'

const require = createRequire(import.meta.url)
const site = fileURLToPath(new URL('site', import.meta.url))

const write = (file, text) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

async function describeApi() {
  const tsx = pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--import', tsx, join(root, 'scripts/build/openapi.ts')],
    { maxBuffer: 1 << 26 },
  )
  return stdout
}

/**
 * Adds the API reference. The bundle is the single file that Scalar's package publishes. Browsers can cache it forever,
 * because its name contains the version.
 */
async function addReference(out) {
  const bundle = require.resolve('@scalar/api-reference').replace(/dist\/.*$/, 'dist/browser/standalone.js')
  const { version } = JSON.parse(readFileSync(join(dirname(bundle), '../../package.json'), 'utf8'))
  const folder = join(out, 'reference')
  cpSync(join(site, 'reference'), folder, { recursive: true })
  cpSync(bundle, join(folder, `scalar-${version}.js`))
  const page = join(folder, 'index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replaceAll('SCALAR_VERSION', version))
  write(join(folder, 'openapi.json'), await describeApi())
}

function addMarkdown(out) {
  const list = [
    '# Causeway',
    '',
    '> A self-hosted, consumer-permissioned financial account network: a REST API, embeddable elements, webhooks, an SDK, and a sandbox.',
  ]
  for (const { title, reference, pages } of sections) {
    list.push('', `## ${title}`, '')
    if (reference)
      list.push('- [OpenAPI 3.1](reference/openapi.json): Every endpoint with its fields, errors and examples.')
    for (const path of pages) {
      const page = readSitePage(path)
      write(join(out, page.route), page.markdown)
      list.push(`- [${page.title}](${page.route})${page.description ? `: ${page.description}` : ''}`)
    }
  }
  write(join(out, 'llms.txt'), `${list.join('\n')}\n`)
}

const pagesIn = folder => readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.html'))

/** The hash of the style that VitePress adds briefly when the reader switches between light and dark mode. */
const SWITCHING = "'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='"

/**
 * Adds a policy that allows only the page's own scripts. The policy allows `style` attributes, because Shiki uses them
 * to color code.
 */
function addPolicy(out, name) {
  const file = join(out, name)
  const html = readFileSync(file, 'utf8')
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  const policy = [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(inline)].join(' ')}`,
    /^reference\b/.test(name)
      ? "style-src 'self' 'unsafe-inline'"
      : `style-src 'self' ${SWITCHING}; style-src-attr 'unsafe-inline'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  writeFileSync(
    file,
    html.replace('<head>', `<head>\n    <meta http-equiv="content-security-policy" content="${policy}">`),
  )
}

/**
 * @param out a folder for the site, which any static server can serve; it must be new or empty, or contain an earlier
 * build
 */
export async function buildSite(out) {
  if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, 'llms.txt')))
    throw new Error(
      `${out} must be empty or contain an earlier build of the site, because the build replaces everything in it.`,
    )
  // If the build fails, the earlier build stays in place.
  const next = `${out}.next`
  rmSync(next, { recursive: true, force: true })
  await build(site, { outDir: next })
  await addReference(next)
  addMarkdown(next)
  for (const name of pagesIn(next)) addPolicy(next, name)
  rmSync(out, { recursive: true, force: true })
  renameSync(next, out)
}
