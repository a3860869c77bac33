/** A note that a request about a resource waits for a second person, where the request began. */
import { html, nothing } from 'lit'
import type { Load } from '../load.js'
import type { Console } from '../page.js'
import type { Approval } from '../shapes.js'
import { words } from '../words.js'
import { titleOf } from './approval-text.js'
import { icon } from './icons.js'

const { approvals: text } = words

/** The requests that a page is about: of a resource, of a session's payments, or of an action without a resource. */
type Scope = { resource_id: string } | { session_id: string } | { action: Approval['action'] }

export class ApprovalNote {
  private readonly waiting: Load<{ data: Approval[] }>
  private rows: readonly Approval[] = []

  constructor(waiting: Load<{ data: Approval[] }>) {
    this.waiting = waiting
  }

  /** True if a request waits. The action that began it is not offered again. */
  get isWaiting(): boolean {
    return this.rows.length > 0
  }

  /** The latest request that waits. */
  get latest(): Approval | undefined {
    return this.rows[0]
  }

  draw(console: Console, scope: Scope): unknown {
    const { api, session, format } = console
    this.rows = []
    if (session.approvals_waiting === 0) return nothing
    const query = 'action' in scope ? {} : scope
    this.waiting.read(JSON.stringify(scope), signal => api.get('/console/approvals', query, signal))
    this.rows = (this.waiting.value?.data ?? []).filter(row => !('action' in scope) || row.action === scope.action)
    return this.rows.map(row => {
      const name = row.can.withdraw ? text.you : (row.asked_by.name ?? text.unnamed)
      return html`<p class="stale approval-note" role="status">
        ${icon('clock')}<span>${text.note(name, titleOf(console, row), format.text(row.created_at, 'moment'))}</span>
        <a href="/approvals/${row.id}">${text.noteLink}</a>
      </p>`
    })
  }
}
