import { apiDifferences, type Difference } from '@causeway/contract/differences'
import { endpoints } from '@causeway/contract/endpoints/table'
import { removedEndpoints, replacementOf } from '@causeway/contract/removed-endpoints'
import { isVersion, versions } from '@causeway/contract/versions'
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
/** Returns true for a part of a path that can be neither an id nor a secret. */
const isWord = (segment: string, index: number) =>
  knownWords.has(segment) || (index === 0 && /^[a-z]{1,20}$/.test(segment))

/** Returns a path in which everything that may be an id or a secret is replaced. */
const hideIds = (segments: readonly string[]) =>
  `/${segments
    .slice(0, MAX_SEGMENTS)
    .map((segment, index) => (isWord(segment, index) ? segment : ':id'))
    .join('/')}`

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
    const version = headers['service-version'] ?? headers['method-version']
    if (version === undefined) return
    if (!isVersion(version)) add(name, true, `The version is not supported. The versions are ${versions.join(', ')}.`)
    else if (since !== undefined && version < since)
      add(name, true, `The endpoint exists from version ${since} on. The request names an older version.`)
  }

  return {
    add(request: RecordedRequest): void {
      requests += 1
      const segments = request.path
        .replace(/^\/enveloped(?=\/)/, '')
        .split('/')
        .filter(Boolean)
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
      for (const difference of apiDifferences) {
        const { affects } = difference
        if (affects?.endpoints.includes(name) && (affects.when?.(request.body) ?? true))
          add(name, affects.rejected ?? false, sentence(difference))
      }
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
