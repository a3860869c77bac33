/** Headless browsers controlled by puppeteer: Firefox over WebDriver BiDi, and Chromium over its own protocol. */
import puppeteer from 'puppeteer-core'

/** Chromium can't use its own sandbox as root. The other flags prevent calls to external services. */
export const chromiumFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

const preferences = {
  // Firefox calls these services by default, but the tests do not need them.
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'intl.accept_languages': 'en-US',
}

/** @returns a puppeteer Browser */
export const startFirefox = executablePath =>
  puppeteer.launch({ browser: 'firefox', executablePath, headless: true, extraPrefsFirefox: preferences })

/** @returns a puppeteer Browser */
export const startChromium = executablePath =>
  puppeteer.launch({ browser: 'chrome', executablePath, headless: true, args: chromiumFlags })
