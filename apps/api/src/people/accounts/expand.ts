import { fieldsUnder } from '../../platform/http/endpoint/expand.js'
import type { Ctx, Scope } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import { isAgreed, readableIds } from '../holders/consent-rules.js'
import type { Body, Product, RecordRow } from '../holders/product.js'
import { accountOffers, productOf } from '../holders/product-rules.js'
import { pointerOf, recordsOf, showAccount } from '../holders/show-account.js'
import { findAccounts } from '../holders/store.js'
import { showMerchant } from '../merchants/merchant.js'
import { auditShown, showRecord } from '../records/show-record.js'
import { latestRecords } from '../records/store.js'
import { showVerification } from './verification.js'

/** Replaces a liability's merchant id with the merchant, if the merchant is known. */
function withMerchant(scope: Scope, body: Record<string, unknown>): void {
  const liability = body['liability'] as { mch_id: string } | null | undefined
  if (!liability) return
  const [merchant] = scope.deps.ports.network.merchants([liability.mch_id])
  body['liability'] = { ...liability, mch_id: merchant ? showMerchant(merchant) : liability.mch_id }
}

/**
 * Returns accounts in their GET format, with the pointers in `fields` expanded. For any number of accounts, runs one
 * query, plus one for each list of records.
 */
export async function expandAccounts(
  ctx: Ctx,
  rows: readonly AccountRow[],
  fields: ReadonlySet<string>,
): Promise<Body[]> {
  const ids = rows.map(row => row.id)
  const lists = accountOffers(ctx.deps.offers).flatMap(({ name, lists }) => (lists ? { ...lists, product: name } : []))
  const listed = lists.flatMap(list => list.fields)
  const recordFields = [...fields].filter(name => name !== 'liability.mch_id' && !listed.includes(name))
  const { latest, records } = await latestRecords(ctx, ids, recordFields.flatMap(recordsOf))
  const loaded = await Promise.all(
    lists
      .map(({ load, product, ...list }) => ({ load, product, names: list.fields.filter(name => fields.has(name)) }))
      .filter(({ names }) => names.length > 0)
      .map(async ({ load, ...list }) => ({ ...list, byAccount: await load(ctx, ids) })),
  )
  const shownRecords: { product: Product; row: RecordRow }[] = []
  const bodies = rows.map(row => {
    const latestIds = readableIds(row, latest.get(row.id) ?? {})
    const body = showAccount(ctx, row, latestIds)
    if (row.withdrawn_at !== null) return body
    for (const name of recordFields) {
      if (row.type === 'ach' && name !== 'latest_verification_session') continue
      const record = records.get(pointerOf(latestIds, name) ?? '')
      const product = record && productOf(ctx.deps.offers, record)
      if (record && product) shownRecords.push({ product, row: record })
      body[name] = !record ? null : product ? showRecord(ctx, product, record, row) : showVerification(ctx, record)
    }
    for (const { names, product, byAccount } of loaded)
      for (const name of names) body[name] = (isAgreed(row, product) && byAccount.get(row.id)) || []
    if (fields.has('liability.mch_id')) withMerchant(ctx, body)
    return body
  })
  await auditShown(ctx, shownRecords)
  return bodies
}

/** Expands the accounts of connect records, if requested. */
export async function expandConnects(ctx: Ctx, bodies: Body[], expand: ReadonlySet<string>): Promise<Body[]> {
  if (expand.size === 0) return bodies
  const ids = bodies.flatMap(body => (body['accounts'] as string[] | null) ?? [])
  const accounts = await expandAccounts(ctx, await findAccounts(ctx, ids), fieldsUnder(expand, 'accounts'))
  const byId = new Map(accounts.map(account => [account.id, account]))
  return bodies.map(body => ({
    ...body,
    accounts: (body['accounts'] as string[] | null)?.map(id => byId.get(id) ?? id) ?? null,
  }))
}
