import { ServiceError } from '@causeway/contract/errors'

const pattern = /^P(?=.)(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/
const units = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000]

/** An ISO 8601 duration of weeks to seconds, such as `P3D` or `PT30S`, in ms. @param max ms. Throws INVALID_REQUEST. */
export function readDuration(value: unknown, field: string, example: string, max: number): number {
  const parts = typeof value === 'string' ? pattern.exec(value) : null
  if (!parts) throw new ServiceError('INVALID_REQUEST', `${field} must be an ISO 8601 duration such as ${example}.`)
  const ms = units.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0)
  if (ms > max) throw new ServiceError('INVALID_REQUEST', `${field} must be at most ${max / 86_400_000} days.`)
  return ms
}
