import { readFile } from 'node:fs/promises'
import { type Causeway, CausewayError } from '@causeway/sdk'
import { Hono } from 'hono'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { languageDetector } from 'hono/language'
import { secureHeaders } from 'hono/secure-headers'
import { type ApplicationStore, createApplications } from './applications.js'
import { createBorrower } from './borrower.js'
import { createNetwork } from './network.js'
import { createOperations } from './operations.js'
import { createSiteOf, keepLanguage } from './site.js'
import { messagePage } from './views/layout.js'
import { createWebhookRoutes } from './webhooks.js'
import { languages } from './words/translate.js'

export interface DemoDeps {
  causeway: Causeway
  /** The origin of the service's API, which serves institution logos. */
  apiOrigin: string
  /** The origin of the element kit and its frames. */
  frameOrigin: string
  /** The id of the ACH account that pays out loans. */
  funding: string
  /** The secret with which the service signs its webhooks. */
  webhookSecret: string
  /** Keeps the applications. Without it, a restart deletes them. */
  store?: ApplicationStore
  newId: () => string
  now: () => Date
}

/** Creates the entire Northwind Lending site. */
export function createApp({
  causeway,
  apiOrigin,
  frameOrigin,
  funding,
  webhookSecret,
  store,
  newId,
  now,
}: DemoDeps): Hono {
  const siteOf = createSiteOf(`${frameOrigin}/v1/kit.js`, frameOrigin)
  const applications = createApplications(store)
  const network = createNetwork(causeway, applications, now)
  const app = new Hono()

  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", frameOrigin],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", apiOrigin],
        connectSrc: ["'self'"],
        frameSrc: [frameOrigin],
        // The form of the borrower's own page redirects to a hosted page.
        formAction: ["'self'", frameOrigin],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      crossOriginResourcePolicy: 'same-origin',
      // The frame uses the referrer to determine which origin embeds it.
      referrerPolicy: 'strict-origin-when-cross-origin',
    }),
  )
  app.use(csrf())
  app.use(
    languageDetector({
      supportedLanguages: Object.keys(languages),
      fallbackLanguage: 'en',
      order: ['querystring', 'cookie', 'header'],
      caches: false,
    }),
  )
  app.use(keepLanguage)

  for (const [path, file, type] of assets)
    app.get(path, async c =>
      c.body(await readFile(new URL(file, import.meta.url), 'utf8'), 200, { 'Content-Type': type }),
    )

  app.route('/', createBorrower({ causeway, applications, network, siteOf, newId }))
  app.route('/', createWebhookRoutes({ causeway, applications, secret: webhookSecret, now }))
  app.route('/', createOperations({ applications, network, funding, siteOf }))

  app.notFound(c =>
    c.html(
      messagePage(
        siteOf(c),
        'This page doesn’t exist',
        'The link may be from another browser or an earlier database of this demo.',
      ),
      404,
    ),
  )
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse()
    const refusal = error instanceof CausewayError ? error : null
    const reference = refusal?.request_id ? ` Reference: ${refusal.request_id}.` : ''
    console.error(
      `${c.req.method} ${c.req.path}:`,
      refusal ? `${refusal.code} ${refusal.sub_type}.${reference}` : error,
    )
    const status = refusal ? 502 : 500
    const message = `Nothing was lost. Wait a moment and try again.${reference}`
    return c.req.header('Accept')?.includes('text/html')
      ? c.html(messagePage(siteOf(c), 'That didn’t work', message), status)
      : c.json({ message }, status)
  })
  return app
}

/**
 * Lists each asset's path, its file's location relative to this module, and its content type. The scripts are always
 * the compiled ones, even when the site runs from source.
 */
const assets = [
  ['/site.css', '../public/site.css', 'text/css; charset=utf-8'],
  ['/parts.css', '../public/parts.css', 'text/css; charset=utf-8'],
  ['/home.css', '../public/home.css', 'text/css; charset=utf-8'],
  ['/borrower.css', '../public/borrower.css', 'text/css; charset=utf-8'],
  ['/operations.css', '../public/operations.css', 'text/css; charset=utf-8'],
  ['/docs/sandbox.md', '../../../docs/sandbox.md', 'text/plain; charset=utf-8'],
  ['/mark.svg', '../public/mark.svg', 'image/svg+xml'],
  ['/news.js', '../dist/page/news.js', 'text/javascript; charset=utf-8'],
  ['/application.js', '../dist/page/application.js', 'text/javascript; charset=utf-8'],
  ['/dialog.js', '../dist/page/dialog.js', 'text/javascript; charset=utf-8'],
] as const
