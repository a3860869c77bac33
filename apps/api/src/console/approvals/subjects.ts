/** The people whose debts the requests pay that need a second person. */
import { findHolderNames } from '../../people/holders/holder-names.js'
import { type Deps, reading } from '../../platform/scope.js'
import type { User } from '../user.js'
import { type ApprovalRow, type Content, findSubjects } from './store.js'

interface Opened {
  readonly row: ApprovalRow
  readonly content: Content
}

/** Returns the id by which a request's person is found: of a session, a payment or an account. Null if it has none. */
function subjectOf({ row, content }: Opened): { kind: 'sessions' | 'payments' | 'accounts'; id: string } | null {
  const { destination } = content.request.body
  if (row.action === 'loan.release' && row.resource_id !== null) return { kind: 'sessions', id: row.resource_id }
  if (row.action === 'reversal.approve' && row.resource_id !== null) return { kind: 'payments', id: row.resource_id }
  return row.action === 'payment.create' && typeof destination === 'string'
    ? { kind: 'accounts', id: destination }
    : null
}

/** Returns a function that returns the person whose debts a request pays or paid; null if there is none. */
export async function subjectsOf(deps: Deps, { team }: User, all: readonly Opened[]) {
  const scope = reading(deps, team)
  const subjects = all.flatMap(each => subjectOf(each) ?? [])
  const idsOf = (kind: (typeof subjects)[number]['kind']) =>
    subjects.flatMap(subject => (subject.kind === kind ? subject.id : []))
  const people = await findSubjects(scope.db, team.id, {
    sessions: idsOf('sessions'),
    payments: idsOf('payments'),
    accounts: idsOf('accounts'),
  })
  const ids = [...people.values()].flatMap(id => id ?? [])
  const names = await findHolderNames(scope, [...new Set(ids)])
  return (each: Opened) => {
    const id = people.get(subjectOf(each)?.id ?? '') ?? null
    return id === null ? null : { id, name: names.get(id)?.name ?? null }
  }
}
