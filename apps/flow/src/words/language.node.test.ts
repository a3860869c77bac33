import { expect, test } from 'vitest'
import { browserLocales } from './language.js'

test('lists the languages of a browser that names only one, or none', () => {
  const list = (navigator: object) => browserLocales(navigator as never)
  expect(list({ languages: ['es', 'en'], language: 'es' })).toEqual(['es', 'en'])
  expect(list({ languages: undefined, language: 'es' })).toEqual(['es'])
  expect(list({ languages: null })).toEqual([])
  expect(list({ languages: [undefined, 'ar'] })).toEqual(['ar'])
})
