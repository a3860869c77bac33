import { z } from 'zod'
import { entity, record } from '../declaration/examples.js'
import { date } from '../fields/shared.js'
import { nameFaultOf } from '../values/name.js'
import { entityRecord, product, recordEnd } from './product.js'

const text = z.string().nullable()
const name = text.refine(value => value === null || nameFaultOf(value) === undefined)

export const candidate = z.object({
  first_name: name,
  last_name: name,
  phone: text,
  dob: date.nullable(),
  address: z.object({ address: text, city: text, state: text, postal_code: text }),
  ssn: text.describe('Nine digits, in full'),
})
export type Candidate = z.infer<typeof candidate>

/** All people who match an entity's details. */
const identity = z.object({ ...entityRecord, identities: z.array(candidate).nullable(), ...recordEnd })

const example = {
  id: 'idn_4kYq8ZbT1mXd5',
  entity_id: entity.id,
  ...record,
  identities: [
    {
      first_name: 'ANA',
      last_name: 'REYES',
      phone: '+12025550123',
      dob: '1988-04-09',
      address: { address: '1 ELM STREET', city: 'AUSTIN', state: 'TX', postal_code: '78705' },
      ssn: '987654321',
    },
  ],
}

export const identityProduct = product({
  holder: 'entity',
  name: 'identity',
  path: 'identities',
  prefixes: { identity: 'idn_' },
  events: ['identity.create', 'identity.update'],
  resource: ['Identity', identity],
  expanded: { identity: identity.nullable().optional().describe('Returned only if expanded') },
  shares: 'identity',
  title: 'Identities',
  about: 'The people who match the details of an entity, with full Social Security numbers. Each read is audited.',
  records: {
    ids: ['Identity', 'Identities'],
    one: 'identities',
    many: 'identities',
    scope: 'sensitive',
    example,
    create: { description: 'Requires a name and a phone, but not verification.' },
  },
})
