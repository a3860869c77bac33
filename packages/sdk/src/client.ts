import { checkClient } from './checks.js'
import { createResultVerifier, type ResultClaims } from './crypto/verify-result.js'
import type { Body, Query, Result } from './endpoints.js'
import type { WithResponse } from './last-response.js'
import type { ClientOptions, RequestOptions } from './options.js'
import { createAccounts } from './resources/accounts.js'
import { createElements } from './resources/elements.js'
import { createEntities } from './resources/entities.js'
import { createFiles } from './resources/files.js'
import { createForwardingRequests } from './resources/forwarding.js'
import { createIntents } from './resources/intents.js'
import { createManagedAccounts } from './resources/managed-accounts.js'
import { createCardProducts, createMerchants } from './resources/merchants.js'
import { createOpal } from './resources/opal.js'
import { createPayments } from './resources/payments.js'
import { createPreauths } from './resources/preauths.js'
import { createReportSchedules } from './resources/report-schedules.js'
import { createReports } from './resources/reports.js'
import { createRequests } from './resources/requests.js'
import { createSecrets } from './resources/secrets.js'
import { createSimulate } from './resources/simulate.js'
import { createStats } from './resources/stats.js'
import { createTeam, createTeams } from './resources/team.js'
import { createDeliveries, createEvents, createWebhooks } from './resources/webhooks.js'
import { createSend } from './transport.js'
import { createVerbs } from './verbs.js'

/**
 * A client for use on your server. Each call returns the resource itself or throws a CausewayError.
 * @example
 * const causeway = new Causeway({ apiKey: process.env.CAUSEWAY_SECRET_KEY, baseUrl: 'https://api.example.com' })
 * const entity = await causeway.entities.create({ type: 'individual', individual: { first_name: 'Ana' } })
 */
export class Causeway {
  readonly entities: ReturnType<typeof createEntities>
  readonly accounts: ReturnType<typeof createAccounts>
  readonly merchants: ReturnType<typeof createMerchants>
  readonly cardProducts: ReturnType<typeof createCardProducts>
  readonly files: ReturnType<typeof createFiles>
  readonly intents: ReturnType<typeof createIntents>
  readonly managedAccounts: ReturnType<typeof createManagedAccounts>
  readonly payments: ReturnType<typeof createPayments>
  readonly elements: ReturnType<typeof createElements>
  readonly opal: ReturnType<typeof createOpal>
  readonly webhooks: ReturnType<typeof createWebhooks>
  readonly events: ReturnType<typeof createEvents>
  readonly deliveries: ReturnType<typeof createDeliveries>
  /** Lists the history of a resource, newest first. */
  readonly timeline: (
    about: string,
    params?: Omit<Query<'GET /timeline'>, 'about'>,
    options?: RequestOptions,
  ) => Promise<Result<'GET /timeline'>>
  readonly requests: ReturnType<typeof createRequests>
  readonly stats: ReturnType<typeof createStats>
  /** Finds resources by id, by words in a name, or by the last digits of a number. Does not change any data. */
  readonly search: (params: Body<'POST /search'>, options?: RequestOptions) => Promise<Result<'POST /search'>>
  readonly forwardingRequests: ReturnType<typeof createForwardingRequests>
  readonly preauths: ReturnType<typeof createPreauths>
  readonly reportSchedules: ReturnType<typeof createReportSchedules>
  readonly reports: ReturnType<typeof createReports>
  readonly secrets: ReturnType<typeof createSecrets>
  readonly team: ReturnType<typeof createTeam>
  readonly teams: ReturnType<typeof createTeams>
  readonly simulate: ReturnType<typeof createSimulate>
  /** Checks that the service is responding. */
  readonly ping: (options?: RequestOptions) => Promise<undefined>
  /** Lists the service's public keys, for verifying signed results and encrypting requests. */
  readonly publicKeys: (options?: RequestOptions) => Promise<WithResponse<Result<'GET /.well-known/jwks.json'>>>
  /** Retrieves a key for encrypting requests, and reports whether the service still accepts the key. */
  readonly publicKey: (id: string, options?: RequestOptions) => Promise<WithResponse<Result<'GET /auth/:jwk_id'>>>

  /**
   * Verifies the signed `result` that an element passed to the page, and returns its claims. Throws VerificationError
   * if the result has expired or if the service did not sign it for this team. Fetches and caches the public keys and,
   * if you omit `audience`, the team's id.
   */
  readonly verifyResult: (result: string, expected?: { audience?: string }) => Promise<ResultClaims>

  constructor(options: ClientOptions) {
    checkClient(options)
    const verbs = createVerbs(createSend(options))
    this.entities = createEntities(verbs)
    this.accounts = createAccounts(verbs)
    this.merchants = createMerchants(verbs)
    this.cardProducts = createCardProducts(verbs)
    this.files = createFiles(verbs)
    this.intents = createIntents(verbs)
    this.managedAccounts = createManagedAccounts(verbs)
    this.payments = createPayments(verbs)
    this.elements = createElements(verbs)
    this.opal = createOpal(verbs)
    this.webhooks = createWebhooks(verbs)
    this.events = createEvents(verbs)
    this.deliveries = createDeliveries(verbs)
    this.timeline = (about, params, options) => verbs.one('GET /timeline', [], { ...params, about }, options)
    this.requests = createRequests(verbs)
    this.stats = createStats(verbs)
    this.search = (params, options) => verbs.one('POST /search', [], params, options)
    this.forwardingRequests = createForwardingRequests(verbs)
    this.preauths = createPreauths(verbs)
    this.reportSchedules = createReportSchedules(verbs)
    this.reports = createReports(verbs)
    this.secrets = createSecrets(verbs)
    this.team = createTeam(verbs)
    this.teams = createTeams(verbs)
    this.simulate = createSimulate(verbs)
    this.publicKey = (id, options) => verbs.one('GET /auth/:jwk_id', [id], {}, options)
    this.publicKeys = options => verbs.one('GET /.well-known/jwks.json', [], {}, options)
    const verify = createResultVerifier({
      fetchKeys: () => this.publicKeys(),
      issuer: options.issuer ?? new URL(options.baseUrl).origin,
      now: options.now ?? Date.now,
    })
    let team: string | undefined
    this.verifyResult = async (result, { audience } = {}) => {
      if (audience !== undefined) return verify(result, audience)
      team ??= (await this.team.retrieve()).id
      return verify(result, team)
    }
    this.ping = async options => {
      await verbs.data('GET /ping', [], {}, options)
      return undefined
    }
  }
}
