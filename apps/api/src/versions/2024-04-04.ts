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
  notes: [
    {
      resource: 'CardBrand',
      in: 'answer',
      says: 'A brand says its own `card_product_id`, `description`, `issuer`, `network`, `network_tier` and `type`. Before, `network` and `issuer` stood beside `brands`, and a brand was `{ id, art_id, name, url }`.',
    },
    {
      resource: 'Product',
      in: 'answer',
      says: 'A product is told apart by its name. Before, it had an `id` too.',
    },
  ],
}
