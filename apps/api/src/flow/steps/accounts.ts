import { z } from 'zod'
import { approveAccounts } from '../../people/products/new-account.js'
import { parse } from '../../platform/http/body.js'
import { transact } from '../../platform/scope.js'
import { asksFuture, eligible } from '../sessions/facts.js'
import { saveProgress } from '../sessions/store.js'
import { fine, type Handler, say, wrong } from './call.js'
import { prove } from './prove.js'

export const selection: Handler = async (call, input) => {
  const { facts } = call
  const open = eligible(facts)
  const ids = [...new Set(parse(z.array(z.string().max(64)).max(500), input['accounts'] ?? [], 'accounts'))]
  const future = asksFuture(facts) && parse(z.boolean(), input['future_accounts'] ?? false, 'future_accounts')
  const wanted = facts.config.kind === 'all' ? open.map(found => found.row.id) : ids
  if (wanted.length === 0) return wrong('accounts', 'none_selected')
  if (facts.config.kind === 'single' && wanted.length > 1) return wrong('accounts', 'one_only')
  const refused = wanted.find(id => !open.some(found => found.row.id === id))
  if (refused !== undefined) return wrong('accounts', 'not_eligible')
  await transact(call.scope.deps, call.scope.team, async tx => {
    await approveAccounts(tx, wanted)
    await saveProgress(tx, call.session, progress => ({
      selected: wanted,
      future,
      choosing: false,
      dropped: Object.fromEntries(Object.entries(progress.dropped).filter(([, why]) => why === 'refused')),
      // Amounts that were split among other accounts say nothing of these.
      draft: sameOnes(wanted, progress.selected) ? progress.draft : null,
      reviewing: false,
    }))
    await say(call, tx, { type: 'connect.accounts.selected', data: { entity_id: facts.entity.id, accounts: wanted } })
  })
  return fine
}

const sameOnes = (ids: readonly string[], before: readonly string[] | null) =>
  ids.length === before?.length && ids.every(id => before.includes(id))

export const number: Handler = prove('standard', 'number_refused', input => {
  const digits = typeof input['number'] === 'string' ? input['number'].replace(/[\s-]/g, '') : ''
  if (digits === '') return wrong('number', 'required')
  if (!/^\d{4,25}$/.test(digits)) return wrong('number', 'invalid')
  return { number: digits }
})
