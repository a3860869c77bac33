import { refusedPhone } from '../../apps/api/dist/sandbox/tables/inputs.js'
import { people } from '../../apps/api/dist/sandbox/tables/people.js'

/** Returns the phone number of the sandbox person whose scenario contains the text. */
function phoneOf(text) {
  const person = people.find(({ scenario }) => scenario.includes(text))
  if (!person) throw new Error(`No person of the sandbox has the scenario “${text}”.`)
  return person.phone
}

/** The phone numbers of the people that the cases use, named for what is special about them. */
export const phones = {
  refused: refusedPhone,
  mixed: phoneOf('Five mixed accounts'),
  payable: phoneOf('Four accounts, all payable'),
  birthDate: phoneOf('Two bureaus'),
  allDetails: phoneOf('date of birth, the address and the last four'),
  questions: phoneOf('knowledge questions'),
  thinFile: phoneOf('thin credit file'),
  frozenFile: phoneOf('frozen credit file'),
  slow: phoneOf('Slow institutions'),
  unpaid: phoneOf('PAYMENT_REFUSED_BY_RAIL'),
  small: phoneOf('Two small debts'),
  changing: phoneOf('changes automatically'),
  standard: phoneOf('standard test person'),
  joint: phoneOf('auto loan held jointly'),
}
