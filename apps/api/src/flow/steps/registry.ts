import type { Step } from '@causeway/contract/session'
import { allocation } from './allocation/step.js'
import { blocked } from './blocked/step.js'
import { card } from './card/step.js'
import { code } from './code/step.js'
import { consent } from './consent/step.js'
import type { StepDeclaration } from './define-step.js'
import { deposits } from './deposits/step.js'
import { details } from './details/step.js'
import { discovering } from './discovering/step.js'
import { done } from './done/step.js'
import { manage } from './manage/step.js'
import { number } from './number/step.js'
import { phone } from './phone/step.js'
import { questions } from './questions/step.js'
import { review } from './review/step.js'
import { selection } from './selection/step.js'

/** All of the flow's steps, by name. `steps` in the contract defines their order. */
export const registry: { readonly [S in Step]: StepDeclaration<S> } = {
  consent,
  phone,
  code,
  details,
  questions,
  discovering,
  selection,
  number,
  deposits,
  card,
  allocation,
  review,
  done,
  manage,
  blocked,
}
