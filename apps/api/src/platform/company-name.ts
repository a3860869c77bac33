import { nameFaultOf } from '@causeway/contract/name'

/**
 * Returns the name of a company that receives a person's data, without surrounding spaces. Returns null for a name that
 * is unreadable or has more than `most` characters.
 */
export function companyName(text: string, most: number): string | null {
  const name = text.trim()
  return nameFaultOf(name, most) === undefined ? name : null
}
