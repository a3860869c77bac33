/** The checks of the settings against Plaid, for `pnpm admin doctor`. */
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import type { ProviderFinding } from '@causeway/connector/provider/provider'
import { type Caller, post } from './client.js'
import { baseUrl, environment, PRODUCTION_URL, SANDBOX_URL } from './settings.js'

const HOOK_PATH = '/hooks/plaid'

const problem = (message: string): ProviderFinding => ({ level: 'problem', message })
const warning = (message: string): ProviderFinding => ({ level: 'warning', message })
const ok = (message: string): ProviderFinding => ({ level: 'ok', message })

export async function* check(caller: Caller): AsyncGenerator<ProviderFinding> {
  const { settings } = caller
  const url = baseUrl(settings)
  const host = { [PRODUCTION_URL]: 'production', [SANDBOX_URL]: 'sandbox' }[url]
  const wanted = settings.PLAID_ENVIRONMENT
  if (host !== undefined && wanted !== 'by_host' && wanted !== host)
    yield problem(
      `PLAID_ENVIRONMENT is ${wanted}, but ${url} is the host of the ${host} environment. Change one of the two variables.`,
    )
  try {
    yield* checkInstitutions(caller)
  } catch (error) {
    if (error instanceof RejectedKeyError)
      yield problem(
        `Plaid rejected PLAID_CLIENT_ID and PLAID_SECRET at ${url}. Copy the secret of the ${environment(settings)} environment from the dashboard.`,
      )
    else if (error instanceof OutsideError)
      yield problem(`${url} did not answer as expected: ${error.message} Check PLAID_API_URL and the network.`)
    else throw error
  }
  yield checkWebhooks(caller)
  yield warning(
    'This check does not create a link token. Ask Plaid whether Liabilities, Identity Match and Hosted Link are enabled.',
  )
}

async function* checkInstitutions(caller: Caller): AsyncGenerator<ProviderFinding> {
  const { value, refusal } = await post(caller, '/institutions/get', {
    count: 1,
    offset: 0,
    country_codes: ['US'],
    options: { products: ['liabilities'] },
  })
  if (refusal)
    yield problem(
      `Plaid answered ${refusal.code}. Ask Plaid to enable Liabilities for institutions in the United States.`,
    )
  else yield ok(`Plaid accepted the secret. Debts can be linked at ${Number(value['total'])} institutions.`)
}

function checkWebhooks({ settings: { PLAID_WEBHOOK_URL: url } }: Caller): ProviderFinding {
  if (url === '')
    return warning(
      `PLAID_WEBHOOK_URL is not set, so changes arrive only when they are polled. Set it to {API_ORIGIN}${HOOK_PATH}.`,
    )
  return URL.canParse(url) && new URL(url).pathname.endsWith(HOOK_PATH)
    ? ok('Plaid sends webhooks to this service.')
    : problem(`PLAID_WEBHOOK_URL does not end in ${HOOK_PATH}. Set it to {API_ORIGIN}${HOOK_PATH}.`)
}
