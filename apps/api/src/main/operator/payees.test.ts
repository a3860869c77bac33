// kills: payee-needs-a-second-person
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RailAccount } from '@causeway/connector/ports/rail'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { masterKey, type TestService, testService } from '../../testing/service.js'
import type { Config } from '../config.js'
import { payeeCommands } from './payees.js'

let service: TestService
let customer: ReturnType<typeof lender>
let folder: string
let file: string
/** The destinations that the rail received, by payment. */
const destinations: RailAccount[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-payees-'))
  file = join(folder, 'payees.csv')
  service = await testService({
    paysByDirectory: true,
    ports: ports => ({
      ...ports,
      rail: {
        ...ports.rail,
        accepts: async ({ destination }) =>
          destination.payee ? { accepted: true } : { accepted: false, sub_type: 'PAYMENT_REFUSED_BY_RAIL' },
        async submit(call) {
          destinations.push(call.destination)
          return ports.rail.submit(call)
        },
      },
    }),
  })
  customer = lender(service)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service.stop()
})

const bank = { name: 'bank', capabilities: () => ({ routes: ['ach', 'check'] }) }
const config = {
  masterKey,
  routes: new Map([['rail/submit', 'bank']]),
  providers: [{ provider: bank, settings: {} }],
} as unknown as Config
const run = (command: string, ...args: string[]) =>
  payeeCommands[command]!(service.store, config, Date.now(), args) as Promise<
    Record<string, unknown> & { lines: Record<string, unknown>[] }
  >
const importFile = (text: string | Buffer, ...args: string[]) => {
  writeFileSync(file, text)
  return run('import', file, '--by', 'Ana Diaz', ...args)
}
const list = () => run('list') as unknown as Promise<Record<string, unknown>[]>

describe('an import', () => {
  it('reports each line, and proposes nothing if a line is invalid', async () => {
    const answer = await importFile(
      'merchant,route,routing,account,sec\nmch_1,ach,021000021,number,ccd\nmch_2,ach,12,number,ccd\nmch_1,check,,,\n',
    )
    expect(answer).toMatchObject({ ok: false, proposed: 0, invalid: 2 })
    expect(answer.lines).toEqual([
      { line: 2, merchant: 'mch_1', result: 'would be proposed' },
      {
        ...{ line: 3, merchant: 'mch_2', result: 'invalid' },
        problems: ['routing must be nine digits with a correct check digit'],
      },
      { line: 4, merchant: 'mch_1', result: 'invalid', problems: expect.any(Array) },
    ])
    expect(await list()).toEqual([])
  })

  it('shows with --dry-run what it would propose', async () => {
    const answer = await importFile(
      'merchant,route,routing,account,sec\nmch_1,ach,021000021,123456789,ccd\n',
      '--dry-run',
    )
    expect(answer).toMatchObject({ ok: true, proposed: 0, lines: [{ result: 'would be proposed' }] })
    expect(await list()).toEqual([])
  })

  it.each([
    ['merchant,route,iban\nmch_1,ach,1\n', /has unknown columns: iban/],
    ['merchant\nmch_1\n', /lacks the columns route/],
    ['merchant,route\n', /has no rows/],
    ['merchant,route\n"mch_1,ach\n', /is not valid CSV/],
    ['merchant,route,note,note\nmch_1,ach,a,b\n', /names columns more than once: note/],
    ['mch_1,ach,021000021,1,ccd\n', /has no header/],
    [Buffer.from('\ufeffmerchant,route\nmch_1,ach\n', 'utf16le'), /Save it as CSV UTF-8/],
    [Buffer.from('merchant,route\nmch_1,ach\n', 'utf16le'), /Save it as CSV UTF-8/],
    [Buffer.from('merchant,route,note\nmch_1,ach,caf\u00e9\n', 'latin1'), /Save it as CSV UTF-8/],
  ])('of %j is rejected', async (text, message) => {
    await expect(importFile(text)).rejects.toThrow(message)
  })

  it('needs the name of the person who runs it', async () => {
    await expect(run('import', file)).rejects.toThrow('Add --by NAME')
    await expect(run('import', file, '--by', '007')).rejects.toThrow('must contain a letter')
    await expect(run('import', file, '--by', '\u0410na Diaz')).rejects.toThrow('must not mix scripts')
  })

  it('may start with a byte order mark', async () => {
    const text = '\ufeffmerchant,route,routing,account,sec\nmch_1,ach,021000021,123456789,ccd\n'
    expect(await importFile(text, '--dry-run')).toMatchObject({ ok: true })
  })
})

