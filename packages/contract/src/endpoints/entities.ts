import { z } from 'zod'
import { entity } from '../resources/entity.js'
import { entityVerificationSession } from '../resources/verification.js'
import { consentInput, type Endpoint, expand, type Family, metadataInput, paging } from './endpoint.js'
import { withdrawnEntity } from './entity-examples.js'
import * as examples from './examples.js'
import { accountFields } from './expandable.js'

const text = z.string().nullable().optional()

export const addressInput = z.object({
  line1: text,
  line2: text,
  city: text,
  state: z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .nullable()
    .optional(),
  zip: z
    .string()
    .regex(/^\d{5}(-\d{4})?$/)
    .nullable()
    .optional(),
})

export const individualInput = z.object({
  first_name: text,
  last_name: text,
  phone: z
    .string()
    .regex(/^\+1[2-9]\d{9}$/)
    .nullable()
    .optional()
    .describe('E.164, United States'),
  email: z.email().nullable().optional(),
  dob: z.iso.date().nullable().optional(),
  ssn: z
    .string()
    .regex(/^\d{9}$/)
    .nullable()
    .optional()
    .describe('Nine digits; not together with ssn_4'),
  ssn_4: z
    .string()
    .regex(/^\d{4}$/)
    .nullable()
    .optional(),
})

const owner = z.object({
  first_name: text,
  last_name: text,
  phone: z
    .string()
    .regex(/^\+1[2-9]\d{9}$/)
    .nullable()
    .optional(),
  email: z.email().nullable().optional(),
  dob: z.iso.date().nullable().optional(),
  address: addressInput.nullable().optional(),
})

const corporationInput = z.object({
  name: z.string().min(1).max(200),
  dba: text,
  ein: z
    .string()
    .regex(/^\d{2}-?\d{7}$/)
    .nullable()
    .optional(),
  owners: z.array(owner).max(20).optional(),
})

export const newEntity = z.object({
  type: z.enum(['individual', 'corporation']),
  individual: individualInput.optional().describe('Required for an individual; may be empty'),
  corporation: corporationInput.optional().describe('Required for a corporation'),
  address: addressInput.nullable().optional(),
  metadata: metadataInput,
})

export const changedEntity = z.object({
  individual: individualInput.nullable().optional(),
  corporation: corporationInput
    .partial()
    .nullable()
    .optional()
    .describe('Owners are given whole, in their order: new ones behind those that are known'),
  address: addressInput.nullable().optional(),
  metadata: metadataInput,
})

const details = [
  'INVALID_ENTITY_PHONE_NUMBER',
  'INVALID_ENTITY_EMAIL_ADDRESS',
  'ENTITY_INVALID_SSN',
  'ENTITY_INVALID_SSN4',
  'MAX_ENTITY_METADATA_SIZE_EXCEEDED',
  'UNAUTHORIZED_VERIFICATION_METHOD',
] as const

const expandEntity = expand([
  'connect',
  'connect.accounts',
  ...accountFields.map(field => `connect.accounts.${field}`),
  'credit_score',
  'identity',
  'attribute',
  'vehicle',
  'identity_latest_verification_session',
  'phone_latest_verification_session',
])
const created = { type: 'individual', individual: { first_name: 'Ana', last_name: 'Reyes', phone: '+12025550123' } }

