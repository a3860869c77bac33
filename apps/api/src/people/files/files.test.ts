import { HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../platform/jobs/sweep.js'
import { lender } from '../../testing/money.js'
import { type TestService, testService } from '../../testing/service.js'

type Body = Record<string, unknown> & { id: string }
interface File {
  id: string
  type: string
  bureau: string
  mime_type: string
}
const both = { bureau: 'transunion', artifacts: ['raw_credit_report', 'credit_report_pdf'] }
const newest = { 'service-version': '2026-03-30' }

const service = await testService()
const bank = lender(service)

/** Returns a person and the files of a connect that requests both forms of the report. */
async function report(phone = '+15125550101', of = bank) {
  const entity = await of.verified(phone)
  const { body } = await of.call('POST', `/entities/${entity}/connect`, both, newest)
  expect(body['status']).toBe('completed')
  return { entity, connect: body as Body, files: body['files'] as File[] }
}
const follow = async (url: unknown, on: TestService = service) => {
  return on.call('GET', new URL(String(url)).pathname, undefined, { authorization: '' })
}
const errorIn = ({ text }: { text: string }) => JSON.parse(text).error.sub_type as string
const count = async (table: 'files' | 'file_parts') =>
  (await service.store.reader.selectFrom(table).selectAll().where('team_id', '=', service.team).execute()).length

describe('a connect with artifacts', () => {
  it('returns a file for each artifact, at once and later', async () => {
    const { entity, connect, files } = await report()
    const about = { id: expect.stringMatching(/^file_\w{13}$/), bureau: 'transunion' }
    expect(files).toEqual([
      { ...about, type: 'raw_credit_report', mime_type: 'application/json' },
      { ...about, type: 'credit_report_pdf', mime_type: 'application/pdf' },
    ])
    const { body } = await bank.call('GET', `/entities/${entity}/connect/${connect.id}`, undefined, newest)
    expect(body).toEqual(connect)
  })

  it('returns its files in every version, and other connects have none before 2026-03-30', async () => {
    const { entity, connect, files } = await report()
    const plain = await bank.must('POST', `/entities/${entity}/connect`)
    for (const version of ['2024-04-04', '2025-07-04', '2025-12-01']) {
      const at = { 'service-version': version }
      const read = (id: string) => bank.call('GET', `/entities/${entity}/connect/${id}`, undefined, at)
      expect((await read(connect.id)).body['files']).toEqual(files)
      expect((await read(plain.id)).body).not.toHaveProperty('files')
    }
  })

  it.each([
    ['a bureau without artifacts', { bureau: 'equifax' }],
    ['artifacts without a bureau', { artifacts: ['raw_credit_report'] }],
    ['an empty list of artifacts', { bureau: 'equifax', artifacts: [] }],
  ])('is rejected for %s', async (_name, body) => {
    const entity = await bank.verified('+15125550101')
    expect(await bank.rejection('POST', `/entities/${entity}/connect`, body)).toBe('INVALID_REQUEST')
  })

  it('fails with the code of the bureau, and leaves no file', async () => {
    const before = await count('files')
    const entity = await bank.verified('+15125550106')
    const { body } = await bank.call('POST', `/entities/${entity}/connect`, both, newest)
    expect([body['status'], (body.error as unknown as { code: number }).code]).toEqual(['failed', 26001])
    expect(await count('files')).toBe(before)
  })

  // kills: report-needs-all-consent
  it('is rejected if the person chose what to share, also when a file is read', async () => {
    const { entity, files } = await report()
    const { download_url } = await bank.must('GET', `/files/${files[0]!.id}`)
    const set = (element_connect_at: number | null) =>
      service.store.write(tx =>
        tx
          .updateTable('entities')
          .set({ element_connect_at })
          .where('team_id', '=', service.team)
          .where('id', '=', entity)
          .execute(),
      )
    await set(1)
    expect(await bank.rejection('POST', `/entities/${entity}/connect`, both)).toBe('PRODUCT_CONSENT_MISSING')
    expect(await bank.rejection('GET', `/files/${files[0]!.id}`)).toBe('PRODUCT_CONSENT_MISSING')
    expect(await bank.rejection('GET', `/files/${files[0]!.id}/download`)).toBe('PRODUCT_CONSENT_MISSING')
    expect(errorIn(await follow(download_url))).toBe('PRODUCT_CONSENT_MISSING')
    await set(null)
    expect((await follow(download_url)).status).toBe(200)
  })
})

describe('a network', () => {
  const both = { bureau: 'equifax', artifacts: ['raw_credit_report'] }
  const rejectionOf = async (change: object) => {
    const other = lender(
      await testService({ ports: ports => ({ ...ports, network: { ...ports.network, ...change } as never }) }),
    )
    const entity = await other.verified('+15125550101')
    const { status, body } = await other.call('POST', `/entities/${entity}/connect`, both)
    return { status, body }
  }

  it('without a bureau does not offer reports', async () => {
    const { body } = await rejectionOf({ bureau: () => undefined })
    expect(body.error).toMatchObject({ sub_type: 'TEAM_CAPABILITY_RESTRICTED' })
  })

  it.each([
    ['that has no report', { status: 'unavailable' }],
    ['that refuses', { status: 'failed', code: 24001 }],
  ])('%s makes the connect fail', async (_name, answer) => {
    const { body } = await rejectionOf({ creditReport: async () => answer })
    expect(body).toMatchObject({ status: 'failed', accounts: null, error: { code: 24001 } })
  })

  it.each([
    ['text that is not base64', { content: '*', next: null }],
    ['a gap between parts', { content: 'AAAA', next: 7 }],
  ])('that returns %s is asked again, and the connect stays open', async (_name, part) => {
    const answer = { status: 'completed', mime_type: 'text/plain', ...part }
    let calls = 0
    const creditReport = async () => {
      calls += 1
      return answer
    }
    const other = await testService({
      ports: ports => ({ ...ports, network: { ...ports.network, creditReport } as never }),
    })
    const entity = await lender(other).verified('+15125550101')
    const created = await other.call('POST', `/entities/${entity}/connect`, both, { prefer: 'respond-async' })
    await other.settle()
    const { body } = await other.call('GET', `/entities/${entity}/connect/${created.body['id']}`)
    expect([body['status'], calls > 0]).toEqual(['pending', true])
  })
})

describe('a file', () => {
  it('is returned with another link each time, and the link needs no key', async () => {
    const { files } = await report()
    const [raw, pdf] = files as [File, File]
    const shown = await bank.must('GET', `/files/${raw.id}`)
    expect(shown).toEqual({
      id: raw.id,
      type: 'raw_credit_report',
      mime_type: 'application/json',
      download_url: expect.stringContaining(`${service.deps.apiOrigin}/file_links/`),
      download_expires_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const contents = await follow(shown['download_url'])
    expect(contents.status).toBe(200)
    expect(contents.headers.get('content-type')).toBe('application/json')
    expect(contents.headers.get('content-disposition')).toBe('attachment; filename="raw_credit_report.json"')
    expect(contents.headers.get('content-length')).toBe(String(Buffer.byteLength(contents.text)))
    expect(contents.headers.get('cache-control')).toBe('no-store')
    expect(JSON.parse(contents.text)).toMatchObject({ bureau: 'transunion', tradelines: { length: 4 } })
    expect((await bank.call('GET', `/files/${raw.id}/download`)).text).toBe(contents.text)
    expect((await bank.call('GET', `/files/${pdf.id}/download`)).text).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/)
  })

  it('of another team is not found, by a key or in a link', async () => {
    const { files } = await report()
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await other.rejection('GET', `/files/${files[0]!.id}`)).toBe('NOT_FOUND')
    expect(await other.rejection('GET', `/files/${files[0]!.id}/download`)).toBe('NOT_FOUND')
    const own = (await report('+15125550101', other)).files[0]!
    const { download_url } = await other.must('GET', `/files/${own.id}`)
    const swapped = String(download_url).replace(own.id, files[0]!.id)
    expect(errorIn(await follow(swapped))).toBe('NOT_FOUND')
  })

  // kills: file-link-expires
  it('is not returned by a link after an hour', async () => {
    const later = await testService()
    const { files } = await report('+15125550101', lender(later))
    const { download_url, download_expires_at } = await lender(later).must('GET', `/files/${files[0]!.id}`)
    const left = Date.parse(String(download_expires_at)) - later.deps.clock()
    expect(left).toBeGreaterThan(HOUR_MS - MINUTE_MS)
    await later.advance(59 * MINUTE_MS)
    expect((await follow(download_url, later)).status).toBe(200)
    await later.advance(2 * MINUTE_MS)
    const expired = await follow(download_url, later)
    expect([expired.status, errorIn(expired)]).toEqual([400, 'EXPIRED_TOKEN'])
  })

  // kills: file-link-is-signed
  it('is not returned by a link that was changed', async () => {
    const { files } = await report()
    const { download_url } = await bank.must('GET', `/files/${files[0]!.id}`)
    const link = String(download_url)
    const parts = link.split('.')
    const changed = [...parts.slice(0, -2), `z${parts.at(-2)}`, parts.at(-1)].join('.')
    for (const forged of [changed, `${link}x`, link.slice(0, -1), `${service.deps.apiOrigin}/file_links/x`])
      expect(errorIn(await follow(forged))).toBe('NOT_FOUND')
    expect(errorIn(await follow(`${service.deps.apiOrigin}/file_links/${'a.'.repeat(2_000)}`))).toBe('NOT_FOUND')
  })

  it('is sealed, and its link is neither stored nor logged', async () => {
    const { files } = await report()
    const { download_url } = await bank.must('GET', `/files/${files[0]!.id}`)
    const { text } = await follow(download_url)
    const part = await service.store.reader
      .selectFrom('file_parts')
      .select('content')
      .where('team_id', '=', service.team)
      .where('file_id', '=', files[0]!.id)
      .orderBy('number')
      .execute()
    expect(part.length).toBeGreaterThan(1)
    expect(Buffer.from(part[0]!.content, 'base64').toString()).not.toContain('tradelines')
    expect(text).toContain('tradelines')
    await service.deps.requests.flush()
    const secret = String(download_url).split('/').at(-1)!
    for (const table of ['requests', 'request_bodies', 'audit', 'idempotency', 'events'] as const) {
      const rows = await service.store.reader.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(secret)
    }
  })

  it('is read in the audit log under the caller who received the link', async () => {
    const { files } = await report()
    const { id } = files[0]!
    const { download_url } = await bank.must('GET', `/files/${id}`)
    await follow(download_url)
    const rows = await service.store.reader
      .selectFrom('audit')
      .select(['actor', 'action'])
      .where('team_id', '=', service.team)
      .where('resource_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    expect(rows.map(({ action }) => action).sort()).toEqual(['file.download', 'file.read'])
    expect(new Set(rows.map(({ actor }) => actor)).size).toBe(1)
  })

  it('needs a key with the scope for sensitive values', async () => {
    const { files } = await report()
    const { value } = (await bank.must('POST', '/team/keys', { scopes: ['read'] })) as unknown as { value: string }
    expect(await lender(service, value).rejection('GET', `/files/${files[0]!.id}`)).toBe('FORBIDDEN')
  })

  it.each(['entity', 'account'])('is deleted when consent to the %s is withdrawn', async holder => {
    const { entity, connect, files } = await report()
    const { download_url } = await bank.must('GET', `/files/${files[0]!.id}`)
    const path = holder === 'entity' ? `/entities/${entity}` : `/accounts/${(connect['accounts'] as string[])[0]}`
    const reason = holder === 'entity' ? 'entity_withdrew_consent' : 'holder_withdrew_consent'
    await bank.must('POST', `${path}/consent`, { type: 'withdraw', reason })
    expect(await bank.rejection('GET', `/files/${files[0]!.id}`)).toBe('NOT_FOUND')
    expect(errorIn(await follow(download_url))).toBe('NOT_FOUND')
    const left = await service.store.reader
      .selectFrom('file_parts')
      .select('file_id')
      .where('team_id', '=', service.team)
      .where(
        'file_id',
        'in',
        files.map(({ id }) => id),
      )
      .execute()
    expect(left).toEqual([])
  })

  // kills: incomplete-files-are-hidden
  it('that is not complete is not found, and is deleted after a day', async () => {
    const { files } = await report()
    const id = files[0]!.id
    const at = service.deps.clock()
    const expire = (expires_at: number) =>
      service.store.write(tx =>
        tx.updateTable('files').set({ expires_at }).where('team_id', '=', service.team).where('id', '=', id).execute(),
      )
    await expire(at + HOUR_MS)
    expect(await bank.rejection('GET', `/files/${id}`)).toBe('NOT_FOUND')
    await sweep(service.deps)
    expect(await count('files')).toBeGreaterThan(0)
    await expire(at - 1)
    const deleted = await sweep(service.deps)
    expect([deleted['files'], deleted['file_parts']! > 1]).toEqual([1, true])
  })
})
