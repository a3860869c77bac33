import { expect, it } from 'vitest'
import { typeOf } from './image.js'

it.each<[string, string | undefined]>([
  ['<?xml version="1.0"?>\n<!-- drawn by hand -->\n<svg/>', 'image/svg+xml'],
  ['\uFEFF<svg xmlns="x">', 'image/svg+xml'],
  ['<svgx>', undefined],
  ['<html><svg></svg></html>', undefined],
  ['GIF89a...', 'image/gif'],
  ['RIFFabcdWEBPVP8 ', 'image/webp'],
  ['RIFFabcdWAVE', undefined],
  ['', undefined],
])('%j is %s', (text, type) => expect(typeOf(Buffer.from(text))).toBe(type))
