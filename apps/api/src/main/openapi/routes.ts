import { endpoints } from '@causeway/contract/endpoints/service'
import { ServiceError } from '@causeway/contract/errors'
import { isVersion, NEWEST_VERSION, type Version, versions } from '@causeway/contract/versions'
import { implement } from '../../platform/http/endpoint/implement.js'
import type { Route } from '../../platform/http/endpoint/route.js'
import type { Ctx } from '../../platform/scope.js'
import { describeApi } from './document.js'
import { page } from './page.js'
import type { Mount } from './schemas.js'
import { style } from './style.js'

/** Headers for responses that change only when a new release is deployed. */
const kept = { 'Cache-Control': 'public, max-age=300' }

/** Allows no scripts, no frames and no external resources. */
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function versionOf(ctx: Ctx, given: Version | null): Version {
  const asked = given ?? ctx.header('service-version') ?? NEWEST_VERSION
  if (isVersion(asked)) return asked
  throw new ServiceError('INVALID_VERSION', `version must be one of: ${versions.join(', ')}.`)
}

const mountOf = (ctx: Ctx, given: Mount | null): Mount => given ?? (ctx.enveloped ? 'enveloped' : 'root')

/** Caches documents by version, mount and origin. Each document is created on first use. */
function once(make: (version: Version, mount: Mount, origin: string) => string) {
  const made = new Map<string, string>()
  return (version: Version, mount: Mount, origin: string): string => {
    const key = `${version} ${mount} ${origin}`
    const text = made.get(key) ?? make(version, mount, origin)
    made.set(key, text)
    return text
  }
}

const documentText = once((version, mount, origin) => JSON.stringify(describeApi(origin, version, mount)))
const pageText = once((version, _mount, origin) => page(origin, version))

export const openapiRoutes: Route[] = [
  implement(endpoints.retrieveOpenApi, {
    handle: async (ctx, { query }) => ({
      shape: 'raw',
      body: documentText(versionOf(ctx, query.get('version')), mountOf(ctx, query.get('mount')), ctx.deps.apiOrigin),
      type: 'application/json',
      headers: { ...kept, Vary: 'Service-Version' },
    }),
  }),
  implement(endpoints.retrieveReference, {
    handle: async (ctx, { query }) => ({
      shape: 'raw',
      body: pageText(versionOf(ctx, query.get('version')), 'root', ctx.deps.apiOrigin),
      type: 'text/html; charset=utf-8',
      headers: {
        ...kept,
        Vary: 'Service-Version',
        'Content-Security-Policy': policy,
        'Referrer-Policy': 'no-referrer',
      },
    }),
  }),
  implement(endpoints.retrieveReferenceStyle, {
    handle: async () => ({
      shape: 'raw',
      body: style,
      type: 'text/css; charset=utf-8',
      headers: kept,
    }),
  }),
]
