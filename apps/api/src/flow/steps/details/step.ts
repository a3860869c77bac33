import type { MissingDetail } from '@causeway/connector/ports/identity'
import type { StepData, StepError } from '@causeway/contract/session'
import { isVisible, MAX_ADDRESS_LENGTHS, type NameFault, nameFaultOf } from '@causeway/contract/values/name'
import { isState, stateOfZip } from '@causeway/contract/values/states'
import { z } from 'zod'
import { matchLimit, unusedAttempts } from '../../../people/entities/attempts.js'
import { isBirthday } from '../../../people/entities/input.js'
import { detailsOf, typedFields } from '../../../people/holders/entity.js'
import { readDetails } from '../../../people/holders/show-entity.js'
import { parse } from '../../../platform/http/request/body.js'
import { tryCount } from '../../../platform/limits/counters.js'
import { askedFields, type Facts, isTyped } from '../../session/facts.js'
import type { LockedSession } from '../../session/locked-session.js'
import { changeProgress, inTransaction, noErrors, stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'
import { saveTypedDetails } from '../typed-details.js'

const schema = z.record(z.string(), z.unknown())

export const details = defineStep({
  name: 'details',
  flow: 'identity_verification',
  changesPerson: true,
  digits: ['dob', 'zip', 'ssn_4'],
  tries: { most: matchLimit.max, left: ({ attempts }) => attempts.matches.left },
  show(facts, scope) {
    const details = readDetails(scope, facts.entity)
    const stored: Record<string, unknown> = { ...details, ...details.address }
    const fields = (['name', 'dob', 'address'] as const)
      // mutant: details-of-own-session (remove)
      .filter(field => facts.progress.typed.includes(field))
    const typed = typedFields(facts.entity)
    const names = fields.flatMap(field => detailsOf[field]).filter(name => typed.has(name) && stored[name] !== null)
    const values = Object.fromEntries(names.map(name => [name, stored[name]]))
    if (typed.has('last_name') && values['first_name'] && details.last_name === null) values['last_name'] = ''
    return { fields: askedFields(facts), values: values as StepData['details']['values'] }
  },
  async take(call, input) {
    const given = Object.fromEntries(
      Object.entries(parse(schema, input, 'input')).flatMap(([key, value]) =>
        typeof value === 'string' ? [[key, value.trim()]] : [],
      ),
    )
    if (input['one_name'] === true) Object.assign(given, { one_name: 'true', last_name: '' })
    const fields = askedFields(call.facts)
    const errors = fields.flatMap(field => checks[field](given, call.scope.now))
    if (errors.length > 0) return errors
    const pick = (...names: string[]) => Object.fromEntries(names.map(name => [name, given[name] || null]))
    await inTransaction(call, async tx => {
      // The call has locked the entity together with the session.
      const { entity } = call.facts
      const old = readDetails(tx, entity)
      const stored: Record<string, unknown> = { ...old, ...old.address }
      // The person no longer needs to type details that the customer has since sent.
      const open = fields.filter(
        field => isTyped(entity, field) || detailsOf[field].some(name => name !== 'line2' && stored[name] === null),
      )
      const next = {
        ...old,
        ...(open.includes('name') ? pick('first_name', 'last_name') : {}),
        ...(open.includes('dob') ? pick('dob') : {}),
        ...(open.includes('ssn_4') ? pick('ssn_4') : {}),
        ...(open.includes('address')
          ? {
              address: {
                ...old.address,
                ...pick('line1', 'line2', 'city', 'zip'),
                state: given['state']?.toUpperCase() ?? null,
              },
            }
          : {}),
      }
      // The person went back to the matched details and changed none of them.
      if (entity.matched === 1 && JSON.stringify(next) === JSON.stringify(old))
        return changeProgress(call, tx, () => ({ revising: false }))
      const taken = await tryCount(tx, matchLimit, entity.id)
      // Another session used up the attempts. A match that was already found remains valid.
      if (taken === null) return changeProgress(call, tx, () => ({ revisable: false, revising: false }))
      const names = open.flatMap(field => detailsOf[field])
      const saved = await saveTypedDetails(tx, entity, next, names)
      if (call.held)
        Object.assign(call.held, {
          isStale: true,
          entity: saved,
          // If the details still match a person, the limit applies to the questions instead.
          ...(saved.matched === 0 && { attempts: { ...unusedAttempts(tx), matches: taken } }),
        } satisfies Partial<LockedSession>)
      await changeProgress(call, tx, progress => ({
        missing: null,
        revisable: taken.left > 0,
        revising: false,
        typed: [...new Set([...progress.typed, ...fields])],
      }))
    })
    return noErrors
  },
  notice: (facts, stayed) => (stayed && noMatch(facts) ? stepErrors(null, 'no_match') : noErrors),
})

/** Returns true if the person has already typed every requested detail, but the details don't match anyone. */
const noMatch = (facts: Facts) => askedFields(facts).every(field => facts.progress.typed.includes(field))

const faultCodes: Readonly<Record<NameFault, string>> = {
  empty: 'required',
  too_long: 'too_long',
  hidden: 'invalid',
  no_letter: 'invalid',
}

const checks: Record<Exclude<MissingDetail, 'phone'>, (input: Record<string, string>, now: number) => StepError[]> = {
  name: input =>
    (input['one_name'] ? ['first_name'] : ['first_name', 'last_name']).flatMap(field => {
      const fault = nameFaultOf(input[field] ?? '')
      return fault ? stepErrors(field, faultCodes[fault]) : []
    }),
  dob: (input, now) => {
    const dob = input['dob']
    if (!dob) return stepErrors('dob', 'required')
    if (!isBirthday(dob, now)) return stepErrors('dob', 'invalid')
    return Date.parse(`${Number(dob.slice(0, 4)) + 18}${dob.slice(4)}T00:00:00.000Z`) > now
      ? stepErrors('dob', 'too_young')
      : []
  },
  address: input => [
    ...['line1', 'city', 'state', 'zip'].flatMap(field => (input[field] ? [] : stepErrors(field, 'required'))),
    ...Object.entries(MAX_ADDRESS_LENGTHS).flatMap(([field, most]) => {
      const line = input[field] ?? ''
      return line.length > most ? stepErrors(field, 'too_long') : isVisible(line) ? [] : stepErrors(field, 'invalid')
    }),
    ...(input['state'] && !isState(input['state']) ? stepErrors('state', 'invalid') : []),
    ...(input['zip'] && (!/^\d{5}(-\d{4})?$/.test(input['zip']) || stateOfZip(input['zip']) === null)
      ? stepErrors('zip', 'invalid')
      : []),
  ],
  ssn_4: input =>
    !input['ssn_4']
      ? stepErrors('ssn_4', 'required')
      : /^\d{4}$/.test(input['ssn_4'])
        ? []
        : stepErrors('ssn_4', 'invalid'),
}
