import { provider } from '@causeway/connector/provider/provider'
import { vouch } from './bank-accounts.js'
import { changes } from './changes.js'
import { check } from './check.js'
import { balance, discover, sensitive, update, verifyNumber } from './data.js'
import { read, verify } from './hooks.js'
import { findLink, findUnlink, link, linked, unlink } from './links.js'
import { baseUrl, environment, settings } from './settings.js'
import { readTables } from './tables.js'

/**
 * Plaid, through which people sign in to their institutions. It finds cards and loans only after the person has linked
 * their institution, on Plaid's own page.
 */
export const plaid = provider({
  name: 'plaid',
  title: 'Plaid',
  settings,
  hosts: values => [baseUrl(values)],
  environment,
  provides: {
    'network/link': link,
    'network/linked': linked,
    'network/unlink': unlink,
    'network/tables': readTables,
    'network/discover': discover,
    'network/balance': balance,
    'network/update': update,
    'network/verify_number': verifyNumber,
    'network/sensitive': sensitive,
    'network/vouch': vouch,
    'network/changes': changes,
  },
  outcomes: {
    'network/link': { find: findLink, duplicates: 'harmless' },
    'network/unlink': { find: findUnlink, duplicates: 'never' },
  },
  hooks: { verify, read },
  capabilities: ({ PLAID_AUTH }) => ({
    persons: 'any',
    discovery: 'link',
    ...(PLAID_AUTH === 'off' && { without: ['network/vouch'] as const }),
  }),
  check,
  proven: { level: 'emulator', on: '2026-11-29' },
})
