import { type Causeway, CausewayError } from '@causeway/sdk'
import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { type Application, type Applications, type Form, readForm } from './applications.js'
import { loanFitOf } from './loan.js'
import { confirmedAmounts, type Network, paymentsOf } from './network.js'
import { people } from './sandbox/inputs.js'
import type { SiteOf } from './site.js'
import { applicationPage } from './views/application.js'
import { local } from './views/format.js'
import { helpPage, privacyPage } from './views/help.js'
import { homePage } from './views/home.js'

interface BorrowerDeps {
  causeway: Causeway
  applications: Applications
  network: Network
  siteOf: SiteOf
  newId: () => string
}

/** Serves the borrower's pages. Each application is visible only to the browser that created it. */
export function createBorrower({ causeway, applications, network, siteOf, newId }: BorrowerDeps): Hono {
  const own = (c: Context): Application | undefined => {
    const application = applications.find(c.req.param('id') ?? '')
    return application && application.owner === getCookie(c, 'borrower') ? application : undefined
  }
  /** Returns a form filled in for one of the sandbox's people, given their position in the list. */
  const filledIn = (place: string | undefined): Form => {
    const { first_name, last_name, phone, amount = '10,000' } = people[Number(place ?? 0)] ?? people[0]
    return { id: newId(), first_name, last_name, phone: local(phone), amount }
  }

  return (
    new Hono()
      .get('/', c => {
        if (!getCookie(c, 'borrower')) setCookie(c, 'borrower', newId(), { httpOnly: true, sameSite: 'Lax', path: '/' })
        return c.html(homePage(siteOf(c), filledIn(c.req.query('person'))))
      })

      .get('/help', c => c.html(helpPage(siteOf(c))))
      .get('/privacy', c => c.html(privacyPage(siteOf(c))))

      .post('/applications', async c => {
        const form = readFields(await c.req.parseBody())
        const owner = getCookie(c, 'borrower')
        if (!owner)
          return c.html(
            homePage(siteOf(c), form, { form: 'Allow cookies for this site and send the form again.' }),
            400,
          )
        const { phone, loan_amount, errors } = readForm(form)
        const again = (found: typeof errors) => c.html(homePage(siteOf(c), { ...form, id: newId() }, found), 400)
        if (Object.keys(errors).length > 0) return again(errors)
        try {
          const { first_name, last_name } = form
          const individual = { first_name, last_name, phone }
          const params = { type: 'individual', individual, metadata: { application: form.id } } as const
          // The idempotency key contains the form's own id, so submitting the form again, for example after a lost
          // response, doesn't create a second entity.
          const entity = await causeway.entities.create(params, { idempotencyKey: `application-${form.id}` })
          const facts = { id: form.id, owner, first_name, last_name, loan_amount, entity_id: entity.id }
          const start = { session_id: null, tokens: [], created_at: entity.created_at, told: 0, rest: null }
          const { id } = applications.add({ ...facts, ...start })
          return c.redirect(`/applications/${id}`, 303)
        } catch (error) {
          if (error instanceof CausewayError && error.sub_type === 'INVALID_ENTITY_PHONE_NUMBER')
            return again({ phone: 'We can’t use this number. Enter another one.' })
          if (error instanceof CausewayError && error.sub_type === 'IDEMPOTENCY_MISMATCH')
            return again({ form: 'The form changed after you sent it. Check it and send it again.' })
          throw error
        }
      })

      .get('/applications/:id', async c => {
        const application = own(c)
        if (!application) return c.notFound()
        // Read this number before calling the service, so that a change during the calls still refreshes the page.
        const { told } = application
        const [debts, session, payments] = await Promise.all([
          network.debts(application),
          network.session(application),
          network.payments(application),
        ])
        const allocations = confirmedAmounts(session, application)
        const released = session?.bt?.released_at ?? null
        const made = paymentsOf(session, payments)
        return c.html(applicationPage(siteOf(c), { application, told, debts, allocations, released, made }))
      })

      // Called by the elements' getToken callbacks.
      .post('/applications/:id/tokens/:flow{connect|transfer}', async c => {
        const application = own(c)
        if (!application) return c.json({ message: 'No such application.' }, 404)
        const mint = c.req.param('flow') === 'connect' ? network.connectToken : network.transferToken
        return c.json({ token: await mint(application) }, 200, { 'Cache-Control': 'no-store' })
      })

      // Offered if the linked debts are too small for the loan. New terms need a new session.
      .post('/applications/:id/smaller', async c => {
        const application = own(c)
        if (!application) return c.notFound()
        const [debts, session] = await Promise.all([network.debts(application), network.session(application)])
        const largest = loanFitOf(debts, application.loan_amount)?.largest ?? null
        if (largest !== null && !confirmedAmounts(session, application))
          applications.change(application, { loan_amount: largest, session_id: null })
        return c.redirect(`/applications/${application.id}`, 303)
      })

      // The link to the borrower's own page works once, so each click creates one.
      .post('/applications/:id/manage', async c => {
        const application = own(c)
        if (!application) return c.notFound()
        return c.redirect(
          await network.manageUrl(application, new URL(`/applications/${application.id}`, c.req.url).href),
          303,
        )
      })

      // The page reports only that the borrower confirmed. The confirmed amounts are read from the service.
      .post('/applications/:id/confirmed', async c => {
        const application = own(c)
        if (!application) return c.json({ message: 'No such application.' }, 404)
        const allocations = confirmedAmounts(await network.session(application), application)
        if (!allocations) return c.json({ message: 'You haven’t confirmed the payments yet. Choose them again.' }, 409)
        const amounts = Object.values(allocations).filter(amount => amount > 0)
        return c.json({ accounts: amounts.length, total: amounts.reduce((sum, amount) => sum + amount, 0) })
      })
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function readFields(body: Record<string, unknown>): Form {
  const text = (name: string): string => {
    const value = body[name]
    return typeof value === 'string' ? value.trim().slice(0, 60) : ''
  }
  const form = {
    first_name: text('first_name'),
    last_name: text('last_name'),
    phone: text('phone'),
    amount: text('amount'),
  }
  return { id: UUID.test(text('id')) ? text('id') : globalThis.crypto.randomUUID(), ...form }
}
