import { endpoints } from '@causeway/contract/endpoints/service'
import { ServiceError } from '@causeway/contract/errors'
import { isVersion, NEWEST_VERSION, type Version, versions } from '@causeway/contract/versions'
import { implement } from '../../platform/http/endpoint/implement.js'
import type { Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { describeApi } from './document.js'
import { renderPage } from './page.js'
import type { Mount } from './schemas.js'
import { style } from './style.js'

/** Headers for responses that change only when a new release is deployed. */
const cacheHeaders = { 'Cache-Control': 'public, max-age=300' }

/** Allows no scripts, no frames and no external resources. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function versionOf(ctx: Ctx, requested: Version | null): Version {
  const version = requested ?? ctx.header('service-version') ?? NEWEST_VERSION
  if (isVersion(version)) return version
  throw new ServiceError('INVALID_VERSION', `version must be one of: ${versions.join(', ')}.`)
}

const mountOf = (ctx: Ctx, requested: Mount | null): Mount => requested ?? (ctx.enveloped ? 'enveloped' : 'root')

/** Caches documents by version, mount and origin. Each document is created on first use. */
function cacheTexts(render: (version: Version, mount: Mount, origin: string) => string) {
  const texts = new Map<string, string>()
  return (version: Version, mount: Mount, origin: string): string => {
    const key = `${version} ${mount} ${origin}`
    const text = texts.get(key) ?? render(version, mount, origin)
    texts.set(key, text)
    return text
  }
}

const documentText = cacheTexts((version, mount, origin) => JSON.stringify(describeApi(origin, version, mount)))
const pageText = cacheTexts((version, _mount, origin) => renderPage(origin, version))

export const openapiRoutes: Route[] = [
  implement(endpoints.retrieveOpenApi, {
    handle: async (ctx, { query }) => ({
      shape: 'raw',
      body: documentText(versionOf(ctx, query.get('version')), mountOf(ctx, query.get('mount')), ctx.deps.apiOrigin),
      type: 'application/json',
      headers: { ...cacheHeaders, Vary: 'Service-Version' },
    }),
  }),
  implement(endpoints.retrieveReference, {
    handle: async (ctx, { query }) => ({
      shape: 'raw',
      body: pageText(versionOf(ctx, query.get('version')), 'root', ctx.deps.apiOrigin),
      type: 'text/html; charset=utf-8',
      headers: {
        ...cacheHeaders,
        Vary: 'Service-Version',
        'Content-Security-Policy': contentSecurityPolicy,
        'Referrer-Policy': 'no-referrer',
      },
    }),
  }),
  implement(endpoints.retrieveReferenceStyle, {
    handle: async () => ({
      shape: 'raw',
      body: style,
      type: 'text/css; charset=utf-8',
      headers: cacheHeaders,
    }),
  }),
]
