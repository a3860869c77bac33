/**
 * Forwards requests from readers of the reference to a sandbox. The key stays on the server. The proxy accepts requests
 * only from pages on its own origin, allows only operations in the OpenAPI document, and calls only a sandbox.
 */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const LARGEST = 1_000_000
const LONGEST = 30_000
/** The period for which a successful sandbox check is reused, in milliseconds. */
const FRESH = 10_000

const sent = ['accept', 'content-type', 'idempotency-key', 'prefer', 'service-version']
const returned = /^(?:content-type|idem-status|idempotency-.*|pagination-.*|request-id|retry-after|service-version)$/

class Refusal extends Error {
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** Rejects requests from pages on other origins, and requests whose `Host` header names another host. */
function checkOrigin({ headers, method }, origins) {
  const own = origins.find(origin => origin === `http://${headers.host}`)
  if (!own) throw new Refusal(403, `This server responds only at ${origins.join(' and ')}.`)
  const site = headers['sec-fetch-site']
  const foreign = headers.origin !== undefined && headers.origin !== own
  if (foreign || site !== 'same-origin') throw new Refusal(403, 'Only pages on this site can send requests.')
  if (!METHODS.includes(method)) throw new Refusal(405, `The method must be one of: ${METHODS.join(', ')}.`)
}

/**
 * Lists the operations that readers can try. Changes to the team's keys and secrets are excluded, because the responses
 * contain the new values.
 */
function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method.toUpperCase()))
      .filter(
        ([method, { security }]) =>
          security.every(each => 'secretKey' in each) && (method === 'get' || !path.startsWith('/team')),
      )
      .map(([method]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      })),
  )
}

async function readBody(request) {
  const parts = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > LARGEST) throw new Refusal(413, 'The body must be at most 1 MB.')
    parts.push(part)
  }
  return parts.length > 0 ? Buffer.concat(parts) : undefined
}

/**
 * @param origin the origin of the service
 * @param keys returns the keys to try, in order
 * @param document the OpenAPI document
 */
export function createSandboxProxy({ origin, keys, document }) {
  const operations = operationsOf(document)
  const described = new URL(document.servers[0].url).origin
  let found = { key: null, until: 0, message: '' }

  /**
   * Returns the first key that works on a sandbox. Checks each key by reading the sandbox's clock, because any other
   * service rejects that request.
   */
  async function findKey() {
    if (Date.now() < found.until) return found
    let message = 'No key was found. To try requests, run pnpm start, or set CAUSEWAY_KEY.'
    for (const key of keys()) {
      const status = await fetch(`${origin}/simulate/clock`, {
        headers: { Authorization: `Bearer ${key}` },
        redirect: 'manual',
        signal: AbortSignal.timeout(5_000),
      }).then(
        answer => answer.status,
        () => null,
      )
      if (status === 200) {
        found = { key, until: Date.now() + FRESH, message: `Requests go to the sandbox at ${origin}.` }
        return found
      }
      message =
        status === null
          ? `No service is responding at ${origin}. To try requests, run pnpm start.`
          : status === 403
            ? `The service at ${origin} is not a sandbox, so requests are disabled.`
            : `The service at ${origin} does not accept the key.`
    }
    found = { key: null, until: 0, message }
    return found
  }

  function readTarget(given, method) {
    if (!given || !URL.canParse(given)) throw new Refusal(400, '`scalar_url` must be an API URL.')
    const url = new URL(given)
    if (![described, origin].includes(url.origin)) throw new Refusal(403, `Requests can be sent only to ${origin}.`)
    const known = operations.some(each => each.method === method && each.pattern.test(url.pathname))
    if (!known || /%(?:2f|5c|00)/i.test(url.pathname))
      throw new Refusal(403, `${method} ${url.pathname} is not available from this page.`)
    return origin + url.pathname + url.search
  }

  async function forward(request, given) {
    const target = readTarget(given, request.method)
    const { key, message } = await findKey()
    if (key === null) throw new Refusal(503, message)
    const headers = { authorization: `Bearer ${key}` }
    for (const name of sent) if (request.headers[name]) headers[name] = request.headers[name]
    const body = await readBody(request)
    const answer = await fetch(target, {
      method: request.method,
      headers,
      ...(request.method !== 'GET' && body && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(LONGEST),
    })
    const text = await answer.text()
    if (text.includes(key)) throw new Refusal(502, 'The response contains the server key, so it is not shown.')
    return { status: answer.status, headers: [...answer.headers].filter(([name]) => returned.test(name)), text }
  }

  const safe = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  const json = (response, status, body) => {
    response.writeHead(status, { ...safe, 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  /** Responds to `/sandbox` with the sandbox's state, or with the response to the request that `scalar_url` names. */
  return async function answer(request, response, origins) {
    try {
      checkOrigin(request, origins)
      const query = new URL(request.url, origins[0]).searchParams
      if (!query.has('scalar_url') && request.method === 'GET') {
        const { key, message } = await findKey()
        return json(response, 200, { ready: key !== null, message })
      }
      const { status, headers, text } = await forward(request, query.get('scalar_url'))
      response.writeHead(status, { ...Object.fromEntries(headers), ...safe })
      response.end(text)
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 502
      json(response, status, {
        error: {
          message: status === 502 && !(error instanceof Refusal) ? 'The sandbox did not respond.' : error.message,
        },
      })
    }
  }
}
