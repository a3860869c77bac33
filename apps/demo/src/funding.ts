import type { Causeway } from '@causeway/sdk'
import { funding } from './sandbox/inputs.js'

const PURPOSE = 'northwind-funding'

/** Says how the frame names the lender, and what stands on a payment. */
export async function introduce(causeway: Causeway): Promise<void> {
  await causeway.team.update({ brand: { name: 'Northwind Lending' }, payment_description: 'Northwind' })
}

/** The ach account that pays out loans: the one that an earlier start made, or a new one of a company of ours. */
export async function findFunding(causeway: Causeway): Promise<string> {
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
