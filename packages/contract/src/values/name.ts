/** The rule for names of people, companies, teams and brands. The service and the flow use the same rule. */

/** The maximum length of a name, in code points. */
export const MAX_NAME_LENGTH = 100

/** Controls, invisible characters, and characters that stand for nothing or for damaged text. */
const hidden =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\ufff9-\ufffd]/u
/**
 * The joiners that some scripts and emoji need between two characters, and the variation selectors of characters that
 * have variants.
 */
const joined =
  /([^\p{Default_Ignorable_Code_Point}])[\u200c\u200d](?=.)|([\p{Emoji}\p{Script=Han}\p{Script=Mongolian}])\p{Variation_Selector}(?:\u200d(?=.))?/gu

/** True for text in which every character can be seen or shapes a character that can be seen. */
export const isVisible = (text: string): boolean => !hidden.test(text.replace(joined, '$1$2'))

export type NameFault = 'empty' | 'too_long' | 'no_letter' | 'hidden'

/**
 * Returns the fault of a name without surrounding spaces, or undefined if it has none.
 * @param most the maximum length, in code points
 */
export function nameFaultOf(name: string, most: number = MAX_NAME_LENGTH): NameFault | undefined {
  if (name === '') return 'empty'
  // A code point is at most two units. Longer text is not searched.
  if (name.length > 2 * most || [...name].length > most) return 'too_long'
  if (!isVisible(name)) return 'hidden'
  return /[\p{L}\p{N}]/u.test(name) ? undefined : 'no_letter'
}

/** The maximum lengths of the lines of an address, in UTF-16 units. */
export const MAX_ADDRESS_LENGTHS = { line1: 200, line2: 200, city: 100 } as const
