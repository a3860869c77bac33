/** A note that a request about a resource waits for a second person, where the request began. */
import { html, nothing } from 'lit'
import type { Load } from '../load.js'
import type { Console } from '../page.js'
import type { Approval } from '../shapes.js'
import { words } from '../words.js'
import { titleOf } from './approval-text.js'
import { icon } from './icons.js'

const { approvals: text } = words

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

  /** @param resource the id of the resource, or an action that concerns no resource */
  draw(console: Console, resource: string): unknown {
    const { api, session } = console
    this.rows = []
    if (session.approvals_waiting === 0) return nothing
    const isAction = resource.includes('.')
    this.waiting.read(resource, signal =>
      api.get('/console/approvals', isAction ? {} : { resource_id: resource }, signal),
    )
    this.rows = (this.waiting.value?.data ?? []).filter(({ action }) => !isAction || action === resource)
    return this.rows.map(
      row =>
        html`<p class="stale approval-note" role="status">
          ${icon('clock')}<span>${text.note}: ${titleOf(console, row)}</span>
          <a href="/approvals/${row.id}">${text.noteLink}</a>
        </p>`,
    )
  }
}