const entities: Endpoint[] = [
  {
    method: 'POST',
    path: '/entities',
    summary: 'Create an entity',
    description:
      'A person or a corporation. With a name and a phone the network is asked who it is, so the answer may take some seconds.',
    query: expandEntity,
    body: newEntity,
    answer: entity,
    errors: details,
    example: { request: created, answer: examples.entity },
  },
  {
    method: 'GET',
    path: '/entities',
    summary: 'List entities',
    query: {
      ...paging,
      ...expandEntity,
      status: z.enum(['active', 'incomplete', 'disabled']),
      type: z.enum(['individual', 'corporation']),
      name: z.string().describe('Whole words of the name, in any order; upper and lower case do not matter'),
    },
    answer: entity,
    shape: 'list',
    example: { answer: [examples.entity] },
  },
  {
    method: 'GET',
    path: '/entities/:ent_id',
    summary: 'Retrieve an entity',
    query: expandEntity,
    answer: entity,
    example: { answer: examples.entity },
  },
  {
    method: 'PUT',
    path: '/entities/:ent_id',
    summary: 'Add details to an entity',
    description:
      'A detail that has a value keeps it; one that is missing can be filled, and one that a person typed in a frame can be put right until a code or their identity proves it. `metadata` is replaced.',
    query: expandEntity,
    body: changedEntity,
    answer: entity,
    errors: [
      ...details,
      'ENTITY_UPDATE_RESTRICTED',
      'ENTITY_UPDATE_DISABLED',
      'ENTITY_UPDATE_INVALID',
      'ENTITY_UPDATE_UNSUPPORTED',
    ],
    example: { request: { individual: { dob: '1988-04-09' } }, answer: examples.entity },
  },
  {
    method: 'POST',
    path: '/entities/:ent_id/consent',
    summary: 'Withdraw or grant consent',
    description:
      'Withdrawing deletes what is known of the entity and of its accounts, and disables them. Granting takes the entity up again with nothing known; its old accounts stay disabled.',
    body: consentInput('entity_withdrew_consent'),
    answer: entity,
    errors: ['ENTITY_CONSENT_ALREADY_WITHDRAWN', 'ENTITY_CONSENT_ALREADY_GRANTED', 'ENTITY_HAS_PAYMENTS_IN_PROGRESS'],
    example: { request: { type: 'withdraw', reason: 'entity_withdrew_consent' }, answer: withdrawnEntity },
  },
]

const path = '/entities/:ent_id/verification_sessions'
const block = z.record(z.string(), z.unknown()).optional()
const head = { type: z.enum(['phone', 'identity']), method: z.enum(['sms', 'sna', 'byo_sms', 'kba', 'byo_kyc']) }
const answers = z.object({ answers: z.array(z.object({ question_id: z.string(), answer_id: z.string() })).max(20) })

const sessions: Endpoint[] = [
  {
    method: 'POST',
    path,
    summary: 'Begin to verify a phone or an identity',
    description:
      'Send the block of the method beside `type` and `method`. `sms` texts a code, `byo_sms` takes the time of your own check and is verified at once, `sna` gives addresses to open on the handset, `kba` answers with questions, `byo_kyc` takes your own check. A session lives ten minutes.',
    body: z.object({
      ...head,
      sms: block,
      sna: block,
      byo_sms: z.object({ timestamp: z.iso.datetime({ offset: true }) }).optional(),
      kba: block,
      byo_kyc: block,
    }),
    answer: entityVerificationSession,
    errors: [
      'INVALID_ENTITY_TYPE',
      'EXISTING_VERIFIED_SESSION',
      'UNAUTHORIZED_VERIFICATION_METHOD',
      'MISSING_PHONE_VERIFICATION',
      'MISSING_IDENTITY_MATCH',
      'ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS',
    ],
    example: { request: { type: 'phone', method: 'sms', sms: {} }, answer: examples.entitySession },
  },
  {
    method: 'GET',
    path,
    summary: "List an entity's verification sessions",
    query: paging,
    answer: entityVerificationSession,
    shape: 'list',
    example: { answer: [examples.entitySession] },
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Retrieve a verification session',
    answer: entityVerificationSession,
    example: { answer: examples.entitySession },
  },
  {
    method: 'PUT',
    path: `${path}/:id`,
    summary: 'Answer a verification session',
    description:
      'With the code, or with the answers to the questions. For `sna` once the addresses were opened. A wrong one leaves an `error` on the session: 19002, 19003 or 19004. What is no answer (400), or could not be checked (503), is no try.',
    body: z.object({
      ...head,
      sms: z.object({ sms_code: z.string().regex(/^\d{6}$/) }).optional(),
      sna: block,
      byo_sms: block,
      kba: answers.optional(),
      byo_kyc: block,
    }),
    answer: entityVerificationSession,
    errors: ['EXISTING_VERIFIED_SESSION', 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'],
    example: {
      request: { type: 'phone', method: 'sms', sms: { sms_code: '135790' } },
      answer: { ...examples.entitySession, status: 'verified', sms: { timestamp: '2026-03-02T15:00:00.000Z' } },
    },
  },
]

export const entityFamily: Family = {
  name: 'Entities',
  about: 'Persons and corporations. An entity is `active` once its phone and its identity are verified.',
  endpoints: entities,
}

export const entitySessionFamily: Family = {
  name: 'Entity verification',
  about: 'Proofs of a phone and of an identity.',
  endpoints: sessions,
}
