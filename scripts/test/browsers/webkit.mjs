/**
 * WebKitGTK's MiniBrowser on a virtual screen, controlled through WebDriver. This browser supports one window at a
 * time.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../free-port.mjs'
import { webdriver } from './webdriver.mjs'

/** @param driver the path of WebKitWebDriver @returns a webdriver.mjs session whose `close` stops all processes */
export async function startWebKit(driver) {
  const children = []
  const end = () => {
    for (const child of children) child.kill()
  }
  process.once('exit', end)
  try {
    // A separate virtual screen. Xvfb chooses its display number and reports it.
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    children.push(screen)
    const told = once(screen.stdio[3], 'data')
    const ended = once(screen, 'exit').then(() => Promise.reject(new Error('Xvfb did not start.')))
    ended.catch(() => {})
    const [number] = await Promise.race([told, ended])
    const port = await freePort()
    const env = { ...process.env, DISPLAY: `:${String(number).trim()}` }
    children.push(spawn(driver, ['--host=127.0.0.1', `--port=${port}`], { env, stdio: 'ignore' }))
    const session = await webdriver(`http://127.0.0.1:${port}`, { browserName: 'MiniBrowser' })
    const close = async () => {
      await session.close().catch(() => {})
      end()
    }
    return { ...session, close }
  } catch (error) {
    end()
    throw error
  }
}

/**
 * Runs in the page, and resolves once the page has been rendered at its new size. Until then, styles reflect the old
 * size.
 */
const drawn = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null))))

/** The same browser, adapted for launcher.mjs. */
export async function startWebKitPages(driver) {
  const session = await startWebKit(driver)
  const page = {
    goto: session.open,
    url: session.url,
    close: () => session.open('about:blank'),
    keyboard: {
      press: session.press,
      async type(text) {
        for (const character of text) await session.press(character)
      },
    },
    mouse: { move: session.move, click: (x, y, { button } = {}) => session.clickAt(x, y, button) },
    /** The toolbar keeps the window from becoming narrower than about 450 pixels. */
    async setViewport({ width, height }) {
      const bars = () => [outerWidth - innerWidth, outerHeight - innerHeight]
      const [across, down] = await session.run(bars)
      await session.resize({ width: width + across, height: height + down })
      await session.run(drawn)
    },
  }
  return { newPage: async () => page, close: session.close }
}
