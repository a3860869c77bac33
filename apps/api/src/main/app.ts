import type { Hono } from 'hono'
import type { OwnData } from '../flow/deps.js'
import { type Assets, createFrame } from '../flow/frame/app.js'
import { elementRoutes } from '../flow/tokens/element-routes.js'
import { authenticateOpalToken, opalRoutes } from '../flow/transfer/opal-routes.js'
import { sendForwarded } from '../forwarding/job.js'
import { forwardingRoutes, resumeForwarding } from '../forwarding/routes.js'
import * as money from '../money/module.js'
import { checkSource } from '../money/payments/create.js'
import { enqueuePaymentChecks } from '../money/payments/source.js'
import { PUSH_PATH, type PushKeys, receivePush } from '../network/connectors/pushes.js'
import { validateRailAnswers } from '../network/connectors/rail-checks.js'
import { resolveImageUrls } from '../network/image-urls.js'
import { withPayees } from '../network/payees/ports.js'
import { hookPath, receiveHook, reportToJobs } from '../network/providers/hooks.js'
import type { ConfiguredProvider } from '../network/providers/host.js'
import type { OpenedProviders } from '../network/providers/open.js'
import * as notify from '../notify/module.js'
import { loadFacts } from '../people/facts.js'
import * as people from '../people/module.js'
import { offers } from '../people/products/registry.js'
import { pollSubscriptionNow } from '../people/subscriptions/store.js'
import type { Route } from '../platform/http/endpoint/route.js'
import { admissionLimits, createAdmission } from '../platform/http/limits/admission.js'
import { createLimits } from '../platform/http/limits/limits.js'
import { createRequestLog } from '../platform/http/log/request-log.js'
import {
  createListener,
  createPlainEnvelope,
  exchangeOf,
  type ListenerEnv,
} from '../platform/http/pipeline/envelope.js'
import { type ApiEnv, getPath, mount } from '../platform/http/pipeline/mount.js'
import { createPipeline } from '../platform/http/pipeline/pipeline.js'
import { type RootPage, rootPage } from '../platform/http/pipeline/root-page.js'
import { answerSecurityText, SECURITY_TEXT } from '../platform/http/pipeline/security-text.js'
import { createAddressOf } from '../platform/http/request/address.js'
import { createJobs, type JobHandlers } from '../platform/jobs/jobs.js'
import type { Deps } from '../platform/scope.js'
import { hasPaymentInProgress, hideAccount } from '../privacy/account.js'
import { withdrawEntity } from '../privacy/entity.js'
import { exportForPerson } from '../privacy/person.js'
import { consentRoutes } from '../privacy/routes.js'
import { artRoutes } from '../sandbox/art/art-routes.js'
import { behaviours } from '../sandbox/behaviors/store.js'
import { withFaults } from '../sandbox/faults/faults.js'
import { createFaults } from '../sandbox/faults/store.js'
import { testPhones } from '../sandbox/identity.js'
import { accountSimulations } from '../sandbox/simulate/accounts.js'
import { simulateEntityRoutes } from '../sandbox/simulate/entities.js'
import { managedAccountSimulations } from '../sandbox/simulate/managed-accounts.js'
import { simulatePaymentRoutes } from '../sandbox/simulate/payments.js'
import { simulateRoutes } from '../sandbox/simulate/routes.js'
import { opalSimulations } from '../sandbox/simulate/sessions.js'
import { createEncryption } from '../team/encryption/messages.js'
import * as team from '../team/module.js'
import { createAccess } from '../team/teams/access.js'
import { auditReplay } from '../team/teams/reads.js'
import { findTeam } from '../team/teams/store.js'
import { timelineRoutes } from '../timeline/routes.js'
import { createVersions } from '../versions/chain.js'
import { addIncoming } from './listeners/incoming.js'
import { openapiRoutes } from './openapi/routes.js'
import { systemRoutes } from './system/routes.js'

/** All API endpoints. */
export const routes: readonly Route[] = [
  ...team.routes,
  ...notify.routes,
  ...people.routes,
  ...money.routes,
  ...systemRoutes,
  ...consentRoutes,
  ...accountSimulations,
  ...managedAccountSimulations,
  ...artRoutes,
  ...elementRoutes,
  ...opalRoutes,
  ...opalSimulations,
  ...forwardingRoutes,
  ...timelineRoutes,
  ...simulatePaymentRoutes,
  ...simulateRoutes,
  ...simulateEntityRoutes,
  ...openapiRoutes,
]

const handlers: JobHandlers = {
  ...notify.jobs,
  ...people.jobs,
  ...money.jobs,
  'forward.send': sendForwarded,
}

const resume = {
  ...people.resume,
  ...money.resume,
  forwarding: resumeForwarding,
}

export interface App {
  /** Handles requests to the API listener. */
  api: Hono<ApiEnv>
  /** Handles requests to the frame listener. */
  frame: Hono<ListenerEnv>
  deps: Deps
}

/** Dependencies that one module implements and other modules use. */
const crossModuleDeps = {
  versions: createVersions(loadFacts),
  offers,
  behaviours,
  ownData: {
    hideAccount,
    isInPayment: (tx, id) => hasPaymentInProgress(tx, 'account', id),
    withdrawEntity,
    export: exportForPerson,
  } satisfies OwnData,
  checkSource,
  enqueuePaymentChecks: enqueuePaymentChecks,
} satisfies Partial<Deps>

