import { describe, expect, it } from 'vitest'
import { stopStarted } from '../cleanup.js'
import { Person, verify } from '../frame.js'
import { lender } from '../money.js'
import { createReceiver } from '../receiver.js'
import { type TestService, testService } from '../service.js'
import { createCanary } from './canary.js'

const SSN = '519283746'
const PHONE = '+15125550100'

/** Returns one value of each kind, and a service that has processed those values. */
async function lived(): Promise<{ service: TestService; values: Record<string, string> }> {
  const receiver = createReceiver()
  const service = await testService({ outbound: receiver.outbound })
  const post = async (path: string, body: unknown) =>
    (await service.call('POST', path, body)).body as { id: string } & Record<string, string>
  const { id } = await post('/entities', {
    type: 'individual',
    individual: { first_name: 'Kevin', last_name: 'Doyle', phone: PHONE, ssn: SSN, dob: '1980-05-05' },
    address: { line1: '8841 Zephyrine Court', city: 'Austin', state: 'TX', zip: '78705' },
  })
  const company = await post('/entities', { type: 'corporation', corporation: { name: 'Acme', ein: '918273645' } })
  const ach = { routing: '062103000', number: '880417266135', type: 'checking' }
  await post('/accounts', { holder_id: company.id, ach })
  await post('/secrets', { value: 'vlt-7f3a-forwarded-secret' })
  const url = 'https://a.example/hook'
  await post('/webhooks', {
    type: 'entity.create',
    url,
    auth_token: 'hook-token-55e1',
    hmac_secret: 'hook-secret-90bd',
  })
  const made = await post('/team/keys', {})
  const { element_token } = await post('/elements/token', {
    type: 'connect',
    entity_id: id,
    connect: { products: ['payment'] },
  })
  await service.call('GET', `/elements/token/${element_token}/results`)
  const person = await verify(service, await Person.arrive(service, element_token!))
  const [card] = person.data('selection').accounts.filter(account => account.status === 'needs_number')
  await person.send({ action: 'select', accounts: [card!.id] })
  await person.send({ action: 'submit', number: '4000000000090342' })
  const owner = await lender(service).verified('+15121231122')
  const { vehicles } = (await service.call('POST', `/entities/${owner}/vehicles`, {})).body as {
    vehicles: { vin: string }[]
  }
  const values = {
    vin: vehicles[0]!.vin,
    ssn: SSN,
    phone: PHONE,
    'date of birth': '1980-05-05',
    street: '8841 Zephyrine Court',
    ein: '918273645',
    'account number': ach.number,
    'card number': '4000000000090342',
    secret: 'vlt-7f3a-forwarded-secret',
    'token of a webhook': 'hook-token-55e1',
    'secret of a webhook': 'hook-secret-90bd',
    'key of the team': service.key,
    'new key': made['value']!,
    'element token': element_token!,
    bearer: person.bearer,
  }
  return { service, values }
}

const failure = (work: Promise<void>): Promise<Error> =>
  work.then(
    () => new Error('Nothing was found.'),
    error => error as Error,
  )

describe('a test service on shutdown', () => {
  // kills: code-recipients-are-hashed
  // kills: account-numbers-are-sealed
  // kills: events-hide-people
  // kills: keys-are-hashed
  // kills: vehicle-numbers-are-sealed
  it('finds nothing if nothing is in plain text', async () => {
    const { service } = await lived()
    await service.stop()
  })

  it('finds every kind of value in the database, the log and a URL', async () => {
    const { service, values } = await lived()
    const all = Object.entries(values)
    for (const [name, value] of all) {
      await service.store.write(tx =>
        tx
          .insertInto('settings')
          .values({ name, value: `it is ${value}.` })
          .execute(),
      )
      service.deps.log('info', value)
      await service.call('GET', `/entities?page_limit=1&canary=${encodeURIComponent(value)}`)
    }
    const { message } = await failure(service.stop())
    for (const [name, value] of all) {
      const found = message.split('\n').filter(line => line.endsWith(` ${value.slice(0, 6)}…`))
      const where = (text: string) => found.some(line => line.includes(text))
      expect([name, where('table settings'), where('a log line')]).toEqual([name, true, true])
      if (service.file !== null) expect([name, where("the file's bytes")]).toEqual([name, true])
      expect([name, where('the URL of a request')]).toEqual([name, true])
    }
  })

  it('finds values in an event, a webhook and the address of a call', async () => {
    const { service } = await lived()
    await service.call('PATCH', '/team', { forwarding_allow_list: ['https://a.example'] })
    const told = { type: 'individual', individual: { first_name: 'A', last_name: 'B' }, metadata: { told: PHONE } }
    await service.call('POST', '/webhooks', {
      type: 'entity.create',
      url: `https://a.example/${SSN}`,
      expand_event: true,
    })
    await service.call('POST', '/entities', told)
    await service.settle()
    const { message } = await failure(service.stop())
    expect(message).toContain('an event: phone +15125')
    expect(message).toContain('a webhook, or an address that is called: phone +15125')
    expect(message).toContain('a webhook, or an address that is called: ssn 519283')
  })

  it('finds a six-digit code in its log', async () => {
    const { service } = await lived()
    service.deps.log('info', 'code 123456 was typed')
    await expect(service.stop()).rejects.toThrow('a log line: code')
  })

  it('is also searched if its test leaves it running', async () => {
    const { service } = await lived()
    service.deps.log('info', 'code 123456 was typed')
    await expect(stopStarted('test')).rejects.toThrow('a log line: code')
  })
})

describe('a canary', () => {
  it('finds a value at the start, in the middle and at the end', () => {
    const canary = createCanary()
    canary.collect({ individual: { ssn: '519-28-3746' } })
    for (const text of ['519283746', 'x519283746', '519283746x', '519-28-3746'])
      expect(canary.find(text)).toHaveLength(1)
    expect(canary.find('51928374 6, 51928374')).toEqual([])
  })

  it('skips values so short that they would be found by chance', () => {
    const canary = createCanary()
    canary.collect({ ssn_4: '8261', zip: '78705', number: '12345678' })
    expect(canary.size).toBe(0)
  })
})
