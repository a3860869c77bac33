import type { ProviderContext } from '@causeway/connector/provider/provider'
import { address, choice, type SettingValues, secret, text, wholeNumber } from '@causeway/connector/provider/settings'

export const PRODUCTION_URL = 'https://production.plaid.com'
export const SANDBOX_URL = 'https://sandbox.plaid.com'

export const settings = {
  PLAID_CLIENT_ID: text({
    what: 'the client id from the Plaid dashboard',
    pattern: /^\w{8,100}$/,
    mustBe: 'the id from the dashboard, without spaces',
  }),
  PLAID_SECRET: secret({
    what: 'the secret of this environment from the Plaid dashboard',
    pattern: /^[\x21-\x7e]{8,200}$/,
    mustBe: 'the secret from the dashboard, without spaces',
  }),
  PLAID_CLIENT_NAME: text({
    what: 'the name that people see on Plaid’s page',
    pattern: /^[^\p{Cc}]{1,30}$/u,
    mustBe: '1 to 30 characters',
  }),
  PLAID_ENVIRONMENT: choice(
    'the environment of Plaid; `by_host` reads it from the base address',
    ['by_host', 'sandbox', 'production'],
    'by_host',
  ),
  PLAID_API_URL: address('the base address of the API', PRODUCTION_URL),
  PLAID_WEBHOOK_URL: text({
    what: 'the address to which Plaid sends webhooks, which is {API_ORIGIN}/hooks/plaid',
    pattern: /^(?:https?:\/\/[\x21-\x7e]{1,300})?$/,
    mustBe: 'a URL',
    fallback: '',
  }),
  PLAID_NAME_SCORE: wholeNumber(
    'the lowest score, from 1 to 100, of a name that counts as the person’s own',
    1,
    100,
    70,
  ),
  PLAID_AUTH: choice(
    'accepts the bank accounts of linked institutions as verified, which Plaid charges for',
    ['off', 'on'],
    'off',
  ),
  PLAID_TRANSACTIONS: choice('reads card transactions, if Plaid has approved it', ['off', 'on'], 'off'),
}

export type PlaidSettings = SettingValues<typeof settings>
export type Context = ProviderContext<typeof settings>

/** The base address of the API. `PLAID_ENVIRONMENT=sandbox` alone selects the sandbox's address. */
export const baseUrl = ({
  PLAID_API_URL,
  PLAID_ENVIRONMENT,
}: Pick<PlaidSettings, 'PLAID_API_URL' | 'PLAID_ENVIRONMENT'>) =>
  PLAID_API_URL === PRODUCTION_URL && PLAID_ENVIRONMENT === 'sandbox' ? SANDBOX_URL : PLAID_API_URL

/** The environment that the settings reach. Plaid's own hosts decide, because secrets work on one host only. */
export function environment(values: PlaidSettings): 'sandbox' | 'production' {
  const url = baseUrl(values)
  if (url === PRODUCTION_URL) return 'production'
  if (url === SANDBOX_URL) return 'sandbox'
  return values.PLAID_ENVIRONMENT === 'production' ? 'production' : 'sandbox'
}
