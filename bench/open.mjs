/**
 * Measures how long a person waits between `open()` and the first usable screen: without preparation (`plain`), with
 * the files preloaded (`preloaded`), and with the session started in advance (`prepared`). Compares the first two with
 * a cross-origin frame that contains only an input. Each round measures all kinds once, in a different order, with the
 * processor throttled to a quarter of its speed. "Cold" means a browser with an empty cache, and "warm" means the next
 * visit. Compare the ratios, not the absolute times. The run also measures a lower bound: the same first screen as
 * static markup in a cross-origin frame, without any script or surrounding element.
 *   node bench/open.mjs [--rounds 7] [--throttle 4] [--json FILE]
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { ensureBrowser } from '../scripts/test/browsers/ensure-browser.mjs'
import { lender, mixedPerson } from '../scripts/torture/lender.mjs'
import { start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    throttle: { type: 'string', default: '4' },
    json: { type: 'string' },
  },
})
/** The goals: a ratio relative to the empty frame, or a time in milliseconds. */
const goals = { plain: { ratio: 1.8 }, preloaded: { ratio: 1.2 }, prepared: { ms: 60 } }

const serve = html =>
  new Promise(resolve => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(typeof html === 'string' ? html : html())
    })
    server.listen(0, '127.0.0.1', () => resolve({ server, origin: `http://127.0.0.1:${server.address().port}` }))
  })

const store = await createStore('sqlite')
const service = await start(store)
const customer = lender(service)
const entity = await customer.entity(mixedPerson)

const empty = await serve('<!doctype html><title>One input</title><label>Name <input id="one"></label>')
/** Static markup of the frame's first screen, captured from an open frame. */
let screen = ''
const markup = await serve(() => screen)
const framed = server => server.origin.replace('127.0.0.1', 'localhost')
const host = await serve(`<!doctype html><html lang="en"><title>A page</title>
<script src="${service.frameOrigin}/v1/kit.js"></script>
<connect-element frame-origin="${service.frameOrigin}"></connect-element>`)

/**
 * Reports when a target first becomes usable, according to the machine's clock. Inside a frame, this is when the
 * frame's button or input has a layout box. From then on, a press is accepted, even if the app responds to it later. On
 * the page, the target is usable when the frame becomes visible. Reports through the console, because evaluating code
 * in a loading frame would block the frame's thread. Does not check every animation frame, because that would slow down
 * rendering.
 */
function watch() {
  window.watchFor = find => {
    requestAnimationFrame(() => {
      const target = find()
      if (!target || target.getBoundingClientRect().height === 0) window.watchFor(find)
      else console.debug(`usable ${performance.timeOrigin + performance.now()}`)
    })
  }
  if (window === window.top) return
  const find = () => document.querySelector('#one, .dock button.cta')
  const observer = new MutationObserver(() => {
    if (!find()) return
    observer.disconnect()
    window.watchFor(find)
  })
  observer.observe(document, { childList: true, subtree: true })
}

const browser = await chromium.launch({
  executablePath: ensureBrowser(),
  // Use one process for the page and its frames, as on a small phone, so that the throttling applies to all of them.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-site-isolation-trials',
    '--disable-features=IsolateOrigins,site-per-process',
  ],
})

async function withoutScripts(page) {
  const frame = page.frames().find(each => each !== page.mainFrame())
  await frame.locator('causeway-flow .dock button.cta').waitFor()
  return frame.evaluate(async () => {
    const sheet = document.querySelector('link[rel=stylesheet]')
    const css = await (await fetch(sheet.href)).text()
    const copy = document.documentElement.cloneNode(true)
    for (const gone of copy.querySelectorAll('script, link, meta[name^=causeway], noscript')) gone.remove()
    copy.querySelector('head').append(Object.assign(document.createElement('style'), { textContent: css }))
    return `<!doctype html>${copy.outerHTML.replace(/<!--.*?-->/g, '')}`
  })
}

