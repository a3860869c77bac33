import { CausewayError } from '@causeway/sdk'
import { type Context, Hono } from 'hono'
import type { Application, Applications } from './applications.js'
import { confirmedAmounts, type Network, unpaidOf } from './network.js'
import type { SiteOf } from './site.js'
import { timelineOf } from './timeline.js'
import { casePage } from './views/case.js'
import { casesPage } from './views/cases.js'

interface OperationsDeps {
  applications: Applications
  network: Network
  /** The id of the ACH account that pays out loans. */
  funding: string
  siteOf: SiteOf
}

const DURATIONS = ['P1D', 'P7D']

/** Serves the lender's back office, which a real lender would put behind a staff login. */
export function createOperations({ applications, network, funding, siteOf }: OperationsDeps): Hono {
  const showCase = async (c: Context, application: Application, refusal: CausewayError | null = null) => {
    const { told } = application
    const [debts, session, payments] = await Promise.all([
      network.debts(application),
      network.session(application),
      network.payments(application),
    ])
    const read = { application, debts, session, payments }
    const timeline = await timelineOf(network, read)
    const allocations = confirmedAmounts(session, application)
    return c.html(casePage(siteOf(c), { ...read, told, allocations, timeline, funding, refusal }), refusal ? 409 : 200)
  }

  /** Runs a button's action and shows the case again, including the error if the action was rejected. */
  const act = (action: (c: Context, application: Application) => Promise<unknown>) => async (c: Context) => {
    const application = applications.find(c.req.param('id') ?? '')
    if (!application) return c.notFound()
    try {
      await action(c, application)
    } catch (error) {
      if (error instanceof CausewayError && error.type === 'INVALID_REQUEST') return showCase(c, application, error)
      throw error
    }
    return c.redirect(`/operations/${application.id}`, 303)
  }

  return new Hono()
    .get('/operations', async c => {
      const told = applications.told()
      const search = c.req.query('name') ?? ''
      const rows = await Promise.all(
        applications.named(search).map(async application => {
          const session = await network.session(application)
          const isReleased = session?.bt?.payout_status === 'released'
          return { application, session, payments: isReleased ? await network.payments(application) : [] }
        }),
      )
      return c.html(casesPage(siteOf(c), rows, { told, search }))
    })
    .get('/operations/:id', async c => {
      const application = applications.find(c.req.param('id'))
      return application ? showCase(c, application) : c.notFound()
    })
    .post(
      '/operations/:id/release',
      act(async (_, { session_id }) => session_id && network.release(session_id, funding)),
    )
    .post(
      '/operations/:id/rest',
      act(async (c, application) => {
        const attempt = Number((await c.req.parseBody())['attempt'])
        const [session, payments] = await Promise.all([network.session(application), network.payments(application)])
        if (!session || !Number.isSafeInteger(attempt) || unpaidOf(session, payments).length === 0) return
        const rest = await network.payRest(session, payments, funding, attempt)
        applications.change(application, { rest })
      }),
    )
    .post(
      '/operations/:id/clock',
      act(async c => {
        const { advance } = await c.req.parseBody()
        await network.passTime(DURATIONS.find(duration => duration === advance) ?? 'P1D')
      }),
    )
}