it('a second person confirms all proposals at once', async () => {
  await importFile('merchant,route,routing,account,sec\nmch_8,ach,021000021,1,ccd\nmch_9,ach,021000021,2,ccd\n')
  expect(await run('confirm', 'all', '--by', 'Ana Diaz')).toMatchObject({ ok: false, confirmed: [] })
  const { confirmed } = await run('confirm', 'all', '--by', 'Ben Okafor')
  expect(confirmed).toHaveLength(2)
  expect((await list()).map(({ status }) => status)).toEqual(['active', 'active'])
  for (const id of confirmed as string[]) await run('remove', id, '--by', 'Ana Diaz')
})

it('a merchant is paid as the directory says, after a second person confirms it', async () => {
  const source = (await customer.source()).id
  const { entity, accounts } = await customer.debts()
  const { id } = accounts[0]!
  const { mch_id } = accounts[0]!['liability'] as { mch_id: string }
  const pay = () => customer.call('POST', '/payments', { amount: 5_000, source, destination: id, description: 'x' })
  // The merchant has no payee yet.
  expect((await pay()).status).toBe(400)

  const { lines } = await importFile(
    `merchant,route,routing,account,sec,addenda,max_amount\n${mch_id},ach,021000021,987654321,ccd,{number},6000\n`,
  )
  const payee = lines[0]!['payee'] as string
  await expect(run('confirm', payee, '--by', ' ana DIAZ ')).rejects.toThrow('another person must confirm it')
  expect((await pay()).status).toBe(400)
  expect(await run('confirm', payee, '--by', 'Ben Okafor')).toMatchObject({ status: 'active', accounts_changed: 1 })
  await expect(run('confirm', payee, '--by', 'Ben Okafor')).rejects.toThrow('No proposed payee')

  expect((await pay()).status).toBe(200)
  await service.settle()
  expect(destinations.at(-1)?.holder).toEqual({ name: expect.stringMatching(/\w+ \w+/), kind: 'person' })
  expect(destinations.at(-1)?.payee).toMatchObject({ route: 'ach', routing: '021000021', account: '987654321' })
  const tooMuch = await customer.call('POST', '/payments', { amount: 6_001, source, destination: id, description: 'x' })
  expect(JSON.stringify(tooMuch.body)).toContain('MAX_AMOUNT_EXCEEDED')
  expect(JSON.stringify(tooMuch.body)).toContain('limit of the source or the destination')

  const [shown] = await list()
  expect(JSON.stringify(shown)).not.toContain('987654321')
  expect(
    await importFile(
      `merchant,route,routing,account,sec,addenda,max_amount\n${mch_id},ach,021000021,987654321,ccd,{number},6000\n`,
    ),
  ).toMatchObject({ unchanged: 1, proposed: 0 })

  expect(await run('remove', payee, '--by', 'Ana Diaz')).toMatchObject({ status: 'removed', accounts_changed: 1 })
  expect((await pay()).status).toBe(400)
  expect(entity).toBeTruthy()
})

// kills: payee-one-proposal
describe('a later proposal for a merchant', () => {
  const propose = async (account: string) => {
    const { lines } = await importFile(`merchant,route,routing,account,sec\nmch_99,ach,021000021,${account},ccd\n`)
    return String(lines[0]!['payee'])
  }
  const statuses = async () =>
    (await list()).filter(({ mch_id }) => mch_id === 'mch_99').map(({ id, status }) => [id, status])

  it('replaces the earlier one, which can no longer be confirmed', async () => {
    const [earlier, later] = [await propose('1001'), await propose('1002')]
    expect(await statuses()).toEqual([[later, 'proposed']])
    const audit = await service.store.reader
      .selectFrom('audit')
      .select('action')
      .where('resource_id', '=', earlier)
      .execute()
    expect(audit.map(({ action }) => action)).toContain('payee.replace')
    await expect(run('confirm', earlier, '--by', 'Ben Okafor')).rejects.toThrow('was replaced by a later one')
    expect(await run('confirm', 'all', '--by', 'Ben Okafor')).toMatchObject({ confirmed: [later] })
  })

  it('is the only active payee if two people confirm both at the same time', async () => {
    for (let round = 0; round < 4; round++) {
      const [earlier, later] = [await propose(`20${round}1`), await propose(`20${round}2`)]
      const answers = await Promise.allSettled(
        [earlier, later, later].map((id, index) => run('confirm', id, '--by', `Ben Okafor ${index}`)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
      expect(await statuses()).toEqual([[later, 'active']])
    }
  })
})
