import { expect, it } from 'vitest'
import { MAX_CPU_MS, measureCpuMs } from '../testing/cost.js'
import { mask } from './mask.js'

it('masks all but the last four digits of numbers, and leaves masked numbers unchanged', () => {
  expect(
    mask({
      number: '123456789012',
      phone: '+15125550123',
      account_number: '****6789',
      card_number: '12345',
      phones: [],
    }),
  ).toEqual({ number: '••••9012', phone: '••••0123', account_number: '••••6789', card_number: '••••', phones: [] })
})

it('leaves values that the request log redacted, and example numbers in error messages', () => {
  const shown = { number: '[redacted]', message: 'phone must be in E.164 form, such as +12025550123.' }
  expect(mask(shown)).toEqual(shown)
  expect(mask({ message: 'from +12025550124' })).toEqual({ message: 'from ••••0124' })
})

it('leaves attempt numbers and objects nested in a field named for a number unchanged', () => {
  const phone = { verified: true, latest_verification_session: 'evf_0000000000001', number: '+15125550123' }
  expect(mask({ number: 12, verification: { phone } })).toEqual({
    number: 12,
    verification: { phone: { ...phone, number: '••••0123' } },
  })
  expect(mask({ phones: ['+15125550123', { phone: '+15125550124', primary: true }] })).toEqual({
    phones: ['••••0123', { phone: '••••0124', primary: true }],
  })
})

it('hides an address given as text, and the street of a structured address', () => {
  expect(mask({ address: '17 Canary Street' })).toEqual({ address: '••••' })
  expect(mask({ address: { line1: '17 Canary Street', line2: null, city: 'Austin' } })).toEqual({
    address: { line1: '••••', line2: null, city: 'Austin' },
  })
})

it('replaces every value in metadata, data network records and knowledge questions', () => {
  const values = { born: '1988-04-09', tax: 123456789, phone: '512 555 0123', deep: [{ any: '17 Canary Street' }] }
  const shown = { born: '••••', tax: '••••', phone: '••••', deep: [{ any: '••••' }] }
  expect(mask({ metadata: { 'ana@reyes.example': 1 } })).toEqual({ metadata: { '••••': '••••' } })
  for (const name of ['metadata', 'plaid', 'mx', 'teller', 'questions'])
    expect(mask({ id: 'ent_1', [name]: values })).toEqual({ id: 'ent_1', [name]: shown })
})

it("masks the values of changed fields by the fields' names", () => {
  const change = (path: string, after: unknown) => ({ path, before: null, after })
  const changes = [
    change('metadata.note', 'met on Monday'),
    change('liability.number', '4111222233334444'),
    change('email', 'ann@lender.example'),
    change('bt.payout_status', 'released'),
    change('amount', 5_000),
  ]
  expect((mask({ changes }) as { changes: { after: unknown }[] }).changes.map(each => each.after)).toEqual([
    '••••',
    '••••4444',
    '••••',
    'released',
    5_000,
  ])
})

it('masks emails, SSNs and phones in other text, but not ids, codes, amounts and times', () => {
  const kept = { id: 'pmt_0000000000001', code: 'R01', amount: 123456789, at: '2026-03-02T15:00:00.000Z', ok: null }
  expect(
    mask({ ...kept, says: ['ana@reyes.example is +15125550123, 123-45-6789', 'call (512) 555-0124 or 512.555.0125'] }),
  ).toEqual({
    ...kept,
    says: ['•••• is ••••0123, ••••', 'call ••••0124 or ••••0125'],
  })
})

it('masks long runs of digits in other text, but not the numbers of banks and transfers', () => {
  for (const [text, masked] of [
    ['123456789', '••••'],
    ['SSN:123456789.', 'SSN:••••.'],
    ['5125550123', '••••0123'],
    ['+525512345678', '••••5678'],
    ['card 4111111111110342, thanks', 'card ••••0342, thanks'],
    ['loan-0012345678', 'loan-••••5678'],
  ])
    for (const field of ['description', 'message', 'excerpt'])
      expect(mask({ [field]: text })).toEqual({ [field]: masked })
  const kept = {
    text: '12345678, 1.123456789, 1767225600.123, pmt_123456789 and v1234567890',
    idempotency_key: '0f8fad5b-d9cb-469f-a165-708677289501',
    routing: '062103000',
    routing_number: '062103000',
    trace_id: '062103000000001',
    source_trace_id: '062103000000001',
    destination_trace_id: '062103000000001',
    returned_as: { code: 'R02', at: '2026-03-09T14:30:00.000Z', trace: '091000013372045' },
  }
  expect(mask(kept)).toEqual(kept)
})

