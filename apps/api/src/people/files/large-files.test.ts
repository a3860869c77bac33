import type { CreditReports } from '@causeway/connector/ports/credit-reports'
import { expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const PART_BYTES = 1024 * 1024
const PARTS = 50

/** Returns the bytes of a part, which differ from those of every other part. */
const partOf = (number: number) => Buffer.alloc(PART_BYTES, `${number} `)

it('A file of 50 MB is stored and read one part at a time', async () => {
  const stored: number[] = []
  const service = await testService({
    ports: ports => ({ ...ports, network: { ...ports.network, creditReport } }),
  })
  const partsInStore = async () =>
    Number(
      (
        await service.store.reader
          .selectFrom('file_parts')
          .select(row => row.fn.countAll().as('count'))
          .where('team_id', '=', service.team)
          .executeTakeFirstOrThrow()
      ).count,
    )
  async function creditReport({ offset }: Parameters<CreditReports['creditReport']>[0]) {
    // Every part before this one is stored, so none of them is in memory.
    stored.push(await partsInStore())
    const number = offset / PART_BYTES
    return {
      status: 'completed' as const,
      mime_type: 'application/octet-stream',
      content: partOf(number).toString('base64'),
      next: number + 1 < PARTS ? offset + PART_BYTES : null,
    }
  }
  const bank = lender(service)
  const entity = await bank.verified('+15125550101')
  const connect = await bank.must('POST', `/entities/${entity}/connect`, {
    bureau: 'equifax',
    artifacts: ['raw_credit_report'],
  })
  // On a busy machine, storing all parts takes longer than one call waits.
  while (stored.length < PARTS) await service.settle()
  expect(stored).toEqual(Array.from({ length: PARTS }, (_, number) => number))
  const { files } = (await bank.must('GET', `/entities/${entity}/connect/${connect.id}`)) as unknown as {
    files: { id: string }[]
  }
  const { download_url } = await bank.must('GET', `/files/${files[0]!.id}`)

  const response = await service.app.api.fetch(new Request(String(download_url)))
  expect(response.headers.get('content-length')).toBe(String(PARTS * PART_BYTES))
  const reader = response.body!.getReader()
  for (let number = 0; number < PARTS; number += 1) {
    const { value } = await reader.read()
    expect(Buffer.compare(Buffer.from(value!), partOf(number))).toBe(0)
    // Nothing is read ahead: a part that is not read yet can still be deleted, and then the stream ends with an error.
    if (number === PARTS - 2) {
      await bank.must('POST', `/entities/${entity}/consent`, { type: 'withdraw', reason: 'entity_withdrew_consent' })
      await expect(reader.read()).rejects.toThrow()
      return
    }
  }
  throw new Error('The stream must end before its last part.')
}, 60_000)
