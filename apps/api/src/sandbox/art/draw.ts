/** Draws the sandbox's logos and card art. Uses marks of our own, to avoid any institution's trademarks. */
import { marks } from './marks.js'

const colors = ['#1f4e79', '#2e6b4f', '#7a3b69', '#8a4b1f', '#3f3f8f', '#6b2d2d', '#2f5d62', '#5a5a1e']

const numberOf = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9_973, 7)
const oneOf = <Item>(items: readonly Item[], text: string): Item => items[numberOf(text) % items.length]!

/** Returns the first letters of the first two words. Keeps only letters, so the result contains no markup. */
const monogram = (name: string) =>
  (name.match(/\p{L}+/gu) ?? ['?'])
    .slice(0, 2)
    .map(word => word[0]!.toUpperCase())
    .join('')

const letters = (name: string) =>
  `<text x="48" y="49" font-family="Helvetica, Arial, sans-serif" font-size="40" font-weight="600" text-anchor="middle" dominant-baseline="central">${monogram(name)}</text>`

/** Returns the color and white shapes, in a box of 96 by 96, for an institution. Unknown ones have a monogram. */
const markOf = (name: string) =>
  Object.hasOwn(marks, name) ? marks[name]! : { color: oneOf(colors, name), shapes: letters(name) }

/** Patterns for the background of a card of 320 by 202. */
const patterns = [
  '<circle cx="300" cy="190" r="150"/><circle cx="300" cy="190" r="95"/>',
  '<path d="M0 120c80-50 160-50 240 0 30 18 56 24 80 20v62H0z"/><path d="M0 160c80-40 160-40 240 0 30 14 56 18 80 14v28H0z"/>',
  '<path d="M180 0h60L120 202H60zM270 0h50v20L210 202h-60z"/>',
  '<path d="M320 0v202H120z"/><path d="M320 70v132H190z"/>',
]

/**
 * Draws a square logo.
 * @returns SVG
 */
export const drawLogo = (name: string): string => {
  const { color, shapes } = markOf(name)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" rx="20" fill="${color}"/><g fill="#ffffff">${shapes}</g></svg>`
}

/**
 * Draws the front of a card. The pattern and its color depend on the design.
 * @returns SVG
 */
export const drawCard = (name: string, design: string): string => {
  const { color, shapes } = markOf(name)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 202" width="320" height="202"><rect width="320" height="202" rx="14" fill="${color}"/><g fill="${oneOf(['#ffffff', '#000000', '#f2c14e', '#7fd1c7'], design)}" fill-opacity="0.2">${oneOf(patterns, design)}</g><rect x="28" y="78" width="52" height="40" rx="8" fill="#e2cd8b"/><path d="M28 98h52M54 78v40" stroke="#a58c46" stroke-width="3"/><g fill="#ffffff" transform="translate(176 2) scale(1.4)">${shapes}</g><path d="M28 160h100" stroke="#ffffff" stroke-width="12" stroke-dasharray="22 4" stroke-opacity="0.7"/></svg>`
}

/** The paths of a merchant's logo and a card's art, relative to the API's origin. */
export const logoPath = (merchant: string): string => `/assets/merchants/${merchant}.svg`
export const cardPath = (brand: string): string => `/assets/cards/${brand}.svg`
