/** The number of a bank account that ACH can reach. */
export const achNumberPattern = /^\d{4,17}$/

/** Returns true for nine digits with a valid American Bankers Association check digit. */
export function isRouting(text: string): boolean {
  const weights = [3, 7, 1]
  return (
    /^\d{9}$/.test(text) && [...text].reduce((sum, digit, at) => sum + Number(digit) * weights[at % 3]!, 0) % 10 === 0
  )
}
