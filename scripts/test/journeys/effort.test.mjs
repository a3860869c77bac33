import { describe, expect, it } from 'vitest'
import { measured, sumOf, sumOfAll } from './effort.mjs'

/**
 * Simulates a frame with one field and a button that leads to the next screen. Pressing the field focuses it.
 * @param screens the text of each screen
 * @param field the field's value, whether it is selected, and whether it has focus
 */
function frame(screens, field = {}) {
  const state = { value: '', isSelected: false, hasFocus: false, ...field }
  let at = 0
  const elements = {
    body: { evaluate: async () => screens[at] },
    button: {},
    field: {
      async evaluate(run) {
        const { value, isSelected } = state
        const element = { value, selectionStart: 0, selectionEnd: isSelected ? value.length : 0 }
        element.ownerDocument = { activeElement: state.hasFocus ? element : null }
        return run(element)
      },
    },
  }
  const driver = {
    find: async ({ css }) => elements[css],
    async click(element) {
      if (element === elements.button) at += 1
      else state.hasFocus = true
    },
    async fill(_element, text) {
      state.value = text
    },
  }
  const surfaceOf = ({ find, click, fill }) => ({
    at: async () => undefined,
    press: async () => click(await find({ css: 'button' })),
    fill: async (_label, text) => fill(await find({ css: 'field' }), text),
  })
  return measured(driver, surfaceOf)
}

describe('the effort of a journey', () => {
  it('counts the taps of the flow and the words of each of its screens, and nothing of the page’s', async () => {
    const { page, flow, visits } = frame([[], ['Ready?', 'Yes · no'], ['Ready?', 'All is done']])
    await page.press('Open')
    await flow.at('Ready?')
    await flow.press('Yes')
    await flow.at('All is done')
    expect(visits).toEqual([
      {
        opener: 'Open',
        outside: 1,
        screens: [
          { title: 'Ready?', taps: 1, keystrokes: 0, words: 3 },
          { title: 'All is done', taps: 0, keystrokes: 0, words: 3 },
        ],
      },
    ])
    expect(sumOf(visits[0])).toEqual({ screens: 2, taps: 1, keystrokes: 0, words: 6, seconds: 1.44 })
  })

  it('adds the taps on the page before each visit to those in the flow', async () => {
    const { page, flow, visits } = frame(Array(6).fill(['One']))
    await page.press('Continue')
    await page.press('Link')
    await flow.at('One')
    await flow.press('Agree')
    await page.press('Pay')
    await flow.at('Two')
    await flow.press('Confirm')
    await page.press('Leave')
    expect(sumOfAll(visits)).toMatchObject({ taps: 5, keystrokes: 0 })
  })

  it('counts a text that appears twice at once or appears later, and no text that is repeated', async () => {
    const texts = ['Credit card', 'Credit card']
    const { flow, visits } = frame([texts, ['Credit card']])
    await flow.at('Accounts')
    texts.push('One chosen')
    await flow.press('Continue')
    await flow.at('Review')
    expect(visits[0].screens).toMatchObject([{ words: 6 }, { words: 0 }])
  })

  it('counts a text once even if its indentation changes', async () => {
    const { flow, visits } = frame([['\n  Agree to\n  both\n'], ['Agree to both']])
    await flow.at('Ready?')
    await flow.press('Agree')
    await flow.at('Done')
    expect(visits[0].screens.map(({ words }) => words)).toEqual([3, 0])
  })

  it('counts a tap for a field without focus, and the characters to delete unless they are selected', async () => {
    const fields = [
      [{}, { taps: 1, keystrokes: 4 }],
      [{ hasFocus: true }, { taps: 0, keystrokes: 4 }],
      [{ value: '4,120.55' }, { taps: 1, keystrokes: 12 }],
      [
        { value: '4,120.55', isSelected: true },
        { taps: 1, keystrokes: 4 },
      ],
    ]
    for (const [field, expected] of fields) {
      const { flow, visits } = frame([['Amount']], field)
      await flow.at('Amount')
      await flow.fill('Amount', '3500')
      expect(visits[0].screens).toMatchObject([expected])
    }
  })

  it('starts another visit, in which everything is read, when the page opens the flow again', async () => {
    const { page, flow, visits } = frame([[], ['One'], ['One']])
    await page.press('Link')
    await flow.at('One')
    await page.press('Pay')
    await flow.at('One')
    expect(visits).toMatchObject([
      { opener: 'Link', screens: [{ words: 1 }] },
      { opener: 'Pay', screens: [{ words: 1 }] },
    ])
  })

  it('takes a minute for 250 words, and another for 200 keystrokes', () => {
    expect(sumOf({ screens: [{ taps: 0, keystrokes: 200, words: 250 }] }).seconds).toBe(120)
  })
})
