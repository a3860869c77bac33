import type { JobHandler } from '../../platform/jobs/jobs.js'
import { MailError } from '../../platform/outbound/mail.js'
import { findRow } from '../../platform/rows.js'
import type { Scope } from '../../platform/scope.js'
import { findReport, type ReportRow, readFile } from '../reports/store.js'
import { readLists } from './store.js'

/** The maximum length of an attached report, in characters. */
const MAX_ATTACHMENT_LENGTH = 5_000_000

/** Returns a report's file, or null if it is too long to attach. */
async function readAttachment(scope: Scope, file: string): Promise<string | null> {
  let text = ''
  for await (const part of readFile(scope, file)) {
    text += part
    if (text.length > MAX_ATTACHMENT_LENGTH) return null
  }
  return text
}

async function messageOf(scope: Scope, { id, type, file, created_at }: ReportRow) {
  const attached = await readAttachment(scope, file!)
  const day = new Date(created_at).toISOString().slice(0, 10)
  const where = `${scope.deps.apiOrigin}/reports/${id}/download`
  return {
    id,
    subject: `Report ${type} of ${day}`,
    text:
      attached === null
        ? `The report ${type} of ${day} is complete. It is too large to attach. Download it with a secret key: GET ${where}\n`
        : `The report ${type} of ${day} is attached. To download it again, use a secret key: GET ${where}\n`,
    attachment: attached === null ? undefined : { name: `${id}.csv`, type: 'text/csv; charset=utf-8', text: attached },
  }
}

const done = async () => undefined

/**
 * Sends a completed report to the recipients that its schedule has then. The message may be sent twice if the process
 * ends before the mail server's answer is stored; both have the same Message-ID.
 */
export const mailReport: JobHandler = {
  async run(scope, payload) {
    const { mail, log } = scope.deps
    const schedule = await findRow(scope, 'report_schedules', payload['schedule'] ?? '')
    const report = await findReport(scope, payload['report'] ?? '')
    if (!mail || !schedule || !report || report.file === null) return done
    const { delivery_methods, recipients: to } = readLists(scope, schedule)
    // mutant: removed-email-is-not-sent (false)
    const isUnwanted = !delivery_methods.includes('email')
    if (isUnwanted || to.length === 0) return done
    try {
      await mail.send({ ...(await messageOf(scope, report)), to })
    } catch (error) {
      if (!(error instanceof MailError && error.permanent)) throw error
      log('warn', 'report_mail_rejected', { team_id: scope.team.id, resource_id: report.id, fault: error.message })
    }
    return done
  },
  async exhausted({ deps, team }, payload) {
    deps.log('warn', 'report_mail_failed', { team_id: team.id, resource_id: payload['report'] })
    return undefined
  },
}
