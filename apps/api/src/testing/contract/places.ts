/**
 * Test helper that creates a team with one resource for each id that a path can contain, and fills in paths with those
 * ids.
 */
import { endpoints } from '@causeway/contract/endpoints/table'
import { paymentInstruments } from '../../people/products/payment-instrument/product.js'
import { products } from '../../people/products/registry.js'
import { addTransaction } from '../../people/products/transaction/store.js'
import { insertRecord } from '../../people/records/store.js'
import { createId } from '../../platform/crypto/random.js'
import { transact } from '../../platform/scope.js'
import { findTeam } from '../../team/teams/store.js'
import { publicJwk } from '../encryption.js'
import { confirmed, fundingAccount } from '../frame.js'
import { lender } from '../money.js'
import type { TestService } from '../service.js'

const UNKNOWN_SUFFIX = '0000000000000'

const purchase = {
  descriptor: 'Coffee',
  merchant: null,
  merchant_category_code: '5814',
  amount: 450,
  currency_code: 'USD',
  transacted_at: '2026-03-01T10:00:00.000Z',
  posted_at: null,
  voided_at: null,
}

/** Creates a file, and a link to it. */
async function createFile(service: TestService): Promise<{ id: string; link: string }> {
  const { must, verified } = lender(service)
  const artifacts = ['raw_credit_report']
  const person = await verified('+15125550101')
  const { files } = await must('POST', `/entities/${person}/connect`, { bureau: 'equifax', artifacts })
  const { id } = (files as { id: string }[])[0]!
  const { download_url } = await must('GET', `/files/${id}`)
  return { id, link: String(download_url).split('/').at(-1)! }
}

/** Creates a forwarding request that failed because the connection was refused. */
async function createForwardingRequest(service: TestService): Promise<string> {
  const { must, call } = lender(service)
  const url = 'http://127.0.0.1:1/'
  await must('PATCH', '/team', { forwarding_allow_list: [url] })
  const { text } = await call('POST', '/forwarding_requests', {
    url,
    method: 'POST',
    headers: {},
    body: '1',
    bindings: {},
  })
  return /freq_\w+/.exec(text)![0]
}

/** Creates a record for every product and returns the ids, keyed by path. */
async function createRecords(service: TestService, entity: string, account: string): Promise<Record<string, string>> {
  const team = (await findTeam(service.store.reader, service.team))!
  const entries = await transact(service.deps, team, scope =>
    Promise.all(
      [...products, ...paymentInstruments].map(async ({ path, prefix, name, holder }) => {
        const id = createId(prefix, scope.now)
        const holder_id = holder === 'entity' ? entity : account
        await insertRecord(scope, { id, holder_id, product: name, status: 'pending' })
        const base = holder === 'entity' ? 'entities/:ent_id' : 'accounts/:acc_id'
        return [`${base}/${path}/:id`, id] as const
      }),
    ),
  )
  const transaction = await transact(service.deps, team, scope => addTransaction(scope, account, purchase, 'sub_none'))
  return { ...Object.fromEntries(entries), 'accounts/:acc_id/transactions/:id': transaction!.id }
}

/** Returns an account that needs a number, of a person that the team connected without a screen. */
export async function findUnproven(service: TestService, phone: string): Promise<string> {
  const { accounts } = await lender(service).debts(phone)
  return accounts.find(({ liability }) => (liability as { mch_id: string }).mch_id === 'mch_301761')!.id
}

/** Returns an endpoint's example request from the contract. */
const exampleOf = (name: string): unknown =>
  endpoints.find(({ method, path }) => `${method} ${path}` === name)?.example.request

