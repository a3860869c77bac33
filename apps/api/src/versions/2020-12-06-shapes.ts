import { liabilityTypes, liability as newestLiability } from '@causeway/contract/fields/liability'
import { resourceError, timestamp } from '@causeway/contract/fields/shared'
import { account as newestAccount } from '@causeway/contract/products/account'
import { corporationKinds, individual, entity as newest } from '@causeway/contract/products/entity'
import { update } from '@causeway/contract/products/update'
import { fieldsOfBlock } from '@causeway/contract/update-fields'
import { z } from 'zod'

const capabilities = ['payments:send', 'payments:receive', 'data:retrieve', 'data:sync'] as const
export type Capability = (typeof capabilities)[number]

const names = z.array(z.enum(capabilities))
const standing = {
  capabilities: names.describe('What it can do now'),
  available_capabilities: names.describe('What it can do once it is verified'),
  pending_capabilities: names.describe('What it can do once missing information is sent'),
}

const { ssn: _ssn, ssn_4: _ssn4, ...person } = individual.shape
const { id, corporation, address, status, error, metadata, created_at, updated_at } = newest.shape

export const entity = z.object({
  id,
  type: z
    .enum(['individual', ...corporationKinds])
    .nullable()
    .describe('Null after consent is withdrawn'),
  individual: z
    .object({
      ...person,
      phone_verification_type: z.enum(['sms']).nullable(),
      phone_verification_timestamp: timestamp.nullable(),
    })
    .nullable()
    .optional(),
  corporation,
  address,
  status,
  ...standing,
  error,
  metadata,
  created_at,
  updated_at,
})

const payoff = ['payoff_amount', 'payoff_amount_term', 'per_diem_amount']
const pastDue = ['past_due_status', 'past_due_balance', 'past_due_date']
/** Fields, by block, that have no data source. */
const unknown: Readonly<Record<string, readonly string[]>> = {
  credit_card: [
    'last_statement_balance',
    'remaining_statement_balance',
    'auto_pay_status',
    'auto_pay_amount',
    'auto_pay_date',
    ...pastDue,
    'pending_purchase_authorization_amount',
    'pending_credit_authorization_amount',
    'interest_saving_balance',
    'next_statement_date',
  ],
  auto_loan: [...pastDue, 'late_fees_amount', 'principal_balance', 'mileage_allocation'],
  mortgage: [
    ...pastDue,
    'principal_balance',
    'property_value',
    'escrow_balance',
    'year_to_date_interest_paid',
    'year_to_date_principal_paid',
    'year_to_date_taxes_paid',
    'year_start_principal_balance',
    'address_street',
    'address_city',
    'address_state',
    'address_zip',
  ],
  personal_loan: ['principal_balance', 'year_to_date_interest_paid'],
  student_loan: ['sequence', 'disbursed_at', 'principal_balance'],
}

/** Returns every field in a type's block, including fields that are always null. */
export const blockFields = (type: string): string[] => [
  'name',
  ...fieldsOfBlock(type),
  ...(type === 'auto_loan' || type === 'mortgage' ? payoff : []),
  ...(unknown[type] ?? []),
]

export const sourceless = [
  {
    of: 'Account',
    fields: ['clearing'],
    why: 'there are no clearing accounts',
  },
  ...Object.entries(unknown).map(([type, fields]) => ({
    of: 'Account',
    fields: fields.map(field => `liability.${type}.${field}`),
    why:
      type === 'mortgage'
        ? 'institutions do not report them; an address is stored encrypted and never returned'
        : 'institutions do not report them',
  })),
]

const { name: _name, fingerprint: _fingerprint, sub_type: _sub, ...debt } = newestLiability.shape
/** Returns a block's schema. Each field either has its type from the update schema or is null. */
function block(type: (typeof liabilityTypes)[number]) {
  const known: Readonly<Record<string, z.ZodType>> = {
    ...update.shape[type].unwrap().shape,
    ...Object.fromEntries(payoff.map(field => [field, z.int().nullable()])),
    name: z.string().nullable(),
    sub_type: z.string().nullable(),
  }
  const shape = blockFields(type).map(field => [field, known[field]?.nullable() ?? z.null()] as const)
  return z.object(Object.fromEntries(shape)).optional()
}

const liability = z.object({
  ...debt,
  payment_status: z.enum(['active', 'activating', 'unavailable']),
  data_status: z.enum(['active', 'syncing', 'failed', 'unavailable']),
  data_last_successful_sync: timestamp.nullable(),
  data_updated_at: timestamp.nullable(),
  data_status_error: resourceError.nullable(),
  data_source: z.enum(['financial_institution', 'credit_report']).nullable(),
  hash: z.string().nullable().describe('The fingerprint'),
  ...Object.fromEntries(liabilityTypes.map(type => [type, block(type)])),
})

const head = newestAccount.shape
export const account = z.object({
  id: head.id,
  holder_id: head.holder_id,
  status: head.status,
  type: head.type,
  ach: head.ach.unwrap(),
  liability: liability.nullable(),
  clearing: z.null(),
  ...standing,
  error: head.error,
  metadata: head.metadata,
  created_at: head.created_at,
  updated_at: head.updated_at,
})
