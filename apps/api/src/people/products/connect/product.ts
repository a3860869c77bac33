import type { Failure } from '@causeway/connector/ports/call'
import type { Liability } from '@causeway/connector/ports/liability'
import { resourceCodes, ServiceError } from '@causeway/contract/errors'
import { connectFields, type connectInput, connectProduct } from '@causeway/contract/products/connect'
import type { z } from 'zod'
import { createPortCall } from '../../../network/ports.js'
import { asOf, type Scope } from '../../../platform/scope.js'
import { connectAccounts } from '../../accounts/connect.js'
import { expandConnects } from '../../accounts/expand.js'
import type { Behaviour } from '../../deps.js'
import { type ReportFile, receiveReports, requireAllShared, requireReports } from '../../files/credit-reports.js'
import { completeFiles } from '../../files/store.js'
import { requireAgreed } from '../../holders/consent-rules.js'
import type { EntityRow } from '../../holders/entity.js'
import { networkPerson } from '../../holders/network-person.js'
import { declaredAs, type EntityProduct, type FeedPosition, type Outcome } from '../../holders/product.js'
import { forVerified } from '../../holders/product-rules.js'
import {
  type ConnectRequest,
  connectRequest,
  describeAccount,
  isConnected,
  mayBeWithdrawn,
  startAccount,
} from '../../lifecycle/new-account.js'
import { findLinks } from '../../links/store.js'
import { completedRecord } from '../../records/store.js'
import { changeOf, pollChanges } from '../change-feeds.js'
import { nextDay } from '../schedule.js'
import { emitPendingConsent, emitPendingConsentOnce, needsConsent } from './awaiting-consent.js'

export const connect: EntityProduct = {
  ...declaredAs(connectProduct),
  initialStatus: 'pending',
  waits: ({ products = [], subscriptions = [] }: ConnectRequest, manner) =>
    !manner.async && products.length + subscriptions.length === 0,
  creatable: true,
  unreachable: 24001,
  async request(
    { products = [], subscriptions = [], bureau, artifacts }: z.output<typeof connectInput>,
    entity,
    scope,
  ) {
    const isReport = artifacts != null && artifacts.length > 0
    if (isReport !== (bureau != null))
      throw new ServiceError('INVALID_REQUEST', 'bureau and artifacts must be sent together, or neither of them.')
    if (isReport) {
      requireReports(scope)
      await requireAllShared(scope, entity)
    }
    // `update.snapshot` is a subscription to `update`.
    for (const name of [...products, ...subscriptions]) requireAgreed(entity, name.split('.')[0]!)
    return {
      products: [...new Set(products)],
      subscriptions: [...new Set(subscriptions)],
      ...(isReport && { bureau, artifacts: [...new Set(artifacts)] }),
    }
  },
  subscriptions: [
    {
      name: 'connect',
      feed: { firstPoll: nextDay, poll: pollAccounts, skip: nextDay },
    },
  ],
  availability: (team, entity) => forVerified(team, entity, 'connect'),
  async fetchData(scope, entity, record) {
    const behaviours = await scope.deps.behaviours.open(scope, entity.id, 'connect')
    const discovery = await discoverAccounts(scope, entity, record.id, behaviours)
    const { bureau, artifacts } = connectRequest.read(record.request)
    if (discovery.status !== 'completed' || !bureau || !artifacts) return discovery
    const reports = await receiveReports(scope, entity, { request: record.id, bureau, artifacts })
    if (reports.status === 'failed') return reports
    return { ...discovery, data: { ...discovery.data, files: reports.files } }
  },
  async complete(scope, entity, record, data) {
    const { products = [], subscriptions = [], chosen } = connectRequest.read(record.request)
    const isLater = await isConnected(scope, entity.id, record.id)
    const isAgreed = isLater && entity.future_accounts_at !== null
    // A connect through the API does not anticipate the choice in a session that has not found the accounts yet.
    // mutant: api-connect-awaits-the-choice (drop 2)
    const awaitsChoice = isLater || chosen === undefined
    const isPending = needsConsent(entity) && awaitsChoice
    const unshared = chosen && !isAgreed ? 'hidden' : isPending ? 'pending' : null
    const liabilities = data['liabilities'] as Liability[]
    const accounts = await connectAccounts(
      scope,
      entity,
      liabilities,
      unshared && { state: unshared, connect: record.id },
    )
    await scope.deps.behaviours.consume(scope, data['behaviours'] as string[])
    if (unshared === 'hidden') for (const account of accounts) await describeAccount(scope, account)
    // A subscription's poll can create several records, but emits only one event for all of them.
    if (unshared === 'pending' && record.subscription_id === null) await emitPendingConsent(scope, entity, [record.id])
    if (unshared) return { accounts: [] }
    const openedReferences = data['news'] as string[]
    const isOpened = isLater && !(await mayBeWithdrawn(scope, entity.id))
    for (const account of accounts) {
      const isNewlyOpened = isLater && openedReferences.includes(account.reference ?? '')
      await describeAccount(scope, account)
      await startAccount(scope, account, { products, subscriptions, opened: isOpened || isNewlyOpened })
    }
    const files = (data['files'] ?? []) as ReportFile[]
    await completeFiles(
      scope,
      files.map(({ id }) => id),
    )
    return { accounts: accounts.map(account => account.id), ...(files.length > 0 && { files }) }
  },
  show: ({ request, data }) => ({
    accounts: data?.['accounts'] ?? null,
    requested_products: request['products'] ?? [],
    requested_subscriptions: request['subscriptions'] ?? [],
    files: data?.['files'] ?? [],
    credit_reports: null,
  }),
  expand: { fields: connectFields, show: expandConnects },
  extraEvents: (data, _before, subscribed) =>
    subscribed && (data['accounts'] as string[]).length > 0 ? ['connect.available'] : [],
}

