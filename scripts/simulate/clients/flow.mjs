/** Walks through the steps of the flow as a person does. */
import { answer } from '../../torture/answer.mjs'
import { foundNumber, payable, pickInstitution, typedIssuer, typedNumber } from './inputs.mjs'

const FRAME_ORIGIN = 'https://frame.causeway.example'
/** The options of a request from the frame. @param secret the bearer, or null */
const frame = secret => ({ listener: 'frame', secret, headers: { origin: FRAME_ORIGIN } })

/** Redeems a token as one tab. */
export const redeem = (api, random, token) =>
  api.ask(
    'POST',
    '/s/redeem',
    { token, exchange_id: random.hex(32), origin: 'http://127.0.0.1:4300', mode: null },
    frame(null),
  )

/** True at a step after which nothing follows. */
const isLast = ({ step, data }) => step === 'done' || (step === 'blocked' && !data.can_add_card)

/** The number of steps after which a person gives up. */
const MAX_STEPS = 60

/** A card that a person types if none was found. */
const card = {
  number: typedNumber,
  exp_month: '03',
  exp_year: '2028',
  cvv: '878',
  billing_zip_code: '78758',
}

function enterCard({ account, issuers, fields }) {
  const number = account?.mask === foundNumber.slice(-4) ? foundNumber : account && cardNumber(account.mask)
  const all = { ...card, ...(number && { number }) }
  const values = Object.fromEntries(fields.map(field => [field, all[field]]))
  return {
    action: 'submit',
    ...values,
    ...(account ? {} : { issuer: (issuers.find(({ id }) => id === typedIssuer) ?? issuers[0])?.id }),
  }
}

/** Chooses the card whose number is known or, without it, all accounts that the person may choose. */
function select(view) {
  const { accounts, ...input } = answer(view)
  const numbered = view.data.accounts.filter(({ id, mask }) => accounts.includes(id) && mask === foundNumber.slice(-4))
  const chosen = numbered.length > 0 ? numbered.map(({ id }) => id) : accounts
  return { ...input, accounts: view.data.kind === 'single' ? chosen.slice(0, 1) : chosen }
}

/** The details that a person types. */
const details = {
  action: 'submit',
  first_name: 'Kevin',
  last_name: 'Doyle',
  dob: '1980-05-05',
  line1: '1 Elm Street',
  city: 'Austin',
  state: 'TX',
  zip: '78705',
  ssn_4: '3333',
}

/** Returns the answer that the sandbox marks as correct. */
const rightAnswer = ({ id, answers }) => ({
  question_id: id,
  answer_id: answers.find(({ text }) => text.endsWith('(Correct)')).id,
})

/** Returns a number with a right check digit that ends in a card's last digits. */
function cardNumber(mask) {
  const luhn = text =>
    [...text].reverse().reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
      return sum + (value > 9 ? value - 9 : value)
    }, 0)
  for (let free = 0; ; free += 1) {
    const number = `41111111111${free}${mask}`
    if (luhn(number) % 10 === 0) return number
  }
}

/**
 * Creates the function that returns the input with which a person continues, null to wait, or undefined to stop.
 * @param phone the person's phone
 * @param amountsOf returns the amounts of the deposits to an account
 * @param browse signs in to an institution on Plaid's page; null if institutions are not linked
 */
export function createInputs({ random, codeOf, browse, phone = payable.phone, amountsOf }) {
  const institution = pickInstitution(random)
  /** How often the person has been on each page. */
  const visits = new Map()
  let hasManaged = false

  async function link({ url, waiting, repairs, institutions }) {
    if (repairs === null && institutions.length > 0) return { action: 'continue' }
    if (!waiting) return { action: 'open' }
    const count = (visits.get(url) ?? 0) + 1
    visits.set(url, count)
    // A page that has expired at Plaid shows nothing.
    if (count > 2) return { action: 'add' }
    await browse(url, institution)
    return { action: 'check' }
  }

  async function verifyDeposits({ state, account }) {
    if (state === 'offer') return { action: 'send' }
    if (state === 'sent') return { action: 'enter' }
    const [first, second] = await amountsOf(account.id)
    return { action: 'submit', first, second }
  }

  function manage({ accounts, institutions }) {
    if (hasManaged) return undefined
    hasManaged = true
    const [account] = accounts
    const [institution] = institutions
    if (institution && random.chance(0.5)) return { action: 'disconnect', institution: institution.id }
    if (account && random.chance(0.5)) return { action: 'withdraw', account: account.id }
    return { action: 'withdraw_all' }
  }

  return async view => {
    switch (view.step) {
      case 'code':
        return { action: 'verify', code: codeOf(phone) ?? '999999' }
      case 'details':
        return details
      case 'questions':
        return { action: 'answer', answers: view.data.questions.map(rightAnswer) }
      case 'selection':
        return select(view)
      case 'link':
        return link(view.data)
      case 'number':
        return { action: 'submit', number: cardNumber(view.data.account.mask) }
      case 'deposits':
        return verifyDeposits(view.data)
      case 'blocked':
        return { action: 'add_card' }
      case 'card':
        return enterCard(view.data)
      case 'manage':
        return manage(view.data)
      default:
        return answer(view)
    }
  }
}

/**
 * Walks through the steps until the last one.
 * @param inputOf see `createInputs`
 * @param tabs the number of tabs that send a step's input at the same time
 * @param interrupt called before each step. Returns `{ bearer, view }` to continue with, null to stop, or undefined
 * @returns the last view
 */
export async function walk(api, opened, { inputOf, tabs = () => 1, interrupt = async () => undefined }) {
  let { bearer, view } = opened
  for (let count = 0; count < MAX_STEPS && !isLast(view); count += 1) {
    const other = await interrupt()
    if (other === null) return view
    if (other) ({ bearer, view } = other)
    const look = async () => (await api.ask('GET', '/s', undefined, frame(bearer))).json
    const input = await inputOf(view)
    if (input === undefined) return view
    if (input === null) {
      await api.pause(500)
      view = await look()
    } else {
      const step = { revision: view.revision, input }
      const send = () => api.ask('POST', `/s/steps/${view.step}`, step, frame(bearer))
      const replies = await Promise.all(Array.from({ length: tabs() }, send))
      // If no reply is a view, another tab or an earlier attempt was faster.
      view = replies.find(({ status }) => status === 200)?.json ?? (await look())
    }
    // The session has ended.
    if (!view?.step) return view
  }
  return view
}
