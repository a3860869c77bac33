/** The flow's playground, which shows every screen in every state without a service. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'

/** The steps of the flow, and `app` for the states outside any step. */
export const screens = [
  'consent',
  'phone',
  'code',
  'details',
  'questions',
  'link',
  'discovering',
  'selection',
  'number',
  'deposits',
  'card',
  'allocation',
  'review',
  'done',
  'manage',
  'blocked',
  'app',
]

/** Returns the name of the screen that a playground query shows. */
export const screenOf = (query: string) => /^(?:screen=)?(\w+)/.exec(query)![1]!

export interface Playground {
  /** The query for each state of every screen: `screen=consent&state=plain`, `app=closed`. */
  queries: string[]
  /** The page that shows the screens one after another. */
  page: Page
  draw: (query: string) => Promise<void>
  stop: () => void
}

/** A global function of the page. The page loads its modules once for all screens. */
declare const show: (query: string) => Promise<void>

/**
 * Starts an app's development server on a free port.
 * @returns the first URL that it prints, and a function that stops it
 */
async function serve(app: string): Promise<{ address: string; stop: () => void }> {
  const server = fileURLToPath(new URL(`../../apps/${app}/dev/server.mjs`, import.meta.url))
  const child = spawn(process.execPath, [server, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', code =>
      reject(new Error(`The development server for ${app} exited with ${code} before it was ready.`)),
    )
    createInterface({ input: child.stdout }).once('line', resolve)
  })
  return { address: line.split(' ')[0]!, stop: () => child.kill() }
}

export async function startPlayground(browser: Browser): Promise<Playground> {
  const { address, stop } = await serve('flow')
  const { href } = new URL('/dev/gallery.html', address)
  const page = await browser.newPage({ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' })
  await page.goto(href)
  const links = page.locator('a[data-page]')
  await links.first().waitFor()
  const queries = await links.evaluateAll(all => all.map(link => (link as HTMLElement).dataset['page']!))
  await page.goto(`${href}?${queries[0]}`)
  await page.locator('html[data-drawn]').waitFor()
  return { queries, page, draw: query => page.evaluate(given => show(given), query), stop }
}

/** The console's play page, which shows every page in every state without a service. */
export interface ConsolePlay {
  /** The states of each page. */
  states: [page: string, state: string][]
  page: Page
  draw: (page: string, state: string) => Promise<void>
  stop: () => void
}

/** Globals of the console's play page. */
declare const scenes: [string, string][]
declare const draw: (page: string, state: string) => Promise<void>

export async function startConsolePlay(browser: Browser): Promise<ConsolePlay> {
  const { address, stop } = await serve('console')
  const page = await browser.newPage({ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' })
  await page.goto(address)
  await page.locator('html[data-drawn]').waitFor()
  const states = await page.evaluate(() => scenes)
  return {
    states,
    page,
    draw: (name, state) => page.evaluate(([of, at]) => draw(of, at), [name, state] as const),
    stop,
  }
}
