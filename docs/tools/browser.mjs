/**
 * Runs the pages' snippets in a browser with the built kit. The reader's server and the frame are test doubles with
 * fixed responses, and no request leaves the machine.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { ensureBrowser } from '../../scripts/test/browsers/ensure-browser.mjs'
import { root } from './pages.mjs'

const site = 'https://www.lender.example'
const token = `pk_elem_${'h'.repeat(16)}${'s'.repeat(33)}`
const built = name => readFileSync(join(root, 'packages/elements/dist', name), 'utf8')

export const launch = () =>
  chromium.launch({
    executablePath: ensureBrowser(),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

/**
 * Loads one of the reader's pages and responds to its requests.
 * @param files the files on the reader's server other than `/`, keyed by path
 * @returns the page; `faults`, a list of script errors and policy violations; and `opened()`, which resolves to the URL
 * of the frame when an element opens it
 */
export async function load(browser, html, { files = {}, headers = {} } = {}) {
  const page = await browser.newPage()
  const faults = []
  let say
  const frame = new Promise(resolve => {
    say = resolve
  })
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (/Content Security Policy|Trusted|is not valid|SyntaxError/i.test(message.text())) faults.push(message.text())
  })
  await page.route('**', route => {
    const { pathname, origin } = new URL(route.request().url())
    const shared = { 'access-control-allow-origin': '*' }
    const script = body => route.fulfill({ contentType: 'text/javascript', headers: shared, body })
    if (/\/kit\.js$|^\/assets\/causeway-/.test(pathname)) return script(built('kit.js'))
    if (pathname.endsWith('/init.js')) return script(built('init.js'))
    if (pathname.startsWith('/e/')) {
      say(`${origin}${pathname}`)
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Frame</title>' })
    }
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', headers, body: html })
    if (files[pathname]) return script(files[pathname])
    if (/\/(?:my-)?token$/.test(pathname)) return route.fulfill({ json: { element_token: token } })
    return route.fulfill({ status: 404, body: '' })
  })
  await page.goto(`${site}/`, { waitUntil: 'load' })
  return { page, faults, opened: () => frame }
}
