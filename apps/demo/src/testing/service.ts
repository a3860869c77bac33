import { Hono } from 'hono'

type Json = Record<string, unknown>

/** Fakes the parts of the service that this site uses. Tests can put the fake in any state. */
export function createFakeService() {
  const seen: { call: string; key: string | null; body: Json }[] = []
  const entities: Json[] = []
  const accounts: Json[] = []
  const payments: Json[] = []
  const webhooks: Json[] = []
  /** Payment events, oldest first. Token events are stored separately, by handle. */
  const events: Json[] = []
  const handles: string[] = []
  const tokenEvents = new Map<string, Json[]>()
  const tell = (payment: Json) =>
    events.push({
      id: id('evt'),
      resource_id: payment['id'],
      resource_type: 'payment',
      data: { ...payment },
      created_at: time,
    })
  const sessions = new Map<string, { id: string; mode: string; bt: Json }>()
  const answers = new Map<string, Promise<Json>>()
  const time = '2026-03-30T09:30:00.000Z'
  let count = 0
  const id = (prefix: string) => `${prefix}_${String(++count).padStart(3, '0')}`
  const refusal = (sub_type: string) => ({
    error: { type: 'INVALID_REQUEST', code: 400, sub_type, message: `Refused: ${sub_type}.` },
  })

  /** Accounts to which the rail rejects payments. */
  const refusing = new Set<string>()

  const app = new Hono()
  app.use(async (c, next) => {
    const key = c.req.header('Idempotency-Key') ?? null
    const body = c.req.method === 'GET' ? {} : await c.req.json<Json>()
    seen.push({ call: `${c.req.method} ${c.req.path}`, key, body })
    const known = key === null ? undefined : answers.get(key)
    const stored = known && (await known)
    if (stored) return c.json(stored, stored['error'] ? 400 : 200, { 'Idempotency-Replayed': 'true' })
    let settle: (answer: Json) => void = () => undefined
    if (key !== null)
      answers.set(
        key,
        new Promise(done => {
          settle = done
        }),
      )
    await next()
    c.res.headers.set('Request-Id', `req_${seen.length}`)
    if (key !== null) settle(await c.res.clone().json())
    return
  })

  app.patch('/team', async c => c.json({ id: 'team_001', ...(await c.req.json<Json>()) }))
  app.post('/entities', async c => {
    const entity = { id: id('ent'), status: 'active', created_at: time, ...(await c.req.json<Json>()) }
    entities.push(entity)
    return c.json(entity)
  })
  app.post('/accounts', async c => {
    const account = { id: id('acc'), status: 'active', type: 'ach', created_at: time, ...(await c.req.json<Json>()) }
    accounts.push(account)
    return c.json(account)
  })
  app.get('/accounts', c => {
    const { type, holder_id } = c.req.query()
    const data = accounts.filter(row => row['type'] === type && (!holder_id || row['holder_id'] === holder_id))
    return c.json({ data })
  })
  app.post('/elements/token', async c => {
    const body = await c.req.json<Json>()
    const element_token = `pk_elem_${String(++count).padStart(16, '0')}${'s'.repeat(33)}`
    handles.push(element_token.slice(8, 24))
    if (body['type'] === 'connect') return c.json({ element_token })
    const known = body['session_id'] as string | undefined
    const session_id = known ?? id('osess')
    if (!known) {
      const start = {
        allocations: {},
        payout_status: 'pending_release',
        payment_ids: {},
        released_at: null,
        completed: false,
      }
      const bt = { ...(body['balance_transfer'] as Json), ...start }
      sessions.set(session_id, { id: session_id, mode: 'balance_transfer', bt })
    }
    return c.json({ element_token, session_id })
  })
  app.post('/opal/token', c =>
    c.json({ success: true, data: { hosted_url: 'http://localhost:4100/hosted/1#once' }, message: null }),
  )
  app.get('/elements/token/:handle/results', c =>
    c.json({ authenticated: true, accounts: [], events: tokenEvents.get(c.req.param('handle')) ?? [] }),
  )
  app.get('/events', c =>
    c.json({ data: events.filter(event => event['resource_id'] === c.req.query('resource_id')).reverse() }),
  )
  app.get('/opal/sessions/:id', c =>
    c.json({ success: true, data: sessions.get(c.req.param('id')) ?? null, message: null }),
  )
  app.post('/opal/sessions/:id', async c => {
    const session = sessions.get(c.req.param('id'))
    if (!session?.bt['completed']) return c.json(refusal('BT_NO_ALLOCATIONS'), 400)
    const { source } = (await c.req.json<{ data: { source: string } }>()).data
    const payment_errors: Json = {}
    const made = Object.entries(session.bt['allocations'] as Record<string, number>).map(([destination, amount]) => {
      if (refusing.has(destination)) {
        payment_errors[destination] = refusal('PAYMENT_REFUSED_BY_RAIL').error
        return [destination, null]
      }
      const payment = { id: id('pmt'), source, destination, amount, status: 'pending', error: null, created_at: time }
      payments.push(payment)
      tell(payment)
      return [destination, payment.id]
    })
    Object.assign(session.bt, {
      payout_status: 'released',
      released_at: time,
      payment_ids: Object.fromEntries(made),
      payment_errors,
    })
    return c.json({ success: true, data: session, message: null })
  })
  app.get('/accounts/:id', c => c.json(accounts.find(row => row['id'] === c.req.param('id')) ?? {}))
  app.get('/payments/:id', c => c.json(payments.find(row => row['id'] === c.req.param('id')) ?? {}))
  app.post('/payments', async c => {
    const body = await c.req.json<Json>()
    if (refusing.has(body['destination'] as string)) return c.json(refusal('PAYMENT_REFUSED_BY_RAIL'), 400)
    const payment = { id: id('pmt'), status: 'pending', error: null, created_at: time, ...body }
    payments.push(payment)
    tell(payment)
    return c.json(payment)
  })
  app.get('/webhooks', c => c.json({ data: webhooks }))
  app.post('/webhooks', async c => {
    const webhook = { id: id('whk'), status: 'active', ...(await c.req.json<Json>()) }
    webhooks.push(webhook)
    return c.json(webhook)
  })
  app.post('/webhooks/:id/rotate', c => c.json({}))
  app.patch('/webhooks/:id', c => c.json({}))
  app.get('/payments', c => c.json({ data: payments }))
  app.post('/simulate/clock', c => {
    for (const payment of payments) {
      payment['status'] = 'processing'
      tell(payment)
    }
    return c.json({})
  })

  return {
    app,
    seen,
    entities,
    payments,
    refusing,
    sessions,
    tokenEvents,
    /** The handles of all tokens, oldest first. */
    handles,
    calls: (call: string) => seen.filter(request => request.call === call),
    /** Links two of the borrower's debts and returns their ids. */
    link(holder_id: string): [string, string] {
      const debt = (name: string, mask: string, balance: number, rate: number) => {
        const mch_id = { id: 'mch_1', parent_name: name.split(' ')[0], logo: null }
        const liability = { mch_id, mask, type: 'credit_card', name }
        const card = { balance, interest_rate_percentage_max: rate }
        const update = { id: id('upd'), status: 'completed', type: 'credit_card', credit_card: card }
        const facts = { holder_id, status: 'active', type: 'liability', liability, update, created_at: time }
        const account = { id: id('acc'), ...facts }
        accounts.push(account)
        return account.id
      }
      return [
        debt('Chase Sapphire Reserve', '1580', 521_240, 27.49),
        debt('Capital One Venture', '0342', 350_000, 24.99),
      ]
    },
    /** Confirms these amounts as the borrower. */
    confirm(session: string, allocations: Record<string, number>) {
      Object.assign(sessions.get(session)?.bt ?? {}, { allocations, completed: true })
    },
  }
}
