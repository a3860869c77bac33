/** Browsers without a window that puppeteer drives: Firefox by WebDriver BiDi, Chromium by its own protocol. */
import puppeteer from 'puppeteer-core'

/** Chromium refuses its own sandbox as root; the rest keeps it from calling external services. */
export const chromiumFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

const preferences = {
  // A person's Firefox calls these services; nothing here uses their answers.
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'intl.accept_languages': 'en-US',
}

/** @returns puppeteer's Browser */
export const startFirefox = executablePath =>
  puppeteer.launch({ browser: 'firefox', executablePath, headless: true, extraPrefsFirefox: preferences })

/** @returns puppeteer's Browser */
export const startChromium = executablePath =>
  puppeteer.launch({ browser: 'chrome', executablePath, headless: true, args: chromiumFlags })
