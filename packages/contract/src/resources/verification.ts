import { z } from 'zod'
import { sessionMethods } from './names.js'
import { resourceError, timestamp } from './shared.js'

const common = { error: resourceError.nullable(), created_at: timestamp, updated_at: timestamp }

const verificationStatuses = ['pending', 'in_progress', 'verified', 'failed'] as const

const question = z.object({
  id: z.string(),
  text: z.string(),
  answers: z.array(z.object({ id: z.string(), text: z.string() })),
})

/** A phone or identity verification. Only the block for its method is present. */
export const entityVerificationSession = z.object({
  id: z.string(),
  entity_id: z.string(),
  status: z.enum(verificationStatuses),
  type: z.enum(['phone', 'identity']),
  method: z.enum(sessionMethods),
  sms: z.object({ timestamp: timestamp.optional().describe('When the code was verified') }).optional(),
  byo_sms: z.object({ timestamp: z.string().nullable().describe('When you verified the phone') }).optional(),
  sna: z.object({ urls: z.array(z.string()).describe('URLs to open on the handset') }).optional(),
  byo_kyc: z.object({ authenticated: z.boolean() }).optional(),
  kba: z
    .object({
      questions: z.array(question).describe('The current questions; empty after the session ends'),
      authenticated: z.boolean().optional(),
    })
    .optional(),
  ...common,
})

const masked = z.string().nullable().describe('Masked; null until you send it')
const check = z.enum(['pass', 'fail', 'unavailable']).nullable().describe('Null until checked')
const printed = { number: masked, exp_month: masked, exp_year: masked, exp_check: check }
const whole = {
  ...printed,
  cvv: masked,
  cvv_check: check,
  billing_zip_code: masked,
  billing_zip_code_check: check,
}
const raw = z.record(z.string(), z.unknown())

/** Session types that a team can start. */
export const answeredTypes = [
  'standard',
  'instant',
  'pre_auth',
  'network',
  'micro_deposits',
  'plaid',
  'mx',
  'teller',
] as const
/**
 * The last two types need no answer. The network vouches for the account, and the session is verified as soon as it
 * starts.
 */
const accountVerificationTypes = [...answeredTypes, 'auto_verify', 'trusted_provisioner'] as const

/** An account verification. Only the block for its type is present. */
export const accountVerificationSession = z.object({
  id: z.string(),
  account_id: z.string(),
  status: z.enum(verificationStatuses),
  type: z.enum(accountVerificationTypes),
  standard: z.object({ number: z.string().nullable().describe('Masked; null until you send it') }).optional(),
  instant: z.object(printed).optional(),
  pre_auth: z.object({ ...whole, pre_auth_check: check }).optional(),
  network: z.object({ ...whole, network_check: check }).optional(),
  micro_deposits: z.object({ amounts: z.array(z.int()).describe('In cents; empty until verified') }).optional(),
  plaid: z.object({ balances: raw, transactions: z.array(raw) }).optional(),
  mx: z.object({ account: raw, transactions: z.array(raw) }).optional(),
  teller: z.object({ balances: raw, transactions: z.array(raw) }).optional(),
  auto_verify: z.object({}).optional(),
  trusted_provisioner: z.object({}).optional(),
  ...common,
})
