import type { CreditReports } from '@causeway/connector/ports/credit-reports'
import { debtAt } from './debt-history.js'
import { findDebt, maskOf } from './liabilities.js'
import type { World } from './products/answer.js'
import { productOf } from './tables/institutions.js'
import type { Person } from './tables/people.js'
import { snapshotTime } from './updates.js'

/** Small, so that a report has several parts. */
const PART_BYTES = 512

/** Returns a person's report as of the start of the month. */
const reportOf = (person: Person, bureau: string, now: number) => ({
  bureau,
  report_date: new Date(snapshotTime(now)).toISOString().slice(0, 10),
  subject: person.reference,
  tradelines: person.debts.flatMap(reference => {
    const debt = findDebt(reference)
    if (!debt) return []
    const { balance, closed_at = null } = debtAt(debt, snapshotTime(now))
    const { name, type } = productOf(debt)
    return [{ creditor_name: name, type, number: debt.number ?? maskOf(debt), balance, closed_at }]
  }),
})

/** Returns a PDF with a page of these lines, which contain neither parentheses nor backslashes. */
function drawPdf(lines: readonly string[]): string {
  const text = `BT /F1 10 Tf 14 TL 50 760 Td ${lines.map(line => `(${line}) Tj T*`).join(' ')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  ]
  let body = '%PDF-1.4\n'
  const positions = objects.map((object, index) => {
    const position = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return position
  })
  const rows = positions.map(position => `${String(position).padStart(10, '0')} 00000 n \n`).join('')
  return `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
}

/** Answers with the debts of the people in the sandbox. */
export const createCreditReports = (world: World): CreditReports => ({
  async creditReport({ person: reference, bureau, artifact, offset, now }) {
    const person = await world.person(reference)
    if (!person) return { status: 'failed', code: 24001 }
    if (person.fails) return { status: 'failed', code: person.fails }
    const report = reportOf(person, bureau, now)
    const isPdf = artifact === 'credit_report_pdf'
    const printed = isPdf
      ? drawPdf([
          `Sandbox credit report of ${report.report_date}, ${bureau}`,
          ...report.tradelines.map(
            ({ creditor_name, balance }) => `${creditor_name.replace(/[()\\]/g, ' ')}: ${balance / 100} USD`,
          ),
        ])
      : JSON.stringify(report)
    const bytes = Buffer.from(printed)
    const end = offset + PART_BYTES
    return {
      status: 'completed',
      mime_type: isPdf ? 'application/pdf' : 'application/json',
      content: bytes.subarray(offset, end).toString('base64'),
      next: end < bytes.length ? end : null,
    }
  },
})
