/**
 * Splits names into the words by which they are searched and compared. Stored names and queries use the same folding, so
 * they match whatever their case, accents, composition, width, apostrophes, hyphens and suffixes.
 */
import { toAsciiDigits } from '@causeway/contract/values/digits'

/** Characters that are written as apostrophes or sound marks inside words. Some have spaces in their decompositions. */
const APOSTROPHES =
  /['\u0060\u00b4\u02b9-\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u055a\u05f3\u05f4\u1fbd\u1fbf\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07\uff40]/g

/** Letters that Unicode does not decompose, with their usual spellings in plain letters. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ȷ: 'j',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ə: 'e',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ƒ: 'f',
  ƶ: 'z',
  ς: 'σ',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ې: 'ي',
  ک: 'ك',
  ة: 'ه',
  ە: 'ه',
  ہ: 'ه',
}
const SPELLED_LETTERS = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'gu')

/** Letters with the other spelling that they have in names, such as Mueller for Müller. */
const OTHER_SPELLINGS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const RESPELLED_LETTERS = new RegExp(`[${Object.keys(OTHER_SPELLINGS).join('')}]`, 'gi')

/** Returns text with umlauts and similar letters in their other spelling. */
const respell = (text: string): string =>
  text.normalize('NFC').replace(RESPELLED_LETTERS, letter => OTHER_SPELLINGS[letter.toLowerCase()]!)

/** Letters of scripts in which accents do not make another letter, with their accents. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}])\p{Mn}+/gu
/** The accents of the Cyrillic letters that are also written without them, and stress marks. */
const CYRILLIC_ACCENTS = /(?<=[еЕ])\u0308|(?<=\p{Script=Cyrillic})[\u0300\u0301]/gu
/** Vowel signs and other optional marks of Arabic and Hebrew, and the stretching of Arabic words. */
const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu

/** Returns text in one spelling: without case, optional accents, apostrophes and invisible characters. Pure. */
export const foldText = (text: string): string =>
  toAsciiDigits(text)
    .replace(APOSTROPHES, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(IGNORED, '')
    .replace(ACCENTED, '$1')
    .replace(CYRILLIC_ACCENTS, '')
    .replace(POINTS, '')
    .replace(SPELLED_LETTERS, letter => SPELLINGS[letter]!)
    .normalize('NFC')

/** Characters between words. A full stop is one only between parts of more than two characters. */
const SEPARATORS = /[^\p{L}\p{M}\p{N}.-]+/u
/** Hyphens and dashes, and the Katakana middle dot. */
const HYPHENS = /[\p{Pd}\u00b7\u2022\u30fb\uff65\u2212]/gu

/** Generations and titles that follow a name. A query that contains one also finds names without it. */
const SUFFIXES: ReadonlySet<string> = new Set(
  'jr sr jnr snr junior senior ii iii iv esq esquire phd dphil md do dds dmd dvm jd llm rn cpa mba'.split(' '),
)
/** Words that belong to the name after them. */
const PARTICLES: ReadonlySet<string> = new Set(
  'a abu af al ap av bar bat ben bin bint d da dal das de del della der des di do dos du e el fitz het ibn in l la las le les lo los m mac mc ni o saint san sankt santa st ste t te ten ter tot umm und van vom von y z zu zum zur'.split(
    ' ',
  ),
)

/** Splits a word at its full stops. Initials and titles, such as J.R. and Ph.D., remain one word. */
function splitStops(word: string): string[] {
  const parts = word.split('.').filter(Boolean)
  return parts.length > 1 && parts.every(part => part.length <= 2) ? [parts.join('')] : parts
}

/** Returns the folded words of a text, each as its hyphenated parts. */
const wordsOf = (text: string): string[][] =>
  foldText(text.replace(HYPHENS, '-'))
    .split(SEPARATORS)
    .flatMap(splitStops)
    .map(word => word.split('-').filter(Boolean))
    .filter(parts => parts.length > 0)

/** Joins hyphenated parts, and particles with the words after them. */
function joinWords(words: readonly string[][]): string[] {
  const joined: string[] = []
  let particles = ''
  for (const parts of words) {
    const word = particles + parts.join('')
    particles = parts.length === 1 && PARTICLES.has(parts[0]!) ? word : ''
    if (particles === '') joined.push(word)
  }
  return particles === '' ? joined : [...joined, particles]
}

const IDEOGRAPHIC = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]+$/u

/**
 * Returns the words under which a person or a company is stored: the words of each name, also with hyphens and particles
 * joined, and each whole name in one word; all of them in both spellings of umlauts. Pure.
 * @param names the first and last name of a person, or the names of a company
 */
export function storedWords(names: readonly string[]): string[] {
  return [...new Set([...wordsIn(names), ...wordsIn(names.map(respell))])]
}

function wordsIn(names: readonly string[]): string[] {
  const wordsByName = names.map(wordsOf)
  const wholeNames = wordsByName.map(words => words.flat().join(''))
  const [first = '', last = ''] = wholeNames
  const fullNames = IDEOGRAPHIC.test(first + last) ? [last + first, first + last] : []
  return [...wordsByName.flat(2), ...wordsByName.flatMap(joinWords), ...wholeNames, ...fullNames].filter(Boolean)
}

/** The maximum number of words of a query that are compared. */
const MAX_WORDS = 6

/**
 * Returns the words of a query: at most four lists, of which a name must contain every word of one. Suffixes after the
 * first word are left out. Pure.
 */
export function queriedWords(text: string): string[][] {
  const lists = [text, respell(text)].flatMap(listsIn)
  return [...new Map(lists.map(list => [list.join(' '), list])).values()]
}

function listsIn(text: string): string[][] {
  const words = wordsOf(text)
  const nameWords = words.filter((parts, index) => index === 0 || !SUFFIXES.has(parts.join('')))
  return [nameWords.flat(), joinWords(nameWords)]
    .map(list => [...new Set(list)].slice(0, MAX_WORDS))
    .filter(list => list.length > 0)
}
