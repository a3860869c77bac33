/**
 * How long a person waits: from `open()` to the first screen that can be used, against an empty frame of another origin
 * with one input, in turns in one run, with the processor slowed four times. Cold is a browser that has nothing of it yet;
 * warm is the next visit. Read the ratios, not the figures. The goal is at most 1.5.
 *   node bench/open.mjs [--rounds 9] [--throttle 4] [--json FILE]
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { ensureBrowser } from '../scripts/ensure-browser.mjs'
import { lender, mixedPerson } from '../scripts/torture/lender.mjs'
import { start } from '../scripts/torture/service.mjs'
import { createStore } from '../scripts/torture/store.mjs'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    throttle: { type: 'string', default: '4' },
    json: { type: 'string' },
  },
})
const GOAL = 1.5

const serve = html =>
  new Promise(resolve => {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(html)
    })
    server.listen(0, '127.0.0.1', () => resolve({ server, origin: `http://127.0.0.1:${server.address().port}` }))
  })

const store = await createStore('sqlite')
const service = await start(store)
const customer = lender(service)
const entity = await customer.entity(mixedPerson)

const empty = await serve('<!doctype html><title>One input</title><label>Name <input id="one"></label>')
const emptyOrigin = empty.origin.replace('127.0.0.1', 'localhost')
const host = await serve(`<!doctype html><html lang="en"><title>A page</title>
<script src="${service.frameOrigin}/v1/kit.js"></script>
<connect-element frame-origin="${service.frameOrigin}"></connect-element>`)

/**
 * Says when something can first be used, by the clock of the machine: in a frame, when its button or input has a place; on
 * the page, when the person can see the frame. By the console, because every question asked of a frame that is still
 * loading takes its thread away from it; and without a look at every frame drawn, which would make drawing one the longer.
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
  // One process for the page and its frames, as on a small phone: the slow processor is everybody's.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-site-isolation-trials',
    '--disable-features=IsolateOrigins,site-per-process',
  ],
})

/** Milliseconds from asking for it until it can be used. */
async function once(context, what) {
  const page = await context.newPage()
  await page.goto(host.origin)
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: Number(options.throttle) })
  const token = (await customer.must('POST', '/elements/token', { type: 'connect', entity_id: entity, connect: {} }))
    .element_token
  const said = []
  const both = page.waitForEvent('console', {
    predicate: message => message.text().startsWith('usable ') && said.push(Number(message.text().slice(7))) === 2,
    timeout: 30_000,
  })
  const begun = await page.evaluate(
    ([kind, given, address]) => {
      const now = performance.timeOrigin + performance.now()
      if (kind === 'empty') {
        const frame = document.createElement('iframe')
        frame.src = address
        document.body.append(frame)
        window.watchFor(() => frame)
      } else {
        const element = document.querySelector('connect-element')
        const shown = frame => frame && getComputedStyle(frame).visibility === 'visible' && frame
        const look = () => window.watchFor(() => shown(element.shadowRoot.querySelector('iframe')))
        element.addEventListener('element-ready', look, { once: true })
        element.getToken = () => given
        void element.open()
      }
      return now
    },
    [what, token, emptyOrigin],
  )
  await both
  const ms = Math.max(...said) - begun
  await page.close()
  return ms
}

const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
const found = {}
for (const state of ['cold', 'warm']) {
  const times = { empty: [], ours: [] }
  for (let round = 0; round < Number(options.rounds); round++)
    for (const what of round % 2 ? ['ours', 'empty'] : ['empty', 'ours']) {
      const context = await browser.newContext()
      await context.addInitScript(watch)
      if (state === 'warm') await once(context, what)
      times[what].push(await once(context, what))
      await context.close()
    }
  const [ours, base] = [median(times.ours), median(times.empty)]
  found[state] = { ours: Math.round(ours), empty: Math.round(base), ratio: Number((ours / base).toFixed(2)) }
  console.log(
    `${state}: ${found[state].ours} ms against ${found[state].empty} ms, ratio ${found[state].ratio} (goal ${GOAL})`,
  )
}
await browser.close()
await service.stop()
empty.server.close()
host.server.close()
host.server.closeAllConnections()
if (options.json) writeFileSync(options.json, JSON.stringify(found))
