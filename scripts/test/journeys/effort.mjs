/**
 * Measures what the flow requires of a person: taps, keystrokes and words to read. The time is an estimate for a person
 * who reads every screen and types without stopping. Text that appears on several screens is counted once. The estimate
 * excludes waiting time and the documents that a screen links to.
 */
import { surface } from './surface.mjs'

const READ_PER_MINUTE = 250
const TYPED_PER_MINUTE = 200
/** The maximum number of seconds for one visit to the flow. */
export const LONGEST = 120

/**
 * Returns the visible text of the page, including the values of its fields. Text for screen readers only, which is one
 * pixel in size, is not visible. Initials in place of a logo count as a picture. A countdown is counted only once,
 * although the time that it shows changes. Runs in the page, so the function must not use anything declared outside it.
 */
function visibleTexts() {
  const isVisible = element => {
    if (!element.checkVisibility({ visibilityProperty: true })) return false
    for (let at = element; at; at = at.parentElement) if (at.offsetWidth <= 1 || at.offsetHeight <= 1) return false
    return true
  }
  const texts = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const { data, parentElement } = nodes.currentNode
    if (!data.trim() || parentElement.closest('.mono, .brand-mark')) continue
    if (isVisible(parentElement)) texts.push(data.replace(/\d+:\d\d/g, '0:00'))
  }
  for (const field of document.querySelectorAll('input:not([type=checkbox], [type=radio])'))
    if (field.value && isVisible(field)) texts.push(field.value)
  return texts
}
const hasFocus = element => element.ownerDocument.activeElement === element
/**
 * Returns the number of characters that a person must delete before typing: all of them, unless they are already
 * selected.
 */
const toDelete = ({ value, selectionStart, selectionEnd }) =>
  selectionEnd - selectionStart === value.length ? 0 : value.length

const wordsIn = text => text.split(/\s+/).filter(each => /[\p{L}\p{N}]/u.test(each)).length

/** Returns the number of seconds needed to read the given number of words and type the given number of characters. */
const secondsFor = ({ words, keystrokes }) => 60 * (words / READ_PER_MINUTE + keystrokes / TYPED_PER_MINUTE)

/** Adds up one measure across all screens of a visit. */
const total = (screens, part) => screens.reduce((sum, screen) => sum + screen[part], 0)

/** Returns what a visit requires: the number of screens, taps, keystrokes, words and seconds. */
export function sumOf({ screens }) {
  const [taps, keystrokes, words] = ['taps', 'keystrokes', 'words'].map(part => total(screens, part))
  return { screens: screens.length, taps, keystrokes, words, seconds: secondsFor({ words, keystrokes }) }
}

/** Returns what all visits of a journey require together, including the taps on the page between them. */
export function sumOfAll(visits) {
  const sums = visits.map(sumOf)
  const all = part => sums.reduce((sum, each) => sum + each[part], 0)
  return {
    taps: all('taps') + visits.reduce((sum, { outside }) => sum + outside, 0),
    keystrokes: all('keystrokes'),
    seconds: all('seconds'),
  }
}

/**
 * Returns the surfaces of a page and its frame for a journey, and records what happens in the frame.
 * @param driver Chromium's driver from drivers.mjs
 * @param surfaceOf creates a surface
 * @returns also `visits`, one for each time that the person opens the flow, with the name of the button that opened it,
 * the number of taps on the page since the last visit, and what each screen requires
 */
export function measured(driver, surfaceOf = surface) {
  const visits = []
  let opener = null
  /** The number of taps on the page since the last visit began. */
  let outside = 0
  let screen = null
  /**
   * The text that the person has read in this visit: each string, with the largest number of copies visible at the same
   * time.
   */
  let known = new Map()

  async function read() {
    const body = await driver.find({ css: 'body' }, true)
    const counts = new Map()
    for (const found of await body.evaluate(visibleTexts)) {
      // The first screen's markup is indented, and the app's screen, which replaces it, is not.
      const text = found.trim().replace(/\s+/g, ' ')
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    for (const [text, count] of counts) {
      const before = known.get(text) ?? 0
      if (count <= before) continue
      screen.words += (count - before) * wordsIn(text)
      known.set(text, count)
    }
  }

  const page = surfaceOf(driver, false)
  const flow = surfaceOf(
    {
      ...driver,
      async click(element) {
        await read()
        screen.taps += 1
        await driver.click(element)
      },
      async fill(element, text) {
        await read()
        // A field that already has focus needs no tap.
        if (!(await element.evaluate(hasFocus))) {
          screen.taps += 1
          await driver.click(element)
        }
        screen.keystrokes += text.length + (await element.evaluate(toDelete))
        await driver.fill(element, text)
      },
    },
    true,
  )
  return {
    visits,
    page: {
      ...page,
      async press(name, ...rest) {
        await page.press(name, ...rest)
        outside += 1
        opener = name
        screen = null
      },
    },
    flow: {
      ...flow,
      async at(title) {
        const found = await flow.at(title)
        if (!screen) {
          visits.push({ opener, outside, screens: [] })
          outside = 0
          known = new Map()
        }
        screen = { title: String(title), taps: 0, keystrokes: 0, words: 0 }
        visits.at(-1).screens.push(screen)
        await read()
        return found
      },
    },
  }
}
