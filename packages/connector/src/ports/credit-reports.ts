import type { artifacts, reportBureaus } from '@causeway/contract/resources/file'
import type { Failure, PortCall } from './call.js'

/** The credit reports that bureaus return about people. */
export interface CreditReports {
  /**
   * Returns a part of a report, as base64. `offset` is the part's position in the report, in bytes. Every part of one
   * `request_id` is of the same report. `next` is the position of the following part; null if this is the last one.
   */
  creditReport(
    call: PortCall & {
      person: string
      bureau: (typeof reportBureaus)[number]
      artifact: (typeof artifacts)[number]
      offset: number
    },
  ): Promise<
    | { status: 'completed'; mime_type: string; content: string; next: number | null }
    | Failure
    | { status: 'unavailable' }
  >
}
