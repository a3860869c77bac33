import type { Causeway } from '@causeway/sdk'
import { funding } from './sandbox/inputs.js'

const PURPOSE = 'northwind-funding'

/**
 * Sets the lender's name and pages, which the frame shows, and the description of its payments.
 * @param origin the origin of this site
 */
export async function updateBrand(causeway: Causeway, origin: string): Promise<void> {
  const brand = { name: 'Northwind Lending', support_url: `${origin}/help`, privacy_url: `${origin}/privacy` }
  await causeway.team.update({ brand, payment_description: 'Northwind' })
}

/**
 * Returns the id of the ACH account that pays out loans. If the account doesn't exist, creates it with the lender's
 * company as the holder.
 */
export async function findFundingAccount(causeway: Causeway): Promise<string> {
  for await (const account of await causeway.accounts.list({ type: 'ach', status: 'active' }))
    if (account.metadata?.['purpose'] === PURPOSE) return account.id

  const metadata = { purpose: PURPOSE }
  const company = await causeway.entities.create({
    type: 'corporation',
    corporation: funding.company,
    address: funding.address,
    metadata,
  })
  const account = await causeway.accounts.create({ holder_id: company.id, ach: funding.ach, metadata })
  return account.id
}
