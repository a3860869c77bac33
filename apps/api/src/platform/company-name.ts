import { isPrintable } from '@causeway/contract/endpoints/endpoint'

/** Line breaks, unpaired surrogates and invisible characters. */
const hidden = /[\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u
/** The joiners that some scripts and emoji need between two other characters. */
const joiners = /(?<=.)[\u200c\u200d](?=.)/gu

/**
 * Returns the name of a company that receives a person's data, without surrounding spaces. Returns null for an
 * unreadable name: one that has more than `most` characters, no letter or digit, or a control or invisible character.
 */
export function companyName(text: string, most: number): string | null {
  const name = text.trim()
  const isReadable = /[\p{L}\p{N}]/u.test(name) && isPrintable(name) && !hidden.test(name.replace(joiners, ''))
  return isReadable && [...name].length <= most ? name : null
}