/**
 * Polls for newly opened accounts, including those requested in the sandbox. For an entity that has never connected,
 * finds all of its accounts.
 */
async function pollAccounts(scope: Scope, entity: EntityRow, position: FeedPosition) {
  const feed = await pollChanges(scope, 'account', networkPerson(scope, entity), position)
  const changes = feed.changes.flatMap(change =>
    change.type === 'account' ? changeOf(connect, change, noRequests, completed([], [change.liability], [])) : [],
  )
  const behaviours = await scope.deps.behaviours.open(scope, entity.id, 'connect')
  if (behaviours.length === 0 && (await isConnected(scope, entity.id)))
    return { ...feed, changes: emitPendingConsentOnce(changes) }
  const discovery = await discoverAccounts(asOf(scope, position.until), entity, position.subscription, behaviours)
  const change = { id: behaviours[0]?.id ?? 'first', at: position.until }
  // Creates no record if discovery fails, for example because the credit file is frozen.
  return discovery.status === 'completed'
    ? { ...feed, changes: emitPendingConsentOnce([...changes, changeOf(connect, change, noRequests, discovery)]) }
    : { ...feed, changes: emitPendingConsentOnce(changes) }
}

const noRequests = { products: [], subscriptions: [] }

/**
 * Builds a connect's outcome.
 * @param opened the accounts to announce as opened
 */
const completed = (existing: Liability[], opened: Liability[], behaviours: readonly Behaviour[]): Outcome => ({
  status: 'completed',
  data: {
    liabilities: [...existing, ...opened],
    news: opened.map(({ reference }) => reference),
    behaviours: behaviours.map(({ id }) => id),
  },
})

/** Finds all of a person's debts, including those requested in the sandbox. */
async function discoverAccounts(
  scope: Scope,
  entity: EntityRow,
  id: string,
  behaviours: readonly Behaviour[],
): Promise<Outcome> {
  // mutant: nothing-linked-is-an-error (false)
  if (scope.deps.capabilities.discovery().kind === 'link' && !(await findLinks(scope, entity.id))?.institutions.length)
    return { status: 'failed', code: resourceCodes.NO_LINKED_INSTITUTION }
  const discovery = await discover(scope, entity, id)
  if (discovery.status !== 'completed') return discovery
  const opened =
    behaviours.length === 0 ? [] : await scope.deps.ports.network.opened({ ...callOf(scope, entity, id), behaviours })
  return completed(discovery.liabilities, opened, behaviours)
}

const callOf = (scope: Scope, entity: EntityRow, request_id: string) => ({
  ...createPortCall(scope, request_id),
  person: networkPerson(scope, entity),
})

function discover(scope: Scope, entity: EntityRow, id: string) {
  return scope.deps.ports.network.discover(callOf(scope, entity, id)) as Promise<
    { status: 'completed'; liabilities: Liability[] } | Failure
  >
}

/** Returns the id of the latest connect that found an entity's accounts, or null if there is none. */
export async function latestConnect(scope: Scope, entity: string): Promise<string | null> {
  return (await completedRecord(scope, entity, 'connect'))?.id ?? null
}
