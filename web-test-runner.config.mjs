/** Component tests: the elements and the frame's screens, in a real browser. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { esbuildPlugin } from '@web/dev-server-esbuild'
import { playwrightLauncher } from '@web/test-runner-playwright'
import { bundleFor } from './packages/react/src/testing/bundle.mjs'

const executablePath = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find(path => path && existsSync(path))

const args = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
if (process.getuid?.() === 0) args.push('--no-sandbox')

/** Stands in for the service's frame listener: a frame that does what the test tells it. */
const frameDouble = (context, next) => {
  if (context.path.startsWith('/e/')) context.url = '/packages/elements/src/testing/frame.html'
  return next()
}

const asked = new Set()

/** Stands in for a kit: one whose first download breaks off, and one that comes. */
const kitDouble = (context, next) => {
  const [, kind] = /^\/(flaky|steady)-.*\/kit\.js$/.exec(context.path) ?? []
  if (!kind) return next()
  if (kind === 'steady' || asked.has(context.path)) {
    context.type = 'js'
    context.set('Access-Control-Allow-Origin', '*')
    context.body = 'globalThis.kitRuns = (globalThis.kitRuns ?? 0) + 1'
  } else {
    asked.add(context.path)
    context.respond = false
    context.req.socket.destroy()
  }
}

const scenes = new Map()

/** The React components in the pages of customers, bundled once for each version of React. */
const reactScenes = async (context, next) => {
  const version = Number(/^\/react-scenes\/(18|19)\.js$/.exec(context.path)?.[1])
  if (!version) return next()
  if (!scenes.has(version)) scenes.set(version, bundleFor(version, 'scenes'))
  context.type = 'js'
  context.body = await scenes.get(version)
}

/** What the browser holds once all garbage is gone: of elements by their tags, of listeners, nodes, documents and bytes. */
const measureHeap = {
  name: 'measure-heap',
  async executeCommand({ command, payload, session }) {
    if (command !== 'measure-heap') return undefined
    const page = session.browser.getPage(session.id)
    const devtools = await page.context().newCDPSession(page)
    // Wrappers on both sides of the engine are let go of in turns.
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

export default {
  files: ['packages/{elements,react}/src/**/*.test.ts', 'apps/flow/src/**/*.test.ts', '!**/*.node.test.ts'],
  nodeResolve: { exportConditions: ['source', 'browser', 'production'] },
  plugins: [
    measureHeap,
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('packages/elements/tsconfig.json', import.meta.url)),
    }),
  ],
  middleware: [frameDouble, kitDouble, reactScenes],
  // A busy machine takes its time; a test that hangs still ends.
  testFramework: { config: { timeout: '10000' } },
  testsFinishTimeout: 300_000,
  browsers: [playwrightLauncher({ product: 'chromium', launchOptions: { executablePath, args } })],
}
