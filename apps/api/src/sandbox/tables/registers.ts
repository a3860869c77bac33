/** Registry data about the people in the sandbox, keyed by phone number. Data only. */
import type { Candidate } from '@causeway/contract/products/identity'
import type { Vehicle } from '@causeway/contract/products/vehicle'

const doyle: Candidate = {
  first_name: 'KEVIN',
  last_name: 'DOYLE',
  phone: '+16505551115',
  dob: '1997-03-18',
  address: { address: '3300 N INTERSTATE 35', city: 'AUSTIN', state: 'TX', postal_code: '78705' },
  ssn: '111223333',
}

/**
 * The people who are registered with certain phone numbers. For any other phone number, the registry returns the
 * details that the person entered.
 */
export const candidates: Readonly<Record<string, readonly Candidate[]>> = {
  '+16505551115': [doyle, { ...doyle, ssn: '123456789' }],
}

/** Vehicles, keyed by the owner's phone number. People with other phone numbers own no vehicles. */
export const vehicles: Readonly<Record<string, readonly Vehicle[]>> = {
  '+15125550101': [
    {
      vin: '1CWSANDB0X0000101',
      year: '2021',
      make: 'Subaru',
      model: 'Outback',
      series: 'Premium',
      major_color: 'Green',
      style: 'Wagon',
    },
  ],
  '+15121231111': [
    {
      vin: '1CWSANDB0X0001111',
      year: '2022',
      make: 'Tesla',
      model: 'Model 3',
      series: 'Long Range',
      major_color: 'White',
      style: 'Sedan',
    },
  ],
  '+15121231122': [
    {
      vin: '1CWSANDB0X0001122',
      year: '2019',
      make: 'Toyota',
      model: 'RAV4',
      series: null,
      major_color: 'Silver',
      style: 'SUV',
    },
  ],
}

/** Reasons that a score isn't higher. Each score lists two reasons. */
export const factors: readonly { code: string; description: string }[] = [
  { code: '00012', description: 'Your oldest account was opened recently.' },
  { code: '00028', description: 'Balances are high compared with your card limits.' },
  { code: '00034', description: 'Few accounts have a long history of on-time payments.' },
  { code: '00041', description: 'Several companies requested your credit file in the past year.' },
]
