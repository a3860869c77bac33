import type { ProviderContext } from '@causeway/connector/provider/provider'
import { address, choice, type SettingValues, secret, text } from '@causeway/connector/provider/settings'

export const PRODUCTION_URL = 'https://api.increase.com'
export const SANDBOX_URL = 'https://sandbox.increase.com'
const VAULT_URL = 'https://vault.increase.com'

export const settings = {
  INCREASE_API_KEY: secret({
    what: 'the API key from the Increase dashboard',
    pattern: /^[\x21-\x7e]{8,200}$/,
    mustBe: 'the key from the dashboard, without spaces',
  }),
  INCREASE_WEBHOOK_SECRET: secret({
    what: 'the shared secret of the event subscription',
    pattern: /^[\x20-\x7e]{16,200}$/,
    mustBe: '16 to 200 printable characters, the same as in the event subscription',
  }),
  INCREASE_ENVIRONMENT: choice(
    'the environment of Increase; `by_host` reads it from the base address',
    ['by_host', 'sandbox', 'production'],
    'by_host',
  ),
  INCREASE_API_URL: address('the base address of the API', PRODUCTION_URL),
  INCREASE_DEPOSIT_ACCOUNT: text({
    what: 'the id of the Increase account that sends micro-deposits',
    pattern: /^\w{1,60}$/,
    mustBe: 'an id such as account_in71c4amph0vgo2qllky, or `oldest` for the oldest open account',
    fallback: 'oldest',
  }),
  INCREASE_CARD_PUSH: choice(
    'pays cards through card push transfers, if Increase has approved it',
    ['off', 'on'],
    'off',
  ),
  INCREASE_TOKENIZATION_KEY: secret({
    what: 'the card tokenization key from the Increase dashboard, for card push',
    pattern: /^[\x21-\x7e]{0,200}$/,
    mustBe: 'the key from the dashboard, without spaces',
    fallback: '',
  }),
  INCREASE_VAULT_URL: address('the base address that accepts card numbers, for card push', VAULT_URL),
  INCREASE_CARD_MERCHANT: text({
    what: 'the company that cardholders see, as Increase approved it for card push',
    pattern: /^(?:[^;]{1,40};[^;]{1,4};\d{4};[^;]{1,60};[^;]{1,40};[A-Z]{2};\d{5})?$/,
    mustBe:
      'name;prefix;category code;street;city;state;ZIP Code, such as Example Lending;EXAM;6012;1 Main St;Austin;TX;78701',
    fallback: '',
  }),
}

export type IncreaseSettings = SettingValues<typeof settings>
export type Context = ProviderContext<typeof settings>

/** The base address of the API. `INCREASE_ENVIRONMENT=sandbox` alone selects the sandbox's address. */
export const baseUrl = ({ INCREASE_API_URL, INCREASE_ENVIRONMENT }: IncreaseSettings): string =>
  INCREASE_API_URL === PRODUCTION_URL && INCREASE_ENVIRONMENT === 'sandbox' ? SANDBOX_URL : INCREASE_API_URL

/** The environment that the settings reach. Increase's own hosts decide, because keys work on one host only. */
export function environment(values: IncreaseSettings): 'sandbox' | 'production' {
  const url = baseUrl(values)
  if (url === PRODUCTION_URL) return 'production'
  if (url === SANDBOX_URL) return 'sandbox'
  return values.INCREASE_ENVIRONMENT === 'production' ? 'production' : 'sandbox'
}
