/**
 * Events that screens dispatch to send requests to the app. Screens never make calls themselves. The events bubble
 * within the document and never leave it.
 */
import type { AllocationTotals } from '@causeway/contract/frame'
import type { AnyInput, Outcome } from './frame-client.js'

export class StepRequest extends Event {
  static readonly type = 'step-request'
  readonly input: AnyInput
  constructor(input: AnyInput) {
    super(StepRequest.type, { bubbles: true })
    this.input = input
  }
}

/** Requests an exit. The reason depends on the app's state, not on which button was pressed. */
export class ExitRequest extends Event {
  static readonly type = 'exit-request'
  constructor() {
    super(ExitRequest.type, { bubbles: true })
  }
}

/** Reports that the person changed the amounts. */
export class TotalsChange extends Event {
  static readonly type = 'totals-change'
  readonly totals: AllocationTotals
  constructor(totals: AllocationTotals) {
    super(TotalsChange.type, { bubbles: true })
    this.totals = totals
  }
}

/** Reports that a screen with several pages switched to another page. */
export class PageChange extends Event {
  static readonly type = 'page-turn'
  /** True if the page should start at its top, rather than at an error. */
  readonly fromTop: boolean
  constructor(fromTop = true) {
    super(PageChange.type, { bubbles: true })
    this.fromTop = fromTop
  }
}

/** Requests the person's data. `done` receives the response. */
export class DownloadRequest extends Event {
  static readonly type = 'download-request'
  readonly done: (outcome: Outcome<unknown>) => void
  constructor(done: (outcome: Outcome<unknown>) => void) {
    super(DownloadRequest.type, { bubbles: true })
    this.done = done
  }
}

/** A message to announce in the live region. */
export class Announcement extends Event {
  static readonly type = 'announcement'
  readonly text: string
  constructor(text: string) {
    super(Announcement.type, { bubbles: true })
    this.text = text
  }
}

declare global {
  interface HTMLElementEventMap {
    'step-request': StepRequest
    'exit-request': ExitRequest
    'totals-change': TotalsChange
    'page-turn': PageChange
    'download-request': DownloadRequest
    announcement: Announcement
  }
}
