/**
 * With E2E_UPSTREAM, each service under test has another one as its only provider, in a process and with a store of its
 * own. Whatever a person or a customer does then passes through both.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The tests that can't pass, by the beginning of their titles, and the reasons. */
const exceptions: readonly (readonly [string, string])[] = [
  ['a phone that its carrier recognizes', 'An upstream does not ask carriers about phones.'],
  ['asks only for the date of birth', 'An upstream does not say which details are missing, so the person enters all.'],
  ['a new person links four of their five accounts', 'An upstream has no snapshots, so a student loan has no balance.'],
  ['a borrower who reopens the flow sees which payment was not made', 'The clock of the upstream follows later.'],
]

/** Returns the reason that a test can't pass, or undefined if it can. */
export const exceptionOf = (title: string): string | undefined =>
  process.env['E2E_UPSTREAM'] ? exceptions.find(([start]) => title.startsWith(start))?.[1] : undefined

const KEY = 'sk_upstreamOfTheEndToEndTests0'
const HOOK_SECRET = 'the secret of the hooks between both services'
const FOLLOW_MS = 100

/** A service's address and the key of its team. */
interface Address {
  readonly apiOrigin: string
  readonly key: string
}

export interface Upstream {
  /** The variables of the service above. */
  readonly env: Readonly<Record<string, string>>
  /** Reports payments to the service above, and keeps the upstream's clock equal to that service's. */
  follow(service: Address): Promise<void>
  stop(): Promise<void>
}

async function call(origin: string, key: string, method: string, path: string, body?: object): Promise<never> {
  const response = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} at the upstream.`)
  return (await response.json()) as never
}

/**
 * Starts the upstream.
 * @param start starts a service with these variables. Returns its API's address, and a function that ends it
 */
export async function startUpstream(
  start: (env: Record<string, string>) => Promise<{ origin: string; end: () => Promise<void> }>,
): Promise<Upstream> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-e2e-upstream-'))
  const { origin, end } = await start({
    DATABASE_URL: `file:${join(folder, 'store.db')}`,
    BOOTSTRAP_SECRET_KEY: KEY,
    OUTBOUND_LOOPBACK: 'allow',
  })
  let timer: NodeJS.Timeout | undefined
  let ahead = 0
  const follow = async ({ apiOrigin, key }: Address) => {
    const clock = await call(apiOrigin, key, 'GET', '/simulate/clock').catch(() => undefined)
    const { ahead_seconds: wanted = ahead } = (clock ?? {}) as { ahead_seconds?: number }
    if (wanted > ahead) await call(origin, KEY, 'POST', '/simulate/clock', { advance: `PT${wanted - ahead}S` })
    ahead = wanted
  }
  let isOver = false
  return {
    env: {
      PROVIDERS: 'upstream',
      UPSTREAM_API_URL: origin,
      UPSTREAM_API_KEY: KEY,
      UPSTREAM_WEBHOOK_SECRET: HOOK_SECRET,
    },
    async follow(service) {
      await call(origin, KEY, 'POST', '/webhooks', {
        type: 'payment.update',
        url: `${service.apiOrigin}/hooks/upstream`,
        hmac_secret: HOOK_SECRET,
      })
      const next = () => {
        timer = setTimeout(() => {
          follow(service)
            .catch(() => {})
            .finally(() => isOver || next())
        }, FOLLOW_MS)
      }
      next()
    },
    async stop() {
      isOver = true
      clearTimeout(timer)
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
