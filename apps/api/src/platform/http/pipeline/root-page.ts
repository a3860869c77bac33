import type { Context, Next } from 'hono'
import { accepts } from 'hono/accepts'
import type { Deps } from '../../scope.js'
import { type Exchange, exchangeOf, type Serve } from './envelope.js'

/** The page of the root path of a listener. */
export interface RootPage {
  /** The envelope of the listener's public pages. */
  serve: Serve<Exchange, Response>
  /** The name of the listener, as the heading. */
  title: string
  /** The purpose of the listener, as a sentence. */
  text: string
}

const render = ({ title, text }: RootPage, apiOrigin: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title></head>
<body><main><h1>${title}</h1>
<p>${text}</p>
<ul>
<li><a href="${apiOrigin}/docs">API reference</a></li>
<li><a href="${apiOrigin}/openapi.json">OpenAPI document</a></li>
<li>Quick start: <code>docs/guides/quick-start.md</code> in the repository</li>
</ul></main></body></html>
`

/**
 * Serves the root path: a small page for browsers, and for all other clients the same response as before. The page is
 * the same in all environments and names no version. It needs no style sheet, so the policy of all responses applies.
 */
export const rootPage =
  (deps: Pick<Deps, 'apiOrigin' | 'clock' | 'log' | 'metrics'>, page: RootPage) =>
  async (c: Context, next: Next): Promise<Response | undefined> => {
    const type = accepts(c, {
      header: 'Accept',
      supports: ['application/json', 'text/html'],
      default: 'application/json',
    })
    const html = () =>
      new Response(render(page, deps.apiOrigin), {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Referrer-Policy': 'no-referrer',
          'Cache-Control': 'no-store',
          Vary: 'Accept',
        },
      })
    if (type === 'text/html') return page.serve(exchangeOf(deps, c, '/'), html)
    await next()
    c.res.headers.append('Vary', 'Accept')
    return undefined
  }
