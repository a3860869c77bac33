import type { Step } from './step.js'

type Brand = Record<string, unknown>

/** Product objects lost their id: their name is what tells them apart. A card's brands came to say what the card said. */
export const downTo202404: Step = {
  version: '2024-04-04',
  behaviours: ['product_ids'],
  keeps: { card_brand: ['last4'] },
  down: {
    card_brand({ brands, ...body }) {
      const list = (brands as Brand[] | undefined) ?? []
      return {
        ...body,
        network: list[0]?.['network'] ?? null,
        issuer: list[0]?.['issuer'] ?? null,
        brands: list.map(({ id, name, url }) => ({ id, art_id: id, name, url })),
      }
    },
  },
}
