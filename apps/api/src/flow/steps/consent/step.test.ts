import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOAN, Person, someone, transferToken } from '../../../testing/frame.js'
import { type TestService, testService } from '../../../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

const codes = (person: Person) => person.view.errors.map(error => [error.field, error.code])
const arrive = async (phone: string) => {
  const { element_token } = await transferToken(service, await someone(service, phone), LOAN)
  return Person.arrive(service, element_token)
}

describe('consent', () => {
  it('takes all documents in their versions, and keeps what was agreed to and in which language', async () => {
    const person = await arrive('+15125550101')
    const { documents } = person.data('consent')
    expect(documents.map(document => document.id)).toEqual([
      'esign',
      'account_data',
      'credit_report',
      'text_messages',
      'privacy',
    ])
    for (const given of [[], documents.slice(1), documents.map(document => ({ ...document, version: '1999-01-01' }))]) {
      await person.send({ action: 'accept', documents: given, locale: 'en' })
      expect([person.view.step, codes(person)]).toEqual(['consent', [['documents', 'changed']]])
    }
    await person.send({ action: 'accept', documents, locale: 'es' })
    expect(person.view.step).toBe('phone')
    const kept = await service.store.reader
      .selectFrom('consents')
      .selectAll()
      .where('session_id', '=', person.view.session_id)
      .execute()
    expect(kept.map(row => [row.document, row.version, row.locale])).toEqual(
      documents.map(document => [document.id, document.version, 'es']),
    )
  })
})
