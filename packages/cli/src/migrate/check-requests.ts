import { apiDifferences, type Difference } from '@causeway/contract/differences'
import { endpoints } from '@causeway/contract/endpoints/table'
import { removedEndpoints, replacementOf } from '@causeway/contract/removed-endpoints'
import { isVersion, NEWEST_VERSION, versions } from '@causeway/contract/versions'
import { bodies } from './bodies.gen.js'
import { faultsOf } from './body-faults.js'
import type { RecordedRequest } from './recorded-request.js'

/** Something that recorded requests will notice, and the requests. */
export interface Finding {
  /** True if the service will reject the requests. */
  rejected: boolean
  /** The method and the path, without ids. */
  endpoint: string
  /** What the service does, and what it would be elsewhere. */
  says: string
  requests: number
}

export interface Report {
  requests: number
  endpoints: number
  findings: Finding[]
}

const MAX_FINDINGS = 1_000
const MAX_SEGMENTS = 8

const patterns = endpoints.map(endpoint => ({ endpoint, segments: endpoint.path.slice(1).split('/') }))

/** Finds the endpoint of a request. Literal text takes precedence over a parameter. */
function endpointOf({ method }: RecordedRequest, segments: readonly string[]) {
  const matches = patterns.filter(
    ({ endpoint, segments: expected }) =>
      endpoint.method === method &&
      expected.length === segments.length &&
      expected.every((segment, index) => segment.startsWith(':') || segment === segments[index]),
  )
  const parametersIn = ({ segments: expected }: (typeof patterns)[number]) =>
    expected.filter(segment => segment.startsWith(':')).length
  return matches.sort((a, b) => parametersIn(a) - parametersIn(b))[0]?.endpoint
}

const knownWords = new Set(
  [...endpoints, ...removedEndpoints].flatMap(({ path }) => path.split('/').filter(word => /^[a-z_]+$/.test(word))),
)
/** Returns true for a part of a path that can be neither an id nor a secret, which are longer and mix their characters. */
const isWord = (segment: string, index: number) =>
  knownWords.has(segment) || (index === 0 && /^[a-z]{1,20}(?:_[a-z]{1,12}){0,3}$/.test(segment))

/**
 * Returns the parts of a path. Some client libraries report `/entitiesent_…` to their hooks, although they send
 * `/entities/ent_…`.
 */
const segmentsOf = (path: string): string[] =>
  path
    .replace(/^\/enveloped(?=\/)/, '')
    .split('/')
    .filter(Boolean)
    .flatMap(segment => {
      const [, word, id] = /^([a-z_]{1,40}s)([a-z]{2,4}_\w{1,80})$/.exec(segment) ?? []
      return word && id && knownWords.has(word) && !knownWords.has(segment) ? [word, id] : [segment]
    })

/** Returns a path in which everything that may be an id or a secret is replaced. */
const hideIds = (segments: readonly string[]) =>
  `/${segments
    .slice(0, MAX_SEGMENTS)
    .map((segment, index) => (isWord(segment, index) ? segment : ':id'))
    .join('/')}`

const versionIn = ({ 'service-version': own, 'method-version': other }: RecordedRequest['headers']) => own ?? other

const sentence = ({ what, elsewhere, here }: Difference) => `${what}: elsewhere ${elsewhere}; here ${here}.`

/** Collects what recorded requests will notice. Keeps no request. */
export function createCheck() {
  const findings = new Map<string, Finding>()
  const seen = new Set<string>()
  let requests = 0

  function add(endpoint: string, rejected: boolean, says: string): void {
    const key = `${endpoint} ${says}`
    const finding = findings.get(key)
    if (finding) finding.requests += 1
    else if (findings.size < MAX_FINDINGS) findings.set(key, { rejected, endpoint, says, requests: 1 })
  }

  function checkVersion({ headers }: RecordedRequest, name: string, since: string | undefined): void {
    const version = versionIn(headers)
    if (version === undefined) return
    if (!isVersion(version)) add(name, true, `The version is not supported. The versions are ${versions.join(', ')}.`)
    else if (since !== undefined && version < since)
      add(name, true, `The endpoint exists from version ${since} on. The request names an older version.`)
  }

  function checkBody({ headers, body }: RecordedRequest, name: string): void {
    // The fields of an encrypted body are not visible.
    if (!body || 'service-mle' in headers || 'method-mle' in headers) return
    const version = versionIn(headers) ?? NEWEST_VERSION
    const form = bodies[name]?.find(({ versions: those }) => those.includes(version))
    // Each sentence once per request: two items of a list can have the same fault.
    const faults = new Map(form ? faultsOf(form.schema, body).map(fault => [fault.says, fault]) : [])
    for (const { rejected, says } of faults.values()) add(name, rejected, says)
  }

  return {
    add(request: RecordedRequest): void {
      requests += 1
      const segments = segmentsOf(request.path)
      const endpoint = endpointOf(request, segments)
      if (!endpoint) {
        const instead = replacementOf(`/${segments.join('/')}`)
        add(
          `${request.method} ${hideIds(segments)}`,
          true,
          instead ? `The endpoint was removed. ${instead}` : 'The service has no such endpoint.',
        )
        return
      }
      const name = `${endpoint.method} ${endpoint.path}`
      seen.add(name)
      checkVersion(request, name, endpoint.since)
      let isRejected = false
      for (const difference of apiDifferences) {
        const { affects } = difference
        if (!affects?.endpoints.includes(name) || !(affects.when?.(request.body ?? {}) ?? true)) continue
        isRejected ||= affects.rejected ?? false
        add(name, affects.rejected ?? false, sentence(difference))
      }
      // The reason that is listed already says more than the fields.
      if (!isRejected) checkBody(request, name)
    },
    report: (): Report => ({
      requests,
      endpoints: seen.size,
      findings: [...findings.values()].sort(
        (a, b) => Number(b.rejected) - Number(a.rejected) || a.endpoint.localeCompare(b.endpoint),
      ),
    }),
  }
}
