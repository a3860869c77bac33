import { z } from 'zod'
import {
  consentInput,
  counting,
  endpoint,
  expand,
  type Family,
  metadataInput,
  paging,
  sorting,
} from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { withdrawnEntity } from '../declaration/withdrawn-examples.js'
import { sessionMethods } from '../fields/names.js'
import { requestBlocks } from '../methods/of-entities.js'
import { smsMethod } from '../methods/sms.js'
import { entityVerificationSession } from '../methods/verification.js'
import { connectFields } from '../products/connect.js'
import { corporationKinds, entity, entityStatuses, entityTypes } from '../products/entity.js'
import { entityFields } from '../products/of-entities.js'
import { dateText, emailText, text as matching, nameText, optionalLine, timeText, visibleText } from '../text.js'
import { MAX_ADDRESS_LENGTHS } from '../values/name.js'
import { US_PHONE } from '../values/phones.js'
import { isState, stateOfZip } from '../values/states.js'

const text = (max: number) => visibleText(max).nullish()
const day = dateText('must be a date after 1900-01-01 and in the past, in the format YYYY-MM-DD')
  .nullish()
  .describe('A date in the past, after 1900-01-01')

export const stateInput = matching({
  max: 2,
  pattern: /^[A-Za-z]{2}$/,
  error: 'must be two letters, such as TX',
}).refine(isState, 'must be the abbreviation of a US state, DC, a territory (AS, GU, MP, PR, VI) or AA, AE or AP')

export const zipInput = matching({
  max: 10,
  pattern: /^\d{5}(-\d{4})?$/,
  error: 'must be five digits, such as 78705',
}).refine(zip => stateOfZip(zip) !== null, 'must be a ZIP code in the United States, such as 78705')

export const addressInput = z.object({
  line1: text(MAX_ADDRESS_LENGTHS.line1),
  line2: optionalLine(MAX_ADDRESS_LENGTHS.line2).nullish(),
  city: text(MAX_ADDRESS_LENGTHS.city),
  state: stateInput.nullish(),
  zip: zipInput.nullish(),
})

const individualFields = z.object({
  first_name: nameText()
    .nullish()
    .meta({ description: 'Send the name of a person with one legal name as the first name' }),
  last_name: nameText().nullish().meta({ description: 'Omit it for a person with one legal name' }),
  phone: matching({ max: 12, pattern: US_PHONE, error: 'INVALID_ENTITY_PHONE_NUMBER' })
    .nullish()
    .describe(
      'A United States number in E.164 format. The area code and the three digits after it begin with 2 to 9. Toll-free, premium and service numbers are not accepted',
    ),
  email: emailText('INVALID_ENTITY_EMAIL_ADDRESS').nullish(),
  dob: day,
  ssn: matching({ max: 9, pattern: /^\d{9}$/, error: 'ENTITY_INVALID_SSN' })
    .nullish()
    .describe('Nine digits. Cannot be combined with ssn_4'),
  ssn_4: matching({ max: 4, pattern: /^\d{4}$/, error: 'ENTITY_INVALID_SSN4' }).nullish(),
})

const oneNumber = <S extends typeof individualFields>(fields: S) =>
  fields.refine(({ ssn, ssn_4 }) => (ssn ?? null) === null || (ssn_4 ?? null) === null, {
    error: 'ENTITY_INVALID_SSN',
    path: ['ssn'],
  })

export const individualInput = oneNumber(individualFields)

const owner = z.object({
  first_name: nameText().nullish(),
  last_name: nameText().nullish(),
  phone: matching({
    max: 12,
    pattern: US_PHONE,
    error: 'must be a United States number in E.164 form, such as +12025550123',
  }).nullish(),
  email: emailText('must be an email address, such as ana@example.com').nullish(),
  dob: dateText('must be a date in the format YYYY-MM-DD').nullish(),
  address: addressInput.nullish(),
})

const corporationInput = z.object({
  name: nameText(),
  dba: nameText().nullish(),
  ein: matching({ max: 10, pattern: /^\d{2}-?\d{7}$/, error: 'must be nine digits' }).nullish(),
  owners: z.array(owner).max(20).optional(),
})

