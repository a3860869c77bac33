import { ServiceError } from '@causeway/contract/errors'
import { instrumentEndpoints, type instrumentInput } from '@causeway/contract/products/payment-instrument'
import { emit } from '../../../notify/emit.js'
import { declared } from '../../../platform/http/endpoint/declaration.js'
import { implement } from '../../../platform/http/endpoint/implement.js'
import { page } from '../../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../../platform/http/endpoint/route.js'
import { orNotFound } from '../../../platform/rows.js'
import type { Ctx } from '../../../platform/scope.js'
import { auditReads, checkReads } from '../../../team/teams/reads.js'
import type { AccountRow } from '../../holders/account.js'
import { isAgreed, requireAgreed } from '../../holders/consent-rules.js'
import type { AccountProduct, Body, RecordRow } from '../../holders/product.js'
import { productAvailability, requireAvailable } from '../../holders/product-rules.js'
import { findAccount } from '../../holders/store.js'
import { readRecord, sealText } from '../../records/sealing.js'
import { showRecord } from '../../records/show-record.js'
import { createRecord, findAnyRecord } from '../../records/store.js'
import { instrumentData, paymentInstruments } from './product.js'

const path = '/accounts/:acc_id/payment_instruments'
const names = paymentInstruments.map(product => product.name)

const productOf = (name: string): AccountProduct => paymentInstruments.find(product => product.name === name)!

async function show(ctx: Ctx, rows: readonly RecordRow[], account: AccountRow): Promise<Body[]> {
  const filled = rows.filter(row => row.data !== null).map(row => row.id)
  await auditReads(ctx, 'payment_instrument.read', filled)
  return rows.map(row => showRecord(ctx, productOf(row.product), row, account))
}

async function findInstrumentOrThrow(ctx: Ctx, account: AccountRow, id: string): Promise<RecordRow> {
  const row = await findAnyRecord(ctx, id)
  if (row?.holder_id !== account.id || !names.includes(row.product)) throw new ServiceError('NOT_FOUND')
  requireAgreed(account, row.product)
  return row
}

/** Closes an instrument, so that it can no longer receive money. Does nothing if the instrument is already closed. */
async function closeInstrument(ctx: Ctx, row: RecordRow): Promise<RecordRow> {
  if (row.product !== 'payment_instrument.inbound_achwire_payment')
    throw new ServiceError('INVALID_REQUEST', 'Only an instrument of type inbound_achwire_payment can be closed.')
  if (row.status === 'closed') return row
  if (row.status !== 'completed')
    throw new ServiceError(
      'INVALID_REQUEST',
      `Only a completed instrument can be closed, but this one is ${row.status}.`,
    )
  const data = instrumentData.read(readRecord(ctx, productOf(row.product), row).data ?? '{}')
  const closed = await ctx.db
    .updateTable('records')
    .set({
      status: 'closed',
      data: sealText(ctx, row.id, 'data', instrumentData.write({ ...data, chargeable: false })),
      updated_at: ctx.now,
    })
    .where('team_id', '=', ctx.team.id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const ids = { id: row.id, account_id: row.holder_id }
  await emit(ctx, 'payment_instrument.update', { ...ids, status: 'closed' }, { ...ids, status: row.status })
  return closed
}

export const instrumentRoutes: Route[] = [
  implement(declared<typeof instrumentInput, typeof path>('POST', path), {
    async handle(ctx, { params, body: { type } }) {
      const account = orNotFound(await findAccount(ctx, params.acc_id))
      const product = productOf(`payment_instrument.${type}`)
      requireAvailable(productAvailability(ctx, product, account))
      await checkReads(ctx)
      const { row, job } = await createRecord(ctx, product, account, {}, { awaited: true })
      return { shape: 'later', job, resume: { kind: 'record', id: row.id } }
    },
  }),
  implement(declared('GET', path), {
    async handle(ctx, { params }) {
      const account = orNotFound(await findAccount(ctx, params.acc_id))
      const agreedNames = names.filter(name => isAgreed(account, name))
      if (agreedNames.length === 0) requireAgreed(account, names[0]!)
      const { rows, headers } = await page(ctx, 'payment_instrument', from =>
        from('records')
          .where('team_id', '=', ctx.team.id)
          .where('holder_id', '=', account.id)
          .where('product', 'in', agreedNames),
      )
      return { shape: 'list', body: await show(ctx, rows, account), headers }
    },
  }),
  implement(declared('GET', `${path}/:id`), {
    async handle(ctx, { params }) {
      const account = orNotFound(await findAccount(ctx, params.acc_id))
      const [body] = await show(ctx, [await findInstrumentOrThrow(ctx, account, params.id)], account)
      return one(body)
    },
  }),
  implement(instrumentEndpoints.closePaymentInstrument, {
    async handle(ctx, { params }) {
      const account = orNotFound(await findAccount(ctx, params.acc_id))
      const [body] = await show(
        ctx,
        [await closeInstrument(ctx, await findInstrumentOrThrow(ctx, account, params.id))],
        account,
      )
      return one(body)
    },
  }),
]
