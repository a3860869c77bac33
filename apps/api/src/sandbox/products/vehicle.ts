import type { Vehicle } from '@causeway/contract/products/vehicle'
import { vehicles } from '../tables/registers.js'
import type { SandboxProductWith } from './answer.js'

export const vehicle: SandboxProductWith<'vehicles'> = {
  answers: world => ({
    async vehicles({ person: reference }) {
      const person = await world.person(reference)
      const owned: readonly Vehicle[] = vehicles[person?.phone ?? ''] ?? []
      return { status: 'completed', vehicles: [...owned] }
    },
  }),
}
