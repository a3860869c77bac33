/**
 * Loads the module of each screen. The first screen is part of the app. The others are fetched when needed or shortly
 * before.
 */
import type { SessionView, Step } from '@causeway/contract/session'
import type { Fault } from '../frame-client.js'
import laterStyles from '../styles/later.css?url'
import { completeLanguage, type Language } from '../words/language.js'
import './consent/consent.js'
import type { Screen } from './screen.js'

const screens: Record<Step, () => Promise<unknown>> = {
  consent: async () => undefined,
  phone: () => import('./phone/phone.js'),
  code: () => import('./code/code.js'),
  details: () => import('./details/details.js'),
  questions: () => import('./questions/questions.js'),
  link: () => import('./link/link.js'),
  discovering: () => import('./discovering/discovering.js'),
  selection: () => import('./selection/selection.js'),
  number: () => import('./number/number.js'),
  deposits: () => import('./deposits/deposits.js'),
  card: () => import('./card/card.js'),
  allocation: () => import('./allocation/allocation.js'),
  review: () => import('./review/review.js'),
  done: () => import('./done/done.js'),
  manage: () => import('./manage/manage.js'),
  blocked: () => import('./blocked/blocked.js'),
}

/**
 * The screens that are likely to follow each step. These screens load during the step's call so that they are ready
 * when the response arrives.
 */
const likelyNextSteps: Partial<Record<Step, readonly Step[]>> = {
  consent: ['phone', 'discovering'],
  phone: ['code'],
  code: ['details', 'discovering', 'manage'],
  details: ['questions', 'discovering'],
  questions: ['discovering', 'done'],
  discovering: ['selection'],
  selection: ['number', 'card', 'allocation', 'done'],
  number: ['allocation'],
  deposits: ['done'],
  card: ['done'],
  allocation: ['review'],
  review: ['done'],
  done: ['allocation'],
  manage: ['done'],
}

let laterStylesLoad: Promise<void> | null = null

/** Adds the styles of all screens after the first. A later call adds them again only if they failed to load. */
export function loadStyles(): Promise<void> {
  laterStylesLoad ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = laterStyles
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      laterStylesLoad = null
      reject(new Error('The styles did not load.'))
    }
    document.head.append(link)
  })
  return laterStylesLoad
}

export function prefetchNextScreens(step: Step, language: Language): void {
  // Ignore failures here, because the actual load reports them.
  void completeLanguage(language).catch(() => undefined)
  loadStyles().catch(() => undefined)
  for (const next of likelyNextSteps[step] ?? []) screens[next]().catch(() => undefined)
}

export interface ScreenProperties {
  view: SessionView
  language: Language
  busy: boolean
  fault: Fault | null
  isStep: boolean
  retry: () => void
  now: () => number
}

export type AnyScreen = Screen<Step>

/**
 * Loads a step's screen with its text and styles, and creates its element. The first screen's text and styles are
 * already part of the app.
 */
export async function createScreen(step: Step, language: Language): Promise<[AnyScreen, Language]> {
  const rest = step === 'consent' ? [language] : [completeLanguage(language), loadStyles()]
  const [spoken] = (await Promise.all([...rest, screens[step]()])) as [Language]
  return [document.createElement(`screen-${step}`) as AnyScreen, spoken]
}

/** Updates a screen's properties. One element renders every view of its step and keeps the person's input. */
export function updateScreen(screen: AnyScreen, shown: ScreenProperties): void {
  Object.assign(screen, shown)
}
