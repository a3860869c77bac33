import { z } from 'zod'
import { entity, record } from '../declaration/examples.js'
import { pointer } from '../fields/shared.js'
import { entityRecord, product, recordEnd } from './product.js'

const text = z.string().nullable()

export const vehicle = z.object({
  vin: text,
  year: text,
  make: text,
  model: text,
  series: text,
  major_color: text,
  style: text,
})
export type Vehicle = z.infer<typeof vehicle>
/** A person's vehicles. */
const vehicles = z.object({ ...entityRecord, vehicles: z.array(vehicle).nullable(), ...recordEnd })

const example = {
  id: 'vhl_4kYq8ZbT1mXd7',
  entity_id: entity.id,
  ...record,
  vehicles: [
    {
      vin: '1CWEXAMPL00000001',
      year: '2021',
      make: 'Subaru',
      model: 'Outback',
      series: 'Premium',
      major_color: 'Green',
      style: 'Wagon',
    },
  ],
}

export const vehicleProduct = product({
  holder: 'entity',
  name: 'vehicle',
  path: 'vehicles',
  prefixes: { vehicle: 'vhl_' },
  events: ['entity_vehicle.create', 'entity_vehicle.update'],
  resource: ['Vehicles', vehicles],
  pointers: { vehicle: pointer(vehicles).optional() },
  shares: 'vehicles',
  title: 'Vehicles',
  about: 'The vehicles of a verified person.',
  records: {
    ids: ['Vehicles', 'Vehicles'],
    one: 'vehicles',
    many: 'vehicles',
    example,
    create: { description: 'Waits up to ten seconds for the vehicle registry.' },
  },
})