const newFields = z.object({
  type: z.enum(entityTypes),
  individual: individualInput.optional().describe('Required for an individual. Can be empty'),
  corporation: corporationInput.optional().describe('Required for a corporation'),
  address: addressInput.nullish(),
  metadata: metadataInput('MAX_ENTITY_METADATA_SIZE_EXCEEDED'),
})

/** Requires `individual` for an individual and `corporation` for any kind of corporation. */
const ofItsType = <S extends z.ZodType<{ type: string; individual?: unknown; corporation?: unknown }>>(fields: S) =>
  fields
    .refine(
      ({ type, individual }) => type !== 'individual' || individual !== undefined,
      'individual is required for an entity of type individual; it may be an empty object.',
    )
    .refine(
      ({ type, corporation }) => type === 'individual' || corporation !== undefined,
      'corporation is required for a corporation and must include its name.',
    )

export const newEntity = ofItsType(newFields)

export const changedEntity = z.object({
  individual: individualInput.nullish(),
  corporation: corporationInput
    .partial()
    .nullish()
    .describe('Send all owners in their current order, with new ones at the end'),
  address: addressInput.nullish(),
  metadata: metadataInput('MAX_ENTITY_METADATA_SIZE_EXCEEDED'),
})

/**
 * The request bodies of version 2020-12-06, which distinguishes kinds of corporations and accepts the customer's own
 * phone verification alongside the phone number.
 */
export const olderEntities = (() => {
  const individual = individualFields
    .extend({
      phone_verification_type: z.string().min(1).max(40).nullish().describe('How you verified the phone'),
      phone_verification_timestamp: timeText({ offset: true })
        .nullish()
        .describe('When you verified the phone, not in the future. Required with phone_verification_type'),
    })
    .refine(
      ({ phone_verification_type: type, phone_verification_timestamp: at }) =>
        (type ?? null) === null || (at ?? null) !== null,
      'individual.phone_verification_timestamp is required with phone_verification_type.',
    )
  const type = () => z.enum([...entityTypes, ...corporationKinds])
  return {
    type,
    create: ofItsType(
      newFields.extend({
        type: type().describe('For a corporation, `corporation` or a kind of corporation'),
        individual: oneNumber(individual).optional().describe('Required for an individual. Can be empty'),
      }),
    ),
    update: changedEntity.extend({ individual: oneNumber(individual).nullish() }),
  }
})()

const expandEntity = expand([
  ...entityFields,
  ...connectFields.map(field => `connect.${field}`),
  'identity_latest_verification_session',
  'phone_latest_verification_session',
])
const created = { type: 'individual', individual: { first_name: 'Ana', last_name: 'Reyes', phone: '+12025550123' } }

export const entities = {
  createEntity: endpoint({
    method: 'POST',
    path: '/entities',
    summary: 'Create an entity',
    description:
      'Creates a person or a corporation. If you send a name and a phone, the service looks the person up in the network, which can take a few seconds.',
    query: expandEntity,
    body: newEntity,
    answer: entity,
    errors: ['UNAUTHORIZED_VERIFICATION_METHOD'],
    example: { request: created, answer: examples.entity },
  }),
  listEntities: endpoint({
    method: 'GET',
    path: '/entities',
    summary: 'List entities',
    query: {
      ...paging,
      ...counting,
      ...sorting,
      ...expandEntity,
      id: z.string().describe('The id of an entity. Repeat the parameter to request up to 100 entities'),
      status: z.enum(entityStatuses),
      type: z.enum(entityTypes),
      name: z
        .string()
        .describe(
          'Whole words of the name, in any order. Case, accents, apostrophes, hyphens and suffixes such as Jr. make no difference',
        ),
    },
    answer: entity,
    shape: 'list',
    example: { answer: [examples.entity] },
  }),
  retrieveEntity: endpoint({
    method: 'GET',
    path: '/entities/:ent_id',
    summary: 'Retrieve an entity',
    query: expandEntity,
    answer: entity,
    example: { answer: examples.entity },
  }),
  updateEntity: endpoint({
    method: 'PUT',
    path: '/entities/:ent_id',
    summary: 'Add details to an entity',
    description:
      'Adds missing details. A detail that already has a value cannot be changed, unless the person entered it in the flow and no code or identity verification has confirmed it yet. Replaces `metadata`.',
    query: expandEntity,
    body: changedEntity,
    answer: entity,
    errors: [
      'UNAUTHORIZED_VERIFICATION_METHOD',
      'ENTITY_UPDATE_RESTRICTED',
      'ENTITY_UPDATE_DISABLED',
      'ENTITY_UPDATE_INVALID',
      'ENTITY_UPDATE_UNSUPPORTED',
    ],
    example: { request: { individual: { dob: '1988-04-09' } }, answer: examples.entity },
  }),
  changeEntityConsent: endpoint({
    method: 'POST',
    path: '/entities/:ent_id/consent',
    summary: 'Withdraw or grant consent',
    description:
      'Withdrawing consent disables the entity and its accounts, and deletes their data. Granting consent enables the entity again, but does not restore its data. Its old accounts stay disabled.',
    body: consentInput('entity_withdrew_consent'),
    answer: entity,
    errors: ['ENTITY_CONSENT_ALREADY_WITHDRAWN', 'ENTITY_CONSENT_ALREADY_GRANTED', 'ENTITY_HAS_PAYMENTS_IN_PROGRESS'],
    example: { request: { type: 'withdraw', reason: 'entity_withdrew_consent' }, answer: withdrawnEntity },
  }),
}

