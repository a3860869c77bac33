/** Component tests: the elements and the frame's screens in a real browser. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { esbuildPlugin } from '@web/dev-server-esbuild'
import { playwrightLauncher } from '@web/test-runner-playwright'
import { bundleFor } from './frameworks/react/bundle.mjs'
import { ensureBrowser } from './scripts/test/browsers/ensure-browser.mjs'
import { launcher } from './scripts/test/browsers/launcher.mjs'
import { chromiumFlags, startFirefox } from './scripts/test/browsers/puppeteer.mjs'
import { startWebKitPages } from './scripts/test/browsers/webkit.mjs'
import { freePort } from './scripts/test/free-port.mjs'

/** Each process uses one browser. `scripts/test/component.mjs` starts one process per browser. */
const browser = process.env.BROWSER ?? 'chromium'
const executablePath = process.env.BROWSER_PATH ?? ensureBrowser(browser)

/** Replaces the service's frame listener with a fake frame that follows the test's instructions. */
const frameDouble = (context, next) => {
  if (context.path.startsWith('/e/')) context.url = '/packages/elements/src/testing/frame.html'
  return next()
}

const asked = new Set()

/** Replaces the kit with two fakes: one whose first download is interrupted, and one that loads. */
const kitDouble = (context, next) => {
  const [, kind] = /^\/(flaky|steady)-.*\/kit\.js$/.exec(context.path) ?? []
  if (!kind) return next()
  if (kind === 'steady' || asked.has(context.path)) {
    context.type = 'js'
    context.set('Access-Control-Allow-Origin', '*')
    context.body = 'globalThis.kitRuns = (globalThis.kitRuns ?? 0) + 1'
  } else {
    asked.add(context.path)
    // Interrupts the response halfway, because a browser may retry a request that received no response at all.
    context.respond = false
    context.res.writeHead(200, { 'content-type': 'text/javascript', 'content-length': '1000' })
    context.res.write('globalThis.', () => context.req.socket.destroy())
  }
}

/** Replaces an imported stylesheet with its URL, as the build does. */
const sheetAddress = (context, next) => {
  if (!context.path.endsWith('.css') || context.search !== '?url') return next()
  context.type = 'js'
  context.body = `export default ${JSON.stringify(context.path)}`
}

const scenes = new Map()

/** Serves sample customer pages that use the React components, bundled once per React version. */
const reactScenes = async (context, next) => {
  const [path, version, name] = /^\/react-scenes\/(18|19)\/(\w+)\.js$/.exec(context.path) ?? []
  if (!path) return next()
  if (!scenes.has(path)) scenes.set(path, bundleFor(Number(version), name))
  context.type = 'js'
  context.body = await scenes.get(path)
}

/** After garbage collection, counts listeners, nodes, documents, heap bytes, and elements with the given tags. */
const measureHeap = {
  name: 'measure-heap',
  async executeCommand({ command, payload, session }) {
    if (command !== 'measure-heap') return undefined
    const page = session.browser.getPage(session.id)
    const devtools = await page.context().newCDPSession(page)
    // Each collection releases wrappers on only one of the engine's two sides, so one collection is not enough.
    for (let turn = 0; turn < 3; turn++) await devtools.send('HeapProfiler.collectGarbage')
    let elements = 0
    for (const tag of payload.tags) {
      const { result } = await devtools.send('Runtime.evaluate', {
        expression: `customElements.get('${tag}').prototype`,
      })
      const { objects } = await devtools.send('Runtime.queryObjects', { prototypeObjectId: result.objectId })
      const length = { functionDeclaration: 'function () { return this.length }', returnByValue: true }
      const counted = await devtools.send('Runtime.callFunctionOn', { ...length, objectId: objects.objectId })
      elements += counted.result.value
      for (const { objectId } of [result, objects]) await devtools.send('Runtime.releaseObject', { objectId })
    }
    const { jsEventListeners: listeners, nodes, documents } = await devtools.send('Memory.getDOMCounters')
    const { usedSize: heap } = await devtools.send('Runtime.getHeapUsage')
    await devtools.detach()
    return { elements, listeners, nodes, documents, heap }
  },
}

/** Returns the last lines of Chromium's output. scripts/test/component.mjs makes Playwright write that output to a file. */
const lastWords = () =>
  process.env.DEBUG_FILE && existsSync(process.env.DEBUG_FILE)
    ? readFileSync(process.env.DEBUG_FILE, 'utf8').split('\n').slice(-60).join('\n')
    : ''

/**
 * Creates a page that reports why its tests were interrupted. web-test-runner itself detects only that the connection
 * ended.
 */
const chromiumPage = async ({ context }) => {
  const page = await context.newPage()
  page.on('crash', () => console.error(`Chromium's page ${page.url()} crashed.\n${lastWords()}`))
  return page
}

const launchers = {
  chromium: () =>
    playwrightLauncher({
      product: 'chromium',
      launchOptions: { executablePath, args: chromiumFlags },
      createPage: chromiumPage,
    }),
  firefox: () => launcher('Firefox', () => startFirefox(executablePath)),
  webkit: () => launcher('WebKit', () => startWebKitPages(executablePath)),
}

/** Excludes tests that need Chromium's own developer tools, which other browsers lack. */
const others = browser === 'chromium' ? [] : ['!**/*.chromium.test.ts']

export default {
  // By default, web-test-runner searches for a free port from 8000 upward, so two processes that start at the same time
  // can conflict.
  port: Number(await freePort()),
  files: [
    'packages/{elements,react,opal-react,opal-react-native}/src/**/*.test.ts',
    'apps/{flow,console}/src/**/*.test.ts',
    '!**/*.node.test.ts',
    ...others,
  ],
  nodeResolve: { exportConditions: ['source', 'browser', 'production'] },
  plugins: [
    measureHeap,
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('packages/elements/tsconfig.json', import.meta.url)),
    }),
  ],
  middleware: [sheetAddress, frameDouble, kitDouble, reactScenes],
  // Allows for a busy machine. A test that hangs still times out.
  testFramework: { config: { timeout: '20000' } },
  testsFinishTimeout: 300_000,
  browsers: [launchers[browser]()],
}
