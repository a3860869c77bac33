/** A Firefox without a window, driven by WebDriver BiDi. */
import puppeteer from 'puppeteer-core'

const preferences = {
  // A person's Firefox asks for these; here nobody waits for an answer from the outside.
  'app.update.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'intl.accept_languages': 'en-US',
}

/** @returns puppeteer's Browser */
export const startFirefox = executablePath =>
  puppeteer.launch({ browser: 'firefox', executablePath, headless: true, extraPrefsFirefox: preferences })
