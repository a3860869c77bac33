/** The checks of the settings against Increase, for `pnpm admin doctor`. */
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { ProviderFinding } from '@causeway/connector/provider/provider'
import { type Caller, list } from './client.js'
import { baseUrl, environment, PRODUCTION_URL, SANDBOX_URL, settings as what } from './settings.js'

const HOOK_PATH = '/hooks/increase'
/** The events that tell about payments. A subscription without categories gets every event. */
const neededEvents = ['ach_transfer.updated', 'check_transfer.updated', 'card_push_transfer.updated']

const problem = (message: string): ProviderFinding => ({ level: 'problem', message })
const warning = (message: string): ProviderFinding => ({ level: 'warning', message })
const ok = (message: string): ProviderFinding => ({ level: 'ok', message })

export async function* check(caller: Caller): AsyncGenerator<ProviderFinding> {
  const { settings } = caller
  const url = baseUrl(settings)
  const host = { [PRODUCTION_URL]: 'production', [SANDBOX_URL]: 'sandbox' }[url]
  const wanted = settings.INCREASE_ENVIRONMENT
  if (host !== undefined && wanted !== 'by_host' && wanted !== host)
    yield problem(
      `INCREASE_ENVIRONMENT is ${wanted}, but ${url} is the host of the ${host} environment. Change one of the two variables.`,
    )
  try {
    yield* checkAccounts(caller)
    yield* checkNumbers(caller)
    yield* checkSubscription(caller)
  } catch (error) {
    if (error instanceof RejectedKeyError)
      yield problem(
        `Increase rejected INCREASE_API_KEY at ${url}. Copy the key of the ${environment(settings)} environment from the dashboard. A key works in one environment only.`,
      )
    else if (error instanceof OutsideError)
      yield problem(`${url} did not answer as expected: ${error.message} Check INCREASE_API_URL and the network.`)
    else throw error
  }
  yield* checkCardPush(caller)
}

function* checkCardPush({ settings }: Caller): Generator<ProviderFinding> {
  if (settings.INCREASE_CARD_PUSH === 'off') {
    yield ok('Card push is off. Payments leave by ACH and by check.')
    return
  }
  yield warning('INCREASE_CARD_PUSH is on. Ask Increase whether card push transfers are approved for this program.')
  for (const name of ['INCREASE_TOKENIZATION_KEY', 'INCREASE_CARD_MERCHANT'] as const)
    if (settings[name] === '') yield problem(`INCREASE_CARD_PUSH is on, so ${name} is required: ${what[name].what}.`)
}

async function* checkAccounts(caller: Caller): AsyncGenerator<ProviderFinding> {
  const open = new Set<string>()
  for await (const { id, status } of list(caller, '/accounts')) if (status === 'open') open.add(String(id))
  yield open.size > 0
    ? ok(`Increase accepted the key. It has ${open.size} open accounts.`)
    : problem('Increase accepted the key, but has no open account. Open one in the dashboard, and fund it.')
  const { INCREASE_DEPOSIT_ACCOUNT: deposits } = caller.settings
  if (deposits !== 'oldest' && !open.has(deposits))
    yield problem('INCREASE_DEPOSIT_ACCOUNT names no open account. Copy the id of an account from the dashboard.')
}

async function* checkNumbers(caller: Caller): AsyncGenerator<ProviderFinding> {
  for await (const { status } of list(caller, '/account_numbers')) {
    if (status !== 'active') continue
    yield ok('An account has an active account number.')
    return
  }
  yield problem(
    'No account has an active account number. Create one in the dashboard. Lenders pay from the account with this number.',
  )
}

async function* checkSubscription(caller: Caller): AsyncGenerator<ProviderFinding> {
  let isInactive = false
  for await (const { url, status, selected_event_categories: selected } of list(caller, '/event_subscriptions')) {
    if (!URL.canParse(String(url)) || !new URL(String(url)).pathname.endsWith(HOOK_PATH)) continue
    if (status !== 'active') {
      isInactive = true
      continue
    }
    const missing = missingEvents(selected)
    yield missing.length === 0
      ? ok('An active event subscription sends webhooks to this service.')
      : warning(
          `The event subscription leaves out ${missing.join(', ')}. Payments then change only when they are polled.`,
        )
    return
  }
  yield problem(
    isInactive
      ? `The event subscription of {API_ORIGIN}${HOOK_PATH} is not active. Enable it in the dashboard.`
      : `No event subscription sends webhooks to {API_ORIGIN}${HOOK_PATH}. Create one with INCREASE_WEBHOOK_SECRET as its shared secret.`,
  )
}

function missingEvents(selected: unknown): string[] {
  if (!Array.isArray(selected)) return []
  const names = new Set(selected.map(each => (each as { event_category?: unknown } | null)?.event_category))
  return neededEvents.filter(name => !names.has(name))
}
