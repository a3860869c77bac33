/** Draws the sandbox's logos and card art. Uses monograms, to avoid any institution's trademarks. */

const colors = ['#1f4e79', '#2e6b4f', '#7a3b69', '#8a4b1f', '#3f3f8f', '#6b2d2d', '#2f5d62', '#5a5a1e']

const colorOf = (text: string) =>
  colors[[...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9_973, 7) % colors.length]!

/** Returns the first letters of the first two words. Keeps only letters, so the result contains no markup. */
const monogram = (name: string) =>
  (name.match(/\p{L}+/gu) ?? ['?'])
    .slice(0, 2)
    .map(word => word[0]!.toUpperCase())
    .join('')

const text = (x: number, y: number, size: number, letters: string) =>
  `<text x="${x}" y="${y}" font-family="Helvetica, Arial, sans-serif" font-size="${size}" font-weight="600" fill="#ffffff" text-anchor="middle" dominant-baseline="central">${letters}</text>`

/**
 * Draws a square logo.
 * @returns SVG
 */
export const drawLogo = (name: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" rx="20" fill="${colorOf(name)}"/>${text(48, 49, 40, monogram(name))}</svg>`

/**
 * Draws the front of a card. The color of the stripe depends on the design.
 * @returns SVG
 */
export const drawCard = (name: string, design: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 202" width="320" height="202"><rect width="320" height="202" rx="14" fill="${colorOf(name)}"/><rect y="132" width="320" height="18" fill="${colorOf(design)}"/><rect x="28" y="62" width="44" height="32" rx="6" fill="#d8c58a"/>${text(272, 40, 34, monogram(name))}</svg>`

/** The paths of a merchant's logo and a card's art, relative to the API's origin. */
export const logoPath = (merchant: string): string => `/assets/merchants/${merchant}.svg`
export const cardPath = (brand: string): string => `/assets/cards/${brand}.svg`
