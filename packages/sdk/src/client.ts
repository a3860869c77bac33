import { createAccounts } from './resources/accounts.js'
import { createElements } from './resources/elements.js'
import { createEntities } from './resources/entities.js'
import { createEvents } from './resources/events.js'
import { createOpal } from './resources/opal.js'
import { createPayments } from './resources/payments.js'
import { createSecrets } from './resources/secrets.js'
import { createSimulate } from './resources/simulate.js'
import { createTeam } from './resources/team.js'
import { createWebhooks } from './resources/webhooks.js'
import { type ClientOptions, createSend, type RequestOptions } from './transport.js'
import { createVerbs } from './verbs.js'

/**
 * The service, as a server sees it. Every call answers the resource itself or throws a CausewayError.
 * @example
 * const causeway = new Causeway({ apiKey: process.env.CAUSEWAY_SECRET_KEY, baseUrl: 'https://api.example.com' })
 * const entity = await causeway.entities.create({ type: 'individual', individual: { first_name: 'Ana' } })
 */
export class Causeway {
  readonly entities: ReturnType<typeof createEntities>
  readonly accounts: ReturnType<typeof createAccounts>
  readonly elements: ReturnType<typeof createElements>
  readonly opal: ReturnType<typeof createOpal>
  readonly payments: ReturnType<typeof createPayments>
  readonly secrets: ReturnType<typeof createSecrets>
  readonly webhooks: ReturnType<typeof createWebhooks>
  readonly events: ReturnType<typeof createEvents>
  readonly team: ReturnType<typeof createTeam>
  readonly simulate: ReturnType<typeof createSimulate>
  /** Whether the service answers: `{ success: true, data: null, message: 'pong' }`. */
  readonly ping: (options?: RequestOptions) => Promise<{ success: true; data: null; message: 'pong' }>

  constructor(options: ClientOptions) {
    if (!options.apiKey) throw new TypeError('Causeway needs an apiKey, such as sk_…')
    if (!URL.canParse(options.baseUrl)) throw new TypeError('Causeway needs a baseUrl, such as https://api.example.com')
    const verbs = createVerbs(createSend(options))
    this.entities = createEntities(verbs)
    this.accounts = createAccounts(verbs)
    this.elements = createElements(verbs)
    this.opal = createOpal(verbs)
    this.payments = createPayments(verbs)
    this.secrets = createSecrets(verbs)
    this.webhooks = createWebhooks(verbs)
    this.events = createEvents(verbs)
    this.team = createTeam(verbs)
    this.simulate = createSimulate(verbs)
    this.ping = options => verbs.get('/ping', {}, options)
  }
}