/**
 * Loads the files or starts a session, as the page does before the person clicks. Resolves once the files are loaded
 * or the session is started.
 */
async function ahead(page, what, token) {
  const loaded = page.waitForEvent(
    'requestfinished',
    request => request.url().endsWith('.css') && /later/.test(request.url()),
  )
  await page.evaluate(
    ([kind, given]) => {
      const element = document.querySelector('connect-element')
      element.token = given
      if (kind === 'preloaded') element.constructor.preload(element.frameOrigin)
      return kind === 'prepared' ? element.prepare() : undefined
    },
    [what, token],
  )
  if (what === 'preloaded') await loaded
  else loaded.catch(() => undefined)
  // Wait for the browser to finish compiling and rendering.
  await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)))
}

/** Returns the number of milliseconds from the request until the screen is usable. */
async function once(context, what) {
  const page = await context.newPage()
  await page.goto(host.origin)
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: Number(options.throttle) })
  const token = (await customer.must('POST', '/elements/token', { type: 'connect', entity_id: entity, connect: {} }))
    .element_token
  if (what in goals) await ahead(page, what, token)
  const said = []
  // The screen of a prepared frame is already usable before the click, so only the page reports a time.
  const reports = what === 'prepared' ? 1 : 2
  const both = page.waitForEvent('console', {
    predicate: message =>
      message.text().startsWith('usable ') && said.push(Number(message.text().slice(7))) === reports,
    timeout: 30_000,
  })
  const begun = await page.evaluate(
    ([isOurs, address]) => {
      const now = performance.timeOrigin + performance.now()
      if (!isOurs) {
        const frame = document.createElement('iframe')
        frame.src = address
        document.body.append(frame)
        window.watchFor(() => frame)
      } else {
        const element = document.querySelector('connect-element')
        const find = () => {
          const frame = element.shadowRoot.querySelector('iframe')
          return frame && getComputedStyle(frame).visibility === 'visible' && frame
        }
        void element.open()
        // The element shows its frame by changing a class.
        const observer = new MutationObserver(() => {
          if (!find()) return
          observer.disconnect()
          window.watchFor(find)
        })
        observer.observe(element.shadowRoot, { subtree: true, childList: true, attributeFilter: ['class'] })
        if (find()) window.watchFor(find)
      }
      return now
    },
    [what in goals, framed(what === 'empty' ? empty : markup)],
  )
  await both
  if (what === 'plain') screen ||= await withoutScripts(page)
  const ms = Math.max(...said) - begun
  await page.close()
  return ms
}

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const kinds = ['empty', 'markup', ...Object.keys(goals)]
const visit = async (what, { again = false } = {}) => {
  const context = await browser.newContext()
  await context.addInitScript(watch)
  if (again) await once(context, what)
  const ms = await once(context, what)
  await context.close()
  return ms
}
await visit('plain')
const found = {}
for (const state of ['cold', 'warm']) {
  const times = Object.fromEntries(kinds.map(what => [what, []]))
  for (let round = 0; round < Number(options.rounds); round++)
    for (const place of kinds.keys()) {
      const what = kinds[(place + round) % kinds.length]
      times[what].push(await visit(what, { again: state === 'warm' }))
    }
  const ms = Object.fromEntries(kinds.map(what => [what, Math.round(median(times[what]))]))
  found[state] = Object.fromEntries(
    kinds.map(what => [what, { ms: ms[what], ratio: Number((ms[what] / ms.empty).toFixed(2)) }]),
  )
  for (const what of kinds) {
    const { ms: time, ratio } = found[state][what]
    const { [what]: goal } = goals
    const aim = goal ? `, goal ${goal.ratio ?? `${goal.ms} ms`}` : ''
    console.log(`${state}: ${what} ${time} ms, ratio ${ratio}${aim}`)
  }
}
await browser.close()
await service.stop()
for (const { server } of [empty, markup, host]) {
  server.close()
  server.closeAllConnections()
}
if (options.json) writeFileSync(options.json, JSON.stringify(found))
