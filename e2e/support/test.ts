/**
 * The test function for these suites. Each test gets its own service, because codes are rate-limited in real time per
 * phone number and network address, and because a test can advance the clock. Starting a service takes half a second.
 */
import { test as base } from '@playwright/test'
import { Api, type Terms } from './api.js'
import { Demo } from './demo.js'
import { Flow } from './flow.js'
import { HostPage, type Opening, startHost } from './host.js'
import { type ConsolePlay, type Playground, startConsolePlay, startPlayground } from './playground.js'
import { Service, startDemo } from './processes.js'
import type { Host } from './serve-page.js'
import { exceptionOf } from './upstream.js'

/**
 * Opens a balance transfer for a new person on the minimal page, which provides another token whenever the element
 * requests one.
 */
export type BeginFlow = (phone: string, terms?: Terms, opening?: Partial<Opening>) => Promise<Begun>

interface Begun {
  entity: string
  session: string
}

export interface Fixtures {
  service: Service
  api: Api
  /** The demo lender, opened in the test's browser page. */
  demo: Demo
  /** The server for a customer's minimal page. */
  host: Host
  /** The minimal page, opened in the test's browser page. */
  hostPage: HostPage
  flow: Flow
  begin: BeginFlow
}

export interface WorkerFixtures {
  /** Shared by all tests in a worker. Its only state is the current screen. */
  playground: Playground
  /** The console's play page, also shared by all tests in a worker. */
  consolePlay: ConsolePlay
}

/** A loan that a person with typical debts can allocate. */
export const usualLoan: Terms = { loan_amount: 500_000, minimum_payment: 2_500, residual_amount_max: 100_000 }

export const test = base.extend<Fixtures, WorkerFixtures>({
  playground: [
    async ({ browser }, use) => {
      const playground = await startPlayground(browser)
      await use(playground)
      playground.stop()
    },
    { scope: 'worker' },
  ],
  consolePlay: [
    async ({ browser }, use) => {
      const play = await startConsolePlay(browser)
      await use(play)
      play.stop()
    },
    { scope: 'worker' },
  ],
  service: async ({ context }, use, info) => {
    const exception = exceptionOf(info.title)
    info.skip(exception !== undefined, exception ?? '')
    const service = new Service()
    await service.start()
    // Record the browser's requests: their URLs, the person's input and the frame's bearer token.
    context.on('request', request => {
      service.saw(request.url(), request.postData(), request.headers()['authorization'])
    })
    await use(service)
    await service.remove()
  },
  api: async ({ service }, use) => use(new Api(service)),
  demo: async ({ service, page }, use) => {
    const { origin, stop } = await startDemo(service)
    await use(new Demo(page, origin))
    await stop()
  },
  host: async ({ service }, use) => {
    const host = await startHost(service)
    await use(host)
    await host.stop()
  },
  hostPage: async ({ page }, use) => use(new HostPage(page)),
  flow: async ({ page }, use) => use(new Flow(page)),
  begin: async ({ api, host, hostPage }, use) => {
    await use(async (phone, terms = usualLoan, opening = {}) => {
      const entity = await api.person(phone)
      const { token, session } = await api.transferToken(entity, terms)
      let first: string | null = token
      await hostPage.open(host, {
        tag: 'opal-balance-transfer-element',
        token: () => {
          const given = first ?? api.resumeToken(session)
          first = null
          return given
        },
        ...opening,
      })
      return { entity, session }
    })
  },
})

export { expect } from '@playwright/test'