it.each([
  ['SSN 123 45 6789.', 'SSN ••••.'],
  ['123.45.6789', '••••'],
  ['123–45–6789', '••••'],
  ['123\u201145\u20116789', '••••'],
  ['123\u221245 - 6789', '••••'],
  ['SSN123-45-6789', 'SSN••••'],
  ['SSN123456789', '••••'],
  ['123 456 789', '••••'],
  ['ssn 123\u00ad45\u200b6789', 'ssn ••••'],
  ['12-3456789', '••••'],
  ['4111 1111 1111 1111', '••••1111'],
  ['card 4111-1111-1111-1111, 378282-246310005', 'card ••••1111, 378282-••••'],
  ['3782 822463 10005', '••••0005'],
  ['(512)555-0100', '••••0100'],
  ['+1 (512) 555-0100', '••••0100'],
  ['512/555/0100 or 512 5550101', '••••0100 or ••••0101'],
  ['+44 20 7946 0958', '••••0958'],
  ['１２３-４５-６７８９', '••••'],
  ['١٢٣ ٤٥ ٦٧٨٩', '••••'],
  ['（５１２）５５５‐０１００', '••••0100'],
  ['ana＠reyes．example', '••••'],
  ['Zoë 123 45 6789', 'Zoë ••••'],
])('masks digits in groups and in any script: %s', (text, masked) => {
  for (const field of ['first_name', 'description', 'excerpt'])
    expect(mask({ [field]: text })).toEqual({ [field]: masked })
})

it.each([
  '2026-03-02, 03/02/2026, 02.03.2026 and 2026-03-02 2026-03-03',
  '2026-03-02 15:00:12 and 2026-11-29T09:52:17.123456789+00:00',
  '$1,234,567.89, 5.000,00 € and 1234567 cents',
  'v1.2.3, 10.0.0.12 and 192.168.100.200',
  '78705-1234',
  '12345678-1234-1234-1234-123456789012, AB123456-7890-4ABC-8DEF-123456789012',
  'pmt_4kYq8ZbT1mXd4 and acc_1234567890123',
  'Zoë–２０２６–０３–０２ ½ ••••',
])('leaves other digits unchanged: %s', text => {
  expect(mask({ text })).toEqual({ text })
})

it('masks a text body by its field names, even if it is cut off', () => {
  const sent = { id: 'pmt_1', event: { data: { email: 'ana@reyes.example', dob: '1988-04-09' } } }
  expect(mask({ body: JSON.stringify(sent) })).toEqual({
    body: '{"id":"pmt_1","event":{"data":{"email":"••••","dob":"••••"}}}',
  })
  expect(mask({ excerpt: '{"error":"no such person","dob": "1988-04-09","ssn":123456789,"street":"17 Can' })).toEqual({
    excerpt: '{"error":"no such person","dob": "••••","ssn":"••••","street":"••••"',
  })
  expect(mask({ excerpt: 'no account of ana@reyes.example' })).toEqual({ excerpt: 'no account of ••••' })
})

it('masks every email address in a text, however the text surrounds it', () => {
  for (const [text, masked] of [
    ['<ana@reyes.example>', '<••••>'],
    ['"ana@reyes.example","bo@reyes.example"', '"••••","••••"'],
    ['to:ana@reyes.example,bo@reyes.example;', '••••'],
    ['x@ana@reyes.example', '••••'],
    ['@ana@reyes.example', '••••'],
    ['ana@@reyes.example', '••••'],
    ['josé@reyés.example\nana@reyes.example', '••••\n••••'],
    [`${'x'.repeat(5_000)} ana@reyes.example`, `${'x'.repeat(5_000)} ••••`],
    [`${'x'.repeat(5_000)}@reyes.example`, '••••'],
  ])
    expect(mask({ text })).toEqual({ text: masked })
  const kept = { handle: '@ana and @bo', version: 'kit@2', time: 'noon @ Main St.' }
  expect(mask(kept)).toEqual(kept)
})

it('masks a named value in incomplete JSON up to its end, line breaks included', () => {
  expect(mask({ excerpt: '{"street":"17 \\\nCanary Street","code":"R01' })).toEqual({
    excerpt: '{"street":"••••","code":"R01',
  })
})

it.each([
  ['no spaces', 'a'.repeat(30_000)],
  ['only @', '@'.repeat(30_000)],
  ['an @ and many dots', `a@${'.'.repeat(30_000)}`],
  ['many addresses without a dot', 'a@'.repeat(15_000)],
  ['many names of fields', '"email":'.repeat(4_000)],
  ['a name and many spaces', `"email"${' '.repeat(15_000)}`],
  ['backslashes', `"email":"${'\\'.repeat(15_000)}`],
  ['digits', '1'.repeat(30_000)],
  ['parentheses', '(512) '.repeat(5_000)],
  ['groups of digits', '123-45 '.repeat(5_000)],
  ['groups of four digits', '1234 '.repeat(6_000)],
  ['a plus and separated digits', `+${'1 ('.repeat(10_000)}`],
  ['plus signs', '+1'.repeat(15_000)],
  ['spaces after digits', `123${' '.repeat(30_000)}`],
  ['letters before digits', 'abc1'.repeat(8_000)],
  ['other dashes', '1\u2011'.repeat(15_000)],
  ['digits of other scripts', '１'.repeat(30_000)],
  ['hexadecimal digits', 'abcdef01-'.repeat(3_500)],
])('masks text with %s in time proportional to its length', async (_, text) => {
  for (const value of [{ text }, { metadata: { [text]: 1 } }, { excerpt: text }])
    expect(await measureCpuMs(() => mask(value))).toBeLessThan(MAX_CPU_MS)
})
