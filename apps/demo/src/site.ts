import type { Context, Next } from 'hono'
import { setCookie } from 'hono/cookie'
import type { Site } from './views/layout.js'
import type { Language } from './words/translate.js'

/** Returns the language that the detector found, which is always one of the site's. */
const languageOf = (c: Context): Language => c.get('language') as Language

export type SiteOf = (c: Context) => Site

/** Returns a function that returns the settings of the page that answers a request. */
export const createSiteOf =
  (kit: string, frameOrigin: string): SiteOf =>
  c => ({ kit, frameOrigin, language: languageOf(c), path: c.req.method === 'GET' ? c.req.path : '/' })

/** Keeps the language that a person chose with the switch, which the browser's language would otherwise replace. */
export async function keepLanguage(c: Context, next: Next): Promise<void> {
  if (c.req.query('lang')) setCookie(c, 'language', languageOf(c), { httpOnly: true, sameSite: 'Lax', path: '/' })
  await next()
}
