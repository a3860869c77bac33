/** Headless browsers that puppeteer drives: Firefox over WebDriver BiDi, Chromium over its own protocol. */
import puppeteer from 'puppeteer-core'

/** Chromium can't use its own sandbox as root. The other flags keep it from calling external services. */
export const chromiumFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

const preferences = {
  // Services that Firefox calls by default, which the tests do not need.
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'intl.accept_languages': 'en-US',
}

/** @returns a Browser of puppeteer */
export const startFirefox = executablePath =>
  puppeteer.launch({ browser: 'firefox', executablePath, headless: true, extraPrefsFirefox: preferences })

/** @returns a Browser of puppeteer */
export const startChromium = executablePath =>
  puppeteer.launch({ browser: 'chrome', executablePath, headless: true, args: chromiumFlags })
