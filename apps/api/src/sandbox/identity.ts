import type { Identity, IdentityDetails, KbaQuestion, MissingDetail } from '@causeway/connector/ports/identity'
import { isTestExchange, US_PHONE } from '@causeway/contract/values/phones'
import { foldText } from '../platform/name-words.js'
import { digest, pick } from './digest.js'
import { carrier, codes, deniedPhone, refusedDetails, refusedPhone, screened } from './tables/inputs.js'
import { type Person, people } from './tables/people.js'
import { lastAnswer, perRound, questions } from './tables/questions.js'

const allDetails: readonly MissingDetail[] = ['dob', 'address', 'ssn_4']

/** The people's numbers with the exchange that is reserved for tests. */
export const testPhones: ReadonlySet<string> = new Set(people.map(({ phone }) => phone).filter(isTestExchange))

/** The sandbox's phones, bureaus and knowledge questions. */
export const identity: Identity = {
  async sendCode({ phone }) {
    return { status: phone === refusedPhone || !US_PHONE.test(phone) ? 'refused' : 'sent' }
  },

  async checkCode({ code }) {
    if (code === codes.expired) return { status: 'expired' }
    return { status: /^\d{6}$/.test(code) && code !== codes.incorrect ? 'correct' : 'incorrect' }
  },

  async beginSna({ phone, request_id }) {
    if (phone === refusedPhone) return { status: 'refused' }
    const links = ['a', 'b'].map(part => `sna_vrf_${digest('sna', request_id, part).slice(0, 13)}`)
    return { status: 'ready', urls: links.map(link => `${carrier}/sna/${request_id}/${link}`) }
  },

  async checkSna({ phone }) {
    return { status: phone === deniedPhone ? 'incorrect' : 'correct' }
  },

  async match({ details }) {
    const refused = screened[details.ssn ?? '']
    if (refused) return { matched: false, missing: [], refused }
    const person = people.find(one => one.phone === details.phone)
    const required: MissingDetail[] = ['name', 'phone', ...(person ? person.asks : allDetails)]
    const missing = required.filter(field => !isKnown(field, details))
    if (missing.length > 0) return { matched: false, missing }
    if (!person || isRefused(person, details)) return { matched: false, missing: [] }
    return { matched: true, person: person.reference, questions: person.questions === true }
  },

  async questions({ person, round }) {
    return { questions: roundOf(person, round).map(({ id, text, answers }) => ({ id, text, answers })) }
  },

  async answer({ person, round, answers }) {
    const questions = roundOf(person, round)
    const isCorrect = questions.every(question => {
      const chosen = answers.filter(answer => answer.question_id === question.id)
      return chosen.length === 1 && chosen[0]?.answer_id === question.right
    })
    return { status: isCorrect ? 'correct' : 'incorrect' }
  },
}

function isKnown(field: MissingDetail, details: IdentityDetails): boolean {
  const { address } = details
  if (field === 'name') return Boolean(details.first_name)
  if (field === 'phone') return Boolean(details.phone)
  if (field === 'dob') return Boolean(details.dob)
  if (field === 'address') return Boolean(address.line1 && address.city && address.state && address.zip)
  return lastFour(details) !== null
}

function isRefused(person: Person, details: IdentityDetails): boolean {
  if (foldText(details.last_name ?? '') === foldText(refusedDetails.last_name)) return true
  if (!person.asks.includes('ssn_4')) return false
  const ssn_4 = lastFour(details) ?? ''
  return person.ssn_4 ? !person.ssn_4.includes(ssn_4) : ssn_4 === refusedDetails.ssn_4
}

function lastFour(details: IdentityDetails): string | null {
  return details.ssn_4 || details.ssn?.slice(-4) || null
}

/**
 * Returns the questions in a round, each with the id of its correct answer. The questions repeat after all of them have
 * been used.
 */
function roundOf(reference: string, round: number): (KbaQuestion & { right: string })[] {
  if (!people.find(person => person.reference === reference)?.questions) return []
  return Array.from({ length: perRound }, (_, index) => {
    const { text, answers } = questions[(round * perRound + index) % questions.length]!
    const id = (prefix: string, answer: string) => prefix + digest(reference, round, index, answer).slice(0, 13)
    const shift = pick(answers.length, 'order', reference, round, index)
    const order = [...answers.slice(shift), ...answers.slice(0, shift), lastAnswer]
    return {
      id: id('qtn_', ''),
      text,
      right: id('ans_', answers[0]),
      answers: order.map(answer => ({
        id: id('ans_', answer),
        text: `${answer} (${answer === answers[0] ? 'Correct' : 'Incorrect'})`,
      })),
    }
  })
}
