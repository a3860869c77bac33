/** The button that releases a session's payments, or pays the accounts that the release could not pay. */
import type { OpalSession, Payment } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { accountId, sourceName } from '../../accounts.js'
import { Failure, sentenceOf } from '../../api.js'
import type { Load } from '../../load.js'
import type { Console } from '../../page.js'
import { confirm } from '../../parts/dialogs.js'
import { endedUnpaid } from '../../parts/marks.js'
import { isUsable, sourceField } from '../../parts/source-choice.js'
import { type Approval, may, type Source, type Sources } from '../../shapes.js'
import { words } from '../../words.js'
import { owedOf, retryPayments, unpaidOf } from '../payments/retry-payments.js'

const { session: text } = words

export interface Payout {
  console: Console
  session: OpalSession
  /** The session's payments that are loaded. */
  payments: readonly Payment[]
  /** The names of the accounts, keyed by id. */
  names: Record<string, string>
  sources: Load<Sources>
  /** A request about the session that waits for a second person. */
  waiting: Approval | undefined
  /** Reloads the page. */
  refresh: () => void
}

/** Why an action can't be used now, and the page where that can be changed. */
interface Blocked {
  text: string
  href: string
  link: string
}

const isReleasable = ({ bt }: OpalSession): boolean => bt?.completed === true && bt.payout_status === 'pending_release'

/** Returns true if a user can release the session's payments, or pay the rest of them. */
export const hasPayout = ({ session: user }: Console, session: OpalSession): boolean =>
  may(user, 'payments') && (session.bt?.unpaid !== undefined || isReleasable(session))

function blockedBy({ waiting, sources: { value } }: Payout): Blocked | null {
  if (waiting)
    return { text: words.approvals.blocked, href: `/approvals/${waiting.id}`, link: words.approvals.noteLink }
  if (!value || value.data.some(isUsable)) return null
  return { text: words.sources.blocked(value.data.length), href: '/settings', link: words.sources.open }
}

/** Renders the button, which is disabled, with the reason, if a request waits or no account can pay. */
export function payoutButton(payout: Payout): TemplateResult {
  const { console, session } = payout
  const { money } = console.format
  const cents = Object.values(session.bt?.allocations ?? {}).reduce((sum, each) => sum + each, 0)
  const label = session.bt?.unpaid ? text.rest.action(money(owedOf(session))) : text.releaseAction(money(cents))
  const blocked = blockedBy(payout)
  return html`<button
      class="btn go"
      ?disabled=${blocked !== null}
      aria-describedby=${blocked ? 'blocked' : nothing}
      @click=${() => void run(payout, label)}
    >${label}</button>${
      blocked
        ? html`<p class="blocked" id="blocked">${blocked.text} <a href=${blocked.href}>${blocked.link}</a></p>`
        : nothing
    }`
}

async function run(payout: Payout, label: string): Promise<void> {
  const { console, session, sources } = payout
  if (!sources.value) await sources.refresh()
  if (!sources.value) return console.say(sentenceOf(sources.failure))
  await (session.bt?.unpaid ? payRest : release)(payout, label, sources.value)
}

async function release({ console, session, refresh }: Payout, label: string, sources: Sources): Promise<void> {
  const { id, bt } = session
  const { field, only } = sourceField(sources, ({ is_default }) => (is_default ? words.sources.isDefault : ''))
  const done = await confirm({
    title: text.releaseTitle,
    body: text.releaseBody(Object.keys(bt?.allocations ?? {}).length, only && sourceName(only)),
    action: label,
    fields: field,
    run: async (values, { key, reason }) => {
      const body = { action: 'release_payments', data: { source: values.get('source') } }
      await console.api.send('POST', `/opal/sessions/${id}`, body, key, reason)
    },
  })
  if (!done) return
  console.say(text.say.released)
  refresh()
}

/** Returns the id of the account that paid the others, or null if nothing was paid. */
function payerOf({ payments }: Payout): string | null {
  const paid = payments.find(({ status }) => !endedUnpaid.has(status))
  return paid ? accountId(paid.source) : null
}

/** Pays the accounts that the release could not pay, by default from the account that paid the others. */
async function payRest(payout: Payout, label: string, sources: Sources): Promise<void> {
  const { console, session, names, refresh } = payout
  const payer = payerOf(payout)
  const noteOf = ({ id, is_default }: Source) =>
    id === payer ? words.sources.paidOthers : is_default ? words.sources.isDefault : ''
  const { field, only } = sourceField(sources, noteOf, payer)
  let outcome = ''
  const done = await confirm({
    title: text.rest.title,
    body: text.rest.body(unpaidOf(session).length, only && sourceName(only)),
    action: label,
    fields: html`${field}<label class="field"
        ><span>${words.dialog.reason}</span><input class="input" name="reason" required minlength="3" maxlength="200" autocomplete="off"
      /></label>`,
    run: async values => {
      const { refused, waiting } = await retryPayments(console.api, session.id, {
        reason: String(values.get('reason')).trim(),
        source: String(values.get('source')),
      })
      outcome = waiting.length > 0 ? text.rest.waiting(waiting.length) : text.rest.done
      if (refused.length === 0) return
      refresh()
      throw new Failure('refused', {
        message: text.rest.refused(
          refused.map(({ account, message }) => `${names[account] ?? account}: ${message}`).join(' '),
        ),
      })
    },
  })
  if (done) console.say(outcome)
  void console.renew()
  refresh()
}
