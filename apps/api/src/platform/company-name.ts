import { nameFaultOf } from '@causeway/contract/values/name'

/**
 * Returns the name of a company that receives a person's data, without surrounding spaces. Returns null for a name that
 * is unreadable or has more than `maxLength` characters.
 */
export function companyName(text: string, maxLength: number): string | null {
  const name = text.trim()
  return nameFaultOf(name, maxLength) === undefined ? name : null
}
