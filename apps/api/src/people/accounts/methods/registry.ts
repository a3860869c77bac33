import { cardMethods } from './card/method.js'
import { linkingProviders } from './linking-provider/method.js'
import type { Method } from './method.js'
import { microDeposits } from './micro-deposits/method.js'
import { standard } from './standard/method.js'
import { vouched } from './vouched/method.js'

/** All verification methods. To add a method, write its definition and list it here. */
const all: readonly Method[] = [microDeposits, ...linkingProviders, ...vouched, standard, ...cardMethods]

/** All verification methods by session type. */
export const methods: Readonly<Record<string, Method>> = Object.fromEntries(all.map(each => [each.name, each]))
