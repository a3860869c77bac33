/** An in-memory fake of the service's session calls, with one person who can complete the whole flow. */
import { problemsOf, shortfall, suggestAllocations } from '@causeway/contract/allocations'
import type { RedeemAnswer, SessionErrorBody, SessionView, StepError } from '@causeway/contract/session'
import { chase, gallery, terms } from './fixtures.js'

interface Answer {
  status: number
  body: SessionView | RedeemAnswer | SessionErrorBody
}
export type Fake = (method: string, path: string, body: unknown) => Answer

const in_ = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
const refuse = (status: number, sub_type: string, view?: SessionView): Answer => ({
  status,
  body: { error: { type: 'INVALID_REQUEST', code: status, sub_type, message: sub_type }, ...(view ? { view } : {}) },
})

export function createFake(): Fake {
  let revision = 1
  let polls = 0
  let view: SessionView = gallery.consent['plain']!
  const errors = (...list: [string | null, string, Record<string, number | string>][]): StepError[] =>
    list.map(([field, code, values]) => ({ field, code, values }))
  const go = (next: SessionView, wrong: StepError[] = []): Answer => {
    revision += 1
    const event = { type: 'balance_transfer.step.started', timestamp: in_(0), data: { step: next.step } }
    view = { ...next, revision, errors: wrong, events: wrong.length > 0 ? [] : [event] }
    return { status: 200, body: view }
  }
  const code = () => {
    const plain = gallery.code['plain'] as Extract<SessionView, { step: 'code' }>
    return { ...plain, data: { ...plain.data, resend_at: in_(24) } }
  }

  return (method, path, body) => {
    if (path === '/s/redeem') return { status: 200, body: { bearer: 'dev', view } }
    if (method === 'GET') {
      if (view.step === 'discovering' && ++polls > 1)
        return polls === 2
          ? go(gallery.discovering['asking']!)
          : polls < 4
            ? { status: 200, body: view }
            : go(gallery.selection['empty']!)
      return { status: 200, body: { ...view, events: [] } }
    }
    const { revision: sent, input } = body as { revision: number; input: Record<string, unknown> }
    if (sent !== revision) return refuse(409, 'STALE_REVISION', view)
    return step(input)
  }

  function step(input: Record<string, unknown>): Answer {
    if (input['action'] === 'back')
      return go(
        view.step === 'code'
          ? gallery.phone['empty']!
          : view.step === 'review'
            ? gallery.allocation['plain']!
            : gallery.selection['plain']!,
      )
    if (input['action'] === 'not_me') return go(gallery.blocked['not_me']!)
    switch (view.step) {
      case 'consent':
        return go(gallery.phone['plain']!)
      case 'phone':
        return go(input['silent'] ? gallery.code['silent']! : code())
      case 'code':
        if (input['action'] === 'change') return go(gallery.phone['empty']!)
        if (input['action'] === 'resend') return go(code())
        return input['code'] === '000000'
          ? go(view, errors(['code', 'incorrect', { tries_left: 4 }]))
          : go(gallery.details['plain']!)
      case 'details':
        return go(gallery.questions['plain']!)
      case 'questions':
        return go(gallery.discovering['plain']!)
      case 'selection': {
        const chosen = input['accounts'] as string[]
        const { data } = view
        const next = {
          ...view,
          data: { ...data, accounts: data.accounts.map(a => ({ ...a, selected: chosen.includes(a.id) })) },
        }
        const missing = shortfall(
          next.data.accounts.filter(a => a.selected),
          terms,
        )
        return missing ? go(next, errors([null, 'shortfall', { shortfall: missing }])) : go(gallery.number['plain']!)
      }
      case 'number':
        if (input['action'] === 'skip') {
          const allocations = suggestAllocations([chase], terms, 'highest_rate')
          const base = gallery.allocation['infeasible'] as Extract<SessionView, { step: 'allocation' }>
          return go({ ...base, data: { ...base.data, allocations } })
        }
        return String(input['number']).endsWith('0342')
          ? go(gallery.allocation['plain']!)
          : go(view, errors(['number', 'incorrect', { tries_left: 2 }]))
      case 'allocation': {
        const allocations = input['allocations'] as Record<string, number>
        const wrong = problemsOf(allocations, view.data.accounts, terms)
        if (wrong.length)
          return go(
            { ...view, data: { ...view.data, allocations } },
            errors(
              ...wrong.map(
                p =>
                  ['account' in p ? p.account : null, p.code, {}] as [
                    string | null,
                    string,
                    object & Record<string, never>,
                  ],
              ),
            ),
          )
        const base = gallery.review['plain'] as Extract<SessionView, { step: 'review' }>
        return go({ ...base, data: { ...base.data, allocations } })
      }
      case 'review': {
        const base = gallery.done['plain'] as Extract<SessionView, { step: 'done' }>
        return go({
          ...base,
          data: { ...base.data, allocations: view.data.allocations },
          accounts: Object.keys(view.data.allocations),
        })
      }
      case 'done':
        return go(gallery.allocation['plain']!)
      default:
        return go(gallery.discovering['plain']!)
    }
  }
}
