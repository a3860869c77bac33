import { liabilityTypes, liability as newestLiability } from '@causeway/contract/fields/liability'
import { resourceError, timestamp } from '@causeway/contract/fields/shared'
import { account as newestAccount } from '@causeway/contract/products/account'
import { corporationKinds, individual, entity as newest } from '@causeway/contract/products/entity'
import { update } from '@causeway/contract/products/update'
import { fieldsOfBlock } from '@causeway/contract/update-fields'
import { z } from 'zod'

const capabilities = ['payments:send', 'payments:receive', 'data:retrieve', 'data:sync'] as const
export type Capability = (typeof capabilities)[number]

const capabilityList = z.array(z.enum(capabilities))
const capabilityFields = {
  capabilities: capabilityList.describe('What it can do now'),
  available_capabilities: capabilityList.describe('What it can do once it is verified'),
  pending_capabilities: capabilityList.describe('What it can do once missing information is sent'),
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
  ...capabilityFields,
  error,
  metadata,
  created_at,
  updated_at,
})

const payoffFields = ['payoff_amount', 'payoff_amount_term', 'per_diem_amount']
const pastDueFields = ['past_due_status', 'past_due_balance', 'past_due_date']
/** Fields, by block, that have no data source. */
const sourcelessByBlock: Readonly<Record<string, readonly string[]>> = {
  credit_card: [
    'last_statement_balance',
    'remaining_statement_balance',
    'auto_pay_status',
    'auto_pay_amount',
    'auto_pay_date',
    ...pastDueFields,
    'pending_purchase_authorization_amount',
    'pending_credit_authorization_amount',
    'interest_saving_balance',
    'next_statement_date',
  ],
  auto_loan: [...pastDueFields, 'late_fees_amount', 'principal_balance', 'mileage_allocation'],
  mortgage: [
    ...pastDueFields,
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
  ...(type === 'auto_loan' || type === 'mortgage' ? payoffFields : []),
  ...(sourcelessByBlock[type] ?? []),
]

export const sourceless = [
  {
    of: 'Account',
    fields: ['clearing'],
    why: 'there are no clearing accounts',
  },
  ...Object.entries(sourcelessByBlock).map(([type, fields]) => ({
    of: 'Account',
    fields: fields.map(field => `liability.${type}.${field}`),
    why:
      type === 'mortgage'
        ? 'institutions do not report them; an address is stored encrypted and never returned'
        : 'institutions do not report them',
  })),
]

const { name: _name, fingerprint: _fingerprint, sub_type: _sub, ...liabilityFields } = newestLiability.shape
/** Returns a block's schema. Each field either has its type from the update schema or is null. */
function blockSchema(type: (typeof liabilityTypes)[number]) {
  const fieldSchemas: Readonly<Record<string, z.ZodType>> = {
    ...update.shape[type].unwrap().shape,
    ...Object.fromEntries(payoffFields.map(field => [field, z.int().nullable()])),
    name: z.string().nullable(),
    sub_type: z.string().nullable(),
  }
  const shape = blockFields(type).map(field => [field, fieldSchemas[field]?.nullable() ?? z.null()] as const)
  return z.object(Object.fromEntries(shape)).optional()
}

const liability = z.object({
  ...liabilityFields,
  payment_status: z.enum(['active', 'activating', 'unavailable']),
  data_status: z.enum(['active', 'syncing', 'failed', 'unavailable']),
  data_last_successful_sync: timestamp.nullable(),
  data_updated_at: timestamp.nullable(),
  data_status_error: resourceError.nullable(),
  data_source: z.enum(['financial_institution', 'credit_report']).nullable(),
  hash: z.string().nullable().describe('The fingerprint'),
  ...Object.fromEntries(liabilityTypes.map(type => [type, blockSchema(type)])),
})

const newestFields = newestAccount.shape
export const account = z.object({
  id: newestFields.id,
  holder_id: newestFields.holder_id,
  status: newestFields.status,
  type: newestFields.type,
  ach: newestFields.ach.unwrap(),
  liability: liability.nullable(),
  clearing: z.null(),
  ...capabilityFields,
  error: newestFields.error,
  metadata: newestFields.metadata,
  created_at: newestFields.created_at,
  updated_at: newestFields.updated_at,
})