const path = '/entities/:ent_id/verification_sessions'
const methodError = `must be one of: ${sessionMethods.join(', ')}. A session with the method element or opal begins when the person opens the frame`
const head = { type: z.enum(['phone', 'identity']), method: z.enum(sessionMethods, methodError) }

export const sessions = {
  createEntityVerificationSession: endpoint({
    method: 'POST',
    path,
    summary: 'Create an entity verification session',
    description:
      'Send `type`, `method` and the block for the method. `sms` texts a code. `byo_sms` records the time of your own verification, which must not be in the future, and the session is verified immediately. `phone_proof_days` counts from that time. `sna` returns URLs to open on the handset. `kba` returns questions. `byo_kyc` records your own identity verification. A session expires after ten minutes.',
    body: z.object({ ...head, ...requestBlocks('start') }),
    answer: entityVerificationSession,
    errors: [
      'INVALID_ENTITY_TYPE',
      'EXISTING_VERIFIED_SESSION',
      'UNAUTHORIZED_VERIFICATION_METHOD',
      'MISSING_PHONE_VERIFICATION',
      'MISSING_IDENTITY_MATCH',
      'ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS',
      'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED',
    ],
    example: {
      request: { type: 'phone', method: 'sms', sms: smsMethod.example.start },
      answer: examples.entitySession,
    },
  }),
  listEntityVerificationSessions: endpoint({
    method: 'GET',
    path,
    summary: "List an entity's verification sessions",
    query: paging,
    answer: entityVerificationSession,
    shape: 'list',
    example: { answer: [examples.entitySession] },
  }),
  retrieveEntityVerificationSession: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Retrieve a verification session',
    answer: entityVerificationSession,
    example: { answer: examples.entitySession },
  }),
  updateEntityVerificationSession: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    summary: 'Update a verification session',
    description:
      "Send the code, or the answers to the questions. For `sna`, call this endpoint after the handset has opened the URLs. A failed attempt sets the session's `error` to 19002, 19003 or 19004. Requests that are invalid (400) or could not be checked (503) do not count as attempts.",
    body: z.object({ ...head, ...requestBlocks('answer') }),
    answer: entityVerificationSession,
    errors: ['EXISTING_VERIFIED_SESSION', 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'],
    example: {
      request: { type: 'phone', method: 'sms', sms: smsMethod.example.answer },
      answer: { ...examples.entitySession, status: 'verified', sms: smsMethod.example.block },
    },
  }),
}

export const entityFamily: Family = {
  name: 'Entities',
  about:
    'People and corporations. A person is `active` once their phone and identity are verified; a corporation is `active` immediately.',
  endpoints: entities,
}

export const entitySessionFamily: Family = {
  name: 'Entity verification',
  about: 'Verify the phone and the identity of an entity.',
  endpoints: sessions,
}