export const bodies: Record<string, unknown> = {
  'POST /opal/sessions/:id': { action: 'release_payments' },
  'POST /simulate/opal/sessions/:id': { allocations: {} },
  'POST /entities/:ent_id/verification_sessions': { type: 'phone', method: 'sms', sms: {} },
  'PUT /entities/:ent_id/verification_sessions/:id': { type: 'phone', method: 'sms', sms: { sms_code: '123456' } },
  'PUT /accounts/:acc_id/verification_sessions/:id': { standard: { number: '4000000000090342' } },
  'POST /accounts/:acc_id/verification_sessions': { type: 'standard' },
  'PUT /payments/:pmt_id/reversals/:rvs_id': { status: 'pending' },
  'POST /simulate/payments/payment_instruments/:id': { amount: 100 },
  'POST /simulate/payments/payment_instrument/:id': { amount: 100 },
  'POST /simulate/payments/:pmt_id': { status: 'processing' },
  'PUT /entities/:ent_id': { metadata: {} },
  'POST /entities/:ent_id/consent': { type: 'withdraw' },
  'POST /accounts/:acc_id/consent': { type: 'withdraw' },
  'POST /simulate/entities/:ent_id/connect': { behaviors: ['new_auto_loan_account'] },
  'POST /simulate/entities/:ent_id/connect/:again': { behaviors: ['new_auto_loan_account'] },
  'POST /simulate/entities/:ent_id/attributes': { behaviors: ['new_soft_inquiry'] },
  'POST /simulate/entities/:ent_id/attributes/:again': { behaviors: ['new_soft_inquiry'] },
  'POST /simulate/entities/:ent_id/credit_scores/:crs_id': exampleOf(
    'POST /simulate/entities/:ent_id/credit_scores/:crs_id',
  ),
  'POST /entities/:ent_id/manual_connect': exampleOf('POST /entities/:ent_id/manual_connect'),
  'POST /accounts/:acc_id/sensitive': exampleOf('POST /accounts/:acc_id/sensitive'),
  'POST /accounts/:acc_id/payment_instruments': { type: 'card' },
  // Versions up to 2025-12-01 require these fields.
  'POST /entities/:ent_id/attributes': { attributes: ['credit_health_credit_card_usage'] },
  'POST /entities/:ent_id/subscriptions': { enroll: 'connect' },
  'POST /accounts/:acc_id/subscriptions': { enroll: 'update' },
  'PATCH /report_schedules/:rpt_sch_id': { cron: '0 6 * * *' },
  'POST /report_schedules/:rpt_sch_id/types': { type: 'ach.pull.nightly' },
  'PUT /report_schedules/:rpt_sch_id/types': { types: ['ach.pull.nightly'] },
  'POST /report_schedules/:rpt_sch_id/delivery_methods': { delivery_method: 'webhook' },
  'PUT /report_schedules/:rpt_sch_id/delivery_methods': { delivery_methods: ['webhook'] },
  'POST /report_schedules/:rpt_sch_id/recipients': { recipient: 'ops@northwind.example' },
  'PUT /report_schedules/:rpt_sch_id/recipients': { recipients: ['ops@northwind.example'] },
  'POST /simulate/managed_accounts/:macc_id/transactions': { type: 'deposit', amount: 100 },
  'PATCH /webhooks/:whk_id': { status: 'active' },
  'POST /webhooks/:whk_id/rotate': { auth_token: 'x' },
  'POST /webhooks/:whk_id/redeliver': { since: '2026-03-01T00:00:00.000Z' },
  'POST /deliveries/redeliver': { ids: ['dlv_unknown'] },
}

/** Valid queries of the endpoints that require one. */
export const queries: Readonly<Record<string, string>> = {
  'DELETE /report_schedules/:rpt_sch_id/types': '?type=ach.pull.nightly',
  'DELETE /report_schedules/:rpt_sch_id/delivery_methods': '?delivery_method=webhook',
  'DELETE /report_schedules/:rpt_sch_id/recipients': '?recipient=ops@northwind.example',
}

/**
 * Creates one resource of every kind for the service's team.
 * @returns the resources' ids, keyed by the name of their path parameter; a function that fills in a path with those
 * ids (`real`) or with unknown ids; and a child team
 */
