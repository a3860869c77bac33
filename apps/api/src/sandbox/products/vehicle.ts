import type { Vehicle } from '@causeway/contract/products/vehicle'
import { vehicles } from '../registers.js'
import type { Answering } from './answer.js'

export const vehicle: Answering<'vehicles'> = {
  answers: world => ({
    async vehicles({ person: reference }) {
      const person = await world.person(reference)
      const owned: readonly Vehicle[] = vehicles[person?.phone ?? ''] ?? []
      return { status: 'completed', vehicles: [...owned] }
    },
  }),
}
