import { Causeway } from '@causeway/sdk'
import { beforeEach } from 'vitest'
import { createApp } from '../app.js'
import { findFundingAccount } from '../funding.js'
import { createFakeService } from './service.js'

export const webhookSecret = 'what webhooks are signed with'

/**
 * The form that the borrower submits. `page` and `desk` are the paths of the borrower's page and the staff page for the
 * resulting application.
 */
export const form = {
  id: '11111111-1111-4111-8111-111111111111',
  first_name: 'Ana',
  last_name: 'Rivera',
  phone: '(512) 555-0100',
  amount: '10,000',
}
export const page = `/applications/${form.id}`
export const desk = `/operations/${form.id}`

async function startSite() {
  const service = createFakeService()
  let stored: string | null = null
  const causeway = new Causeway({
    apiKey: 'sk_test',
    baseUrl: 'http://service.test',
    allowInsecureHttp: true,
    maxRetries: 0,
    fetch: async (input, init) => service.app.request(String(input), init),
  })
  const funding = await findFundingAccount(causeway)
  /** Starts the site's program, which reads the applications that the previous one stored. */
  const start = () =>
    createApp({
      causeway,
      apiOrigin: 'http://service.test',
      frameOrigin: 'http://localhost:4100',
      funding,
      webhookSecret,
      store: {
        load: () => (stored ? JSON.parse(stored) : []),
        save: applications => {
          stored = JSON.stringify(applications)
        },
      },
      newId: () => crypto.randomUUID(),
      now: () => new Date('2026-03-30T09:00:00Z'),
    })
  const app = start()
  const cookie = (await app.request('/')).headers.get('Set-Cookie')?.split(';')[0] ?? ''
  return { service, causeway, app, cookie, start }
}

/** Starts the site with a fake service before each test. The returned functions act as the borrower's browser. */
export function useSite() {
  const site = {} as Awaited<ReturnType<typeof startSite>>
  beforeEach(async () => {
    Object.assign(site, await startSite())
  })

  const visit = (path: string, headers: Record<string, string> = { cookie: site.cookie }) =>
    site.app.request(path, { headers })
  const submit = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    site.app.request(path, {
      method: 'POST',
      headers: { cookie: site.cookie, 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html', ...headers },
      body: new URLSearchParams(fields),
    })
  const ask = (path: string) =>
    site.app.request(path, { method: 'POST', headers: { cookie: site.cookie, 'Sec-Fetch-Site': 'same-origin' } })
  const borrower = () => site.service.entities.find(entity => entity['type'] === 'individual')?.['id'] as string

  /**
   * Applies for a loan, links two debts and opens the balance transfer. Returns the ids of the session and the debts.
   */
  async function reachTransfer() {
    await submit('/applications', form)
    const debts = site.service.link(borrower())
    await ask(`${page}/tokens/transfer`)
    return { session: [...site.service.sessions.keys()][0] as string, debts }
  }
  return { site, visit, submit, ask, borrower, reachTransfer }
}
