import { provider } from '@causeway/connector/provider/provider'
import { vouch } from './banks.js'
import { check } from './check.js'
import {
  attributes,
  balance,
  changes,
  creditScore,
  discover,
  entityAttributes,
  payoff,
  sensitive,
  update,
  vehicles,
  verifyNumber,
} from './debts.js'
import { read, verify } from './hooks.js'
import {
  accepts,
  cancel,
  findApproval,
  findCancellation,
  findSubmission,
  reversal,
  reverse,
  status,
  submit,
} from './payments.js'
import { answer, checkCode, findCode, match, questions, sendCode } from './people.js'
import { settings } from './settings.js'
import { tables } from './tables.js'

/**
 * Any server that speaks this service's own API: a network that is compatible with it, or a second installation. Its
 * people, debts and payments are its own resources.
 */
export const upstream = provider({
  name: 'upstream',
  title: 'Upstream',
  settings,
  hosts: ({ UPSTREAM_API_URL }) => [UPSTREAM_API_URL],
  environment: ({ UPSTREAM_ENVIRONMENT }) => UPSTREAM_ENVIRONMENT,
  provides: {
    'identity/send_code': sendCode,
    'identity/check_code': checkCode,
    'identity/match': match,
    'identity/questions': questions,
    'identity/answer': answer,
    'network/tables': tables,
    'network/discover': discover,
    'network/balance': balance,
    'network/update': update,
    'network/payoff': payoff,
    'network/sensitive': sensitive,
    'network/attributes': attributes,
    'network/entity_attributes': entityAttributes,
    'network/credit_score': creditScore,
    'network/vehicles': vehicles,
    'network/verify_number': verifyNumber,
    'network/vouch': vouch,
    'network/changes': changes,
    'rail/accepts': accepts,
    'rail/submit': submit,
    'rail/cancel': cancel,
    'rail/status': status,
    'rail/reverse': reverse,
    'rail/reversal': reversal,
  },
  outcomes: {
    // The key of the session makes a second request return the first one's session.
    'identity/send_code': { find: findCode, duplicates: 'harmless' },
    'rail/submit': { find: findSubmission, duplicates: 'never' },
    'rail/cancel': { find: findCancellation, duplicates: 'never' },
    'rail/reverse': { find: findApproval, duplicates: 'never' },
  },
  hooks: { verify, read },
  capabilities: ({ UPSTREAM_NAME }) => ({ persons: 'own', company: UPSTREAM_NAME === 'none' ? null : UPSTREAM_NAME }),
  check,
  proven: { level: 'emulator', on: '2026-11-29' },
})
