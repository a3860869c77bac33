import { afterEach, describe, expect, it } from 'vitest'
import { MailError, type Message } from '../../platform/outbound/mail.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const sent: Message[] = []
let failures: Error[] = []
const mail = {
  async send(message: Message) {
    const failure = failures.shift()
    if (failure) throw failure
    sent.push(message)
  },
}
const service = await testService({ mail })
const bank = lender(service)
const email = {
  types: ['payments.created.previous_day', 'ach.pull.upcoming'],
  delivery_methods: ['email'],
  recipients: ['quillonia@abernathwaite.example', 'ops@northwind.example'],
}

/** Advances the clock by a day, and waits for the jobs that are then due. */
async function nextDay() {
  await bank.must('POST', '/simulate/clock', { advance: 'P1D' })
  await service.settle()
}
afterEach(async () => {
  const { data } = (await bank.must('GET', '/report_schedules')) as unknown as { data: { id: string }[] }
  for (const { id } of data) await bank.must('DELETE', `/report_schedules/${id}`)
  sent.length = 0
  failures = []
})

describe('a schedule with email', () => {
  it('sends each report once to all recipients, with the file', async () => {
    await bank.must('POST', '/report_schedules', { ...email, cron: '0 8 * * *' })
    await nextDay()
    expect(sent.map(({ subject }) => subject).sort()).toEqual([
      expect.stringMatching(/^Report ach\.pull\.upcoming of 2026-03-0\d$/),
      expect.stringMatching(/^Report payments\.created\.previous_day of 2026-03-0\d$/),
    ])
    for (const { id, to, text, attachment } of sent) {
      expect(to).toEqual(email.recipients)
      expect(text).toContain(`/reports/${id}/download`)
      const { text: file } = await bank.call('GET', `/reports/${id}/download`)
      expect(attachment).toEqual({ name: `${id}.csv`, type: 'text/csv; charset=utf-8', text: file })
    }
  })

  it.each([
    ['no recipients', { ...email, recipients: null }],
    ['an empty list of recipients', { ...email, recipients: [] }],
  ])('is rejected with %s', async (_name, body) => {
    expect(await bank.rejection('POST', '/report_schedules', body)).toBe('INVALID_REQUEST')
  })

  it('cannot be made from a schedule without recipients', async () => {
    const { id } = await bank.must('POST', '/report_schedules', { types: email.types, delivery_methods: ['webhook'] })
    const add = { delivery_method: 'email' }
    expect(await bank.rejection('POST', `/report_schedules/${id}/delivery_methods`, add)).toBe('INVALID_REQUEST')
    await bank.must('POST', `/report_schedules/${id}/recipients`, { recipient: 'ops@northwind.example' })
    await bank.must('POST', `/report_schedules/${id}/delivery_methods`, add)
  })

  it('sends the message again, with the same id, if the server did not answer', async () => {
    await bank.must('POST', '/report_schedules', { ...email, types: ['ach.pull.upcoming'], cron: '0 8 * * *' })
    failures = [new MailError('The mail server did not accept the message: ETIMEDOUT.', false)]
    await nextDay()
    expect(sent).toEqual([])
    await nextDay()
    const ids = sent.map(({ id }) => id)
    expect(new Set(ids).size).toBe(2)
  })

  it('gives up a message that the server refuses, and logs no address', async () => {
    await bank.must('POST', '/report_schedules', { ...email, types: ['ach.pull.upcoming'], cron: '0 8 * * *' })
    failures = [new MailError('The mail server did not accept the message: 550.', true)]
    await nextDay()
    expect(sent).toEqual([])
    const lines = service.lines.filter(line => line.includes('report_mail_rejected'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toMatch(/abernathwaite|northwind/)
    const left = await service.store.reader
      .selectFrom('jobs')
      .select('id')
      .where('team_id', '=', service.team)
      .where('kind', '=', 'report.mail')
      .execute()
    expect(left).toEqual([])
  })

  // kills: removed-email-is-not-sent
  it('sends nothing if email is removed before the report is complete', async () => {
    const { id } = await bank.must('POST', '/report_schedules', { ...email, cron: '0 8 * * *' })
    const set = (delivery_methods: string) =>
      service.store.write(tx =>
        tx
          .updateTable('report_schedules')
          .set({ delivery_methods: delivery_methods as never })
          .where('team_id', '=', service.team)
          .where('id', '=', id)
          .execute(),
      )
    failures = [new Error('not yet'), new Error('not yet')]
    await nextDay()
    await set('["webhook"]')
    await nextDay()
    expect(sent).toEqual([])
  })
})