export async function createPlaces(service: TestService) {
  const { must } = lender(service)
  const source = await fundingAccount(service)
  const { session, accounts, entity } = await confirmed(service, '+15125550100')
  await service.call('POST', `/opal/sessions/${session}`, { action: 'release_payments', data: { source } })
  const released = await service.call('GET', `/opal/sessions/${session}`)
  const account = accounts[0]!
  const element = await must('POST', '/elements/token', { type: 'balance_transfer', session_id: session })
  const entityBody = await must('GET', `/entities/${entity}`)
  const payment = Object.values(released.body['data']['bt']['payment_ids'] as Record<string, string>)[0]!
  const unproven = await findUnproven(service, '+15125550108')
  const findByName = async (path: string, name: string) =>
    ((await must('GET', path)) as unknown as { data: Record<string, { id: string }> }).data[name]!
  const verification = await must('POST', `/accounts/${unproven}/verification_sessions`, {
    type: 'standard',
  })
  const recordIds = await createRecords(service, entity, account)
  const hook = await must('POST', '/webhooks', { type: 'entity.create', url: 'http://127.0.0.1:1/hook' })
  await must('POST', '/entities', { type: 'corporation', corporation: { name: 'Told' } })
  const [delivery] = (await must('GET', `/webhooks/${hook.id}/deliveries`))['data'] as {
    id: string
    event_id: string
  }[]
  for (const status of ['processing', 'sent']) await must('POST', `/simulate/payments/${payment}`, { status })
  const failure = { status: 'reversal_required', error_code: 10009 }
  const reversal = (await must('POST', `/simulate/payments/${payment}`, failure))['reversal_id'] as string
  const instrument = recordIds['accounts/:acc_id/payment_instruments/:id']!
  const child = await must('POST', '/teams', { name: 'Below' })
  const loggedRequest = await service.call('GET', '/accounts')
  await service.deps.requests.flush()
  const childKey = child['key'] as { id: string; value: string }
  const file = await createFile(service)
  const ids: Record<string, string> = {
    ent_id: entity,
    acc_id: account,
    pmt_id: payment,
    rvs_id: reversal,
    'simulate/payments/payment_instruments/:id': instrument,
    'simulate/payments/payment_instrument/:id': instrument,
    token: element['element_token'] as string,
    'opal/sessions/:id': session,
    'elements/sessions/:id': session,
    sec_id: (await must('POST', '/secrets', { value: 'x' })).id,
    freq_id: await createForwardingRequest(service),
    file_id: file.id,
    link: file.link,
    preauth_id: (await must('POST', '/preauth', { card: { bin6: '411111', last4: '1111' } })).id,
    rpt_sch_id: (
      await must('POST', '/report_schedules', { types: ['ach.pull.upcoming'], delivery_methods: ['webhook'] })
    ).id,
    rpt_id: (await must('POST', '/reports', { type: 'ach.pull.upcoming' })).id,
    whk_id: hook.id,
    dlv_id: delivery!.id,
    evt_id: delivery!.event_id,
    req_id: loggedRequest.headers.get('request-id')!,
    team_id: child.id,
    key_id: (await must('POST', '/team/keys')).id,
    'teams/:team_id/keys/:key_id': childKey.id,
    team_jwk_id: (await must('POST', '/teams/mle/public_keys', { jwk: await publicJwk('ours') })).id,
    macc_id: ((await must('GET', '/managed_accounts'))['data'] as { id: string }[])[0]!.id,
    ...recordIds,
    crs_id: recordIds['entities/:ent_id/credit_scores/:id']!,
    again: entity,
    'entities/:ent_id/products/:prd_id': (await findByName(`/entities/${entity}/products`, 'connect')).id,
    'accounts/:acc_id/products/:prd_id': (await findByName(`/accounts/${account}/products`, 'balance')).id,
    'entities/:ent_id/subscriptions/:sub_id': (
      await must('POST', `/entities/${entity}/subscriptions`, { enroll: 'connect' })
    ).id,
    'accounts/:acc_id/subscriptions/:sub_id': (
      await must('POST', `/accounts/${account}/subscriptions`, { enroll: 'update' })
    ).id,
    'accounts/:acc_id/verification_sessions/:id': verification.id,
    'entities/:ent_id/verification_sessions/:id': (
      entityBody['verification'] as { phone: { latest_verification_session: string } }
    ).phone.latest_verification_session,
    'needs number': unproven,
  }
  /** Replaces each parameter in a path with its known id, or with an unknown id of the same kind. */
  const fill = (path: string, real: boolean): string =>
    path.replace(/:(\w+)/g, (_, name: string, at: number) => {
      const before = path.slice(0, at).replace(/^\//, '')
      const key = Object.keys(ids)
        .filter(known => known.endsWith(`:${name}`) && (before + `:${name}`).endsWith(known))
        .sort((a, b) => b.length - a.length)[0]
      const id = ids[key ?? name]
      if (id === undefined) throw new Error(`No id is available for ${name} in ${path}`)
      const own =
        path.includes('accounts/:acc_id/verification_sessions') && name === 'acc_id' ? ids['needs number']! : id
      return real ? own : own.replace(/^([a-z_]+_).*/, `$1${UNKNOWN_SUFFIX}`)
    })
  return { ids, fill, child: { team: child.id, key: childKey.value } }
}