/** The pages that a browser shows at the root of each listener. */
const apiPage = {
  title: 'The Causeway API',
  text: 'Your server calls this address with a secret key. There is nothing to use in a browser.',
}
const framePage = {
  title: 'The Causeway frames and kit',
  text: 'Pages load the element kit from this address, and the kit opens its frames here. There is nothing to use in a browser.',
}

type CreatedDep =
  | 'jobs'
  | 'access'
  | 'limits'
  | 'admission'
  | 'requests'
  | 'addressOf'
  | 'teamOf'
  | 'faults'
  | 'encryption'
  | 'testPhones'
  | keyof typeof crossModuleDeps

/** Dependencies that the process provides. */
export interface AppOptions extends Omit<Deps, CreatedDep> {
  readonly assets: Assets
  /** A factor that multiplies the contract's rate limits. 0 disables them. */
  readonly rateLimits: number
  /** The addresses and ranges of the proxies in front of the listeners. */
  readonly trustedProxies: readonly string[]
  /** Waits for the given number of milliseconds. Tests can skip the wait. */
  readonly sleep: (ms: number) => Promise<void>
  /** The keys that verify a connector's pushes, plus the real clock. */
  readonly pushes?: PushKeys | undefined
  /** The providers in this process, whose webhooks the service receives. */
  readonly providers?: readonly ConfiguredProvider[] | undefined
  /** Sends the requests with which a provider verifies its webhooks. By default, the process's `fetch`. */
  readonly hookFetch?: typeof fetch | undefined
  /** Returns the ways in which a rail pays debts by the payee directory. */
  readonly payRoutes?: OpenedProviders['payRoutes']
  /** The URI for reporting vulnerabilities. If it is missing, no `security.txt` is served. */
  readonly securityContact?: string | null | undefined
}

/** Creates the service from its dependencies but does not start it. */
export function createApp(options: AppOptions): App {
  const {
    assets,
    pushes,
    providers,
    hookFetch,
    payRoutes,
    securityContact,
    sleep,
    rateLimits,
    trustedProxies,
    ...processDeps
  } = options
  const faults = createFaults(processDeps)
  const paidPorts = payRoutes ? withPayees(processDeps.ports, processDeps, payRoutes) : processDeps.ports
  const ports = {
    ...paidPorts,
    network: resolveImageUrls(paidPorts.network, processDeps.apiOrigin),
    rail: validateRailAnswers(paidPorts.rail, processDeps.log),
  }
  const depsWithoutJobs = {
    ...processDeps,
    ports: processDeps.environment === 'sandbox' ? withFaults(ports, faults.of, { sleep }) : ports,
    ...crossModuleDeps,
    access: createAccess(processDeps.store, processDeps.clock),
    encryption: createEncryption(processDeps),
    limits: createLimits(processDeps.clock, rateLimits, subject => processDeps.vault.hash('limit requests', subject)),
    admission: createAdmission(admissionLimits(processDeps.store)),
    requests: createRequestLog({ ...processDeps, ...crossModuleDeps }),
    addressOf: createAddressOf(trustedProxies),
    teamOf: (id: string) => findTeam(processDeps.store.reader, id),
    faults,
    testPhones: processDeps.environment === 'sandbox' ? testPhones : new Set<string>(),
  }
  const deps: Deps = { ...depsWithoutJobs, jobs: createJobs(depsWithoutJobs, handlers) }
  return { ...createListeners(deps, { assets, pushes, providers, hookFetch, securityContact }), deps }
}

/** Creates the listeners of the API and of the frame. */
function createListeners(
  deps: Deps,
  {
    assets,
    pushes,
    providers = [],
    hookFetch,
    securityContact = null,
  }: Pick<AppOptions, 'assets' | 'pushes' | 'providers' | 'hookFetch' | 'securityContact'>,
): Pick<App, 'api' | 'frame'> {
  const api = createListener<ApiEnv>(getPath)
  const frame = createFrame(deps, assets)
  if (pushes)
    addIncoming(api, deps, PUSH_PATH, (request, countRejected) =>
      receivePush(deps, pushes, pollSubscriptionNow, request, countRejected),
    )
  for (const configured of providers.filter(({ provider }) => provider.hooks))
    addIncoming(api, deps, hookPath(configured.provider.name), (request, countRejected) =>
      receiveHook({ ...reportToJobs(deps), fetch: hookFetch ?? fetch }, configured, request, countRejected),
    )
  addPublicPages(api, deps, { ...apiPage, origin: deps.apiOrigin, securityContact })
  addPublicPages(frame, deps, { ...framePage, origin: deps.frameOrigin, securityContact })
  mount(
    api,
    createPipeline(deps, authorization => authenticateOpalToken(deps, authorization), resume, auditReplay),
    routes,
  )
  return { api, frame }
}

/** Adds the root page and the file that names a contact for reporting vulnerabilities. */
function addPublicPages<E extends ListenerEnv>(
  app: Hono<E>,
  deps: Deps,
  { origin, securityContact, ...page }: Omit<RootPage, 'serve'> & { origin: string; securityContact: string | null },
): void {
  const serve = createPlainEnvelope(deps, origin)
  app.get(SECURITY_TEXT, c =>
    serve(exchangeOf(deps, c, SECURITY_TEXT), () => answerSecurityText(securityContact, origin, deps.clock())),
  )
  app.get('/', rootPage(deps, { serve, ...page }))
}
