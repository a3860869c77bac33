/**
 * Phrases to avoid in our prose, each with a replacement. A rule's pattern is in lowercase but also matches capital
 * letters, and each space also matches a line break. `kinds` limits the rule to certain kinds of sentences. Without
 * `kinds`, the rule covers comments, test titles, product text and pages.
 */
const engineers = ['comment', 'title', 'page']

export const phrases = [
  {
    kinds: ['comment'],
    pattern: /^(?:what|whether|where|whoever|of|that|how)\b/,
    instead: 'open with a noun or a verb, such as "Returns", "The time at which" or "True if"',
  },

  // Unnamed actors.
  { pattern: /\bwhom?ever\b/, instead: '"the caller", "a client that", "a person who"' },
  { pattern: /\b(?:nobody|no one)\b/, instead: 'the actor: "no process", "the holder did not"' },
  { pattern: /\bsomebody\b/, instead: 'the actor: "the person", "another client"; at most "someone else"' },
  { pattern: /\bthe ones? who\b/, instead: '"the person who"' },
  { pattern: /\b(?:of|by) (?:itself|themselves)\b/, instead: '"automatically", "on its own", or nothing' },
  { pattern: /\bstrangers?\b/, instead: '"an unauthenticated client"' },
  { pattern: /\bthe outside\b/, instead: '"external services"' },

  // Verbs that describe people rather than software.
  {
    pattern: /\b(?:is|are|be|been|was|were|being|not) told\b|\btold (?:of|that|twice)\b/,
    instead: '"is notified", "receives", "sees", "is delivered twice"',
  },
  { pattern: /\bhears?\b|\bheard of\b/, instead: '"receives", "is notified"' },
  { pattern: /\bput(?:s|ting)? down\b/, instead: '"records", "stores", "saves"' },
  { pattern: /\bput(?:s|ting)? away\b|\b(?:let|lets|letting) go of\b/, instead: '"deletes", "releases"' },
  { pattern: /\b(?:go|goes|going|went) on\b(?! (?:to|an?|the)\b)/, instead: '"continues", "proceeds"' },
  { pattern: /\bmend(?:s|ed|ing)?\b/, instead: '"fixes", "repairs"' },
  { pattern: /\bhand(?:s|ed|ing)? over\b/, instead: '"submits"' },
  {
    pattern:
      /\b(?:money|payments?|transfers?|deposits?|amounts?|cents)\b(?: that| which)? (?:comes?|came|goes|go|went) back\b/,
    instead: '"is returned"; the noun is "a return"',
  },
  {
    kinds: engineers,
    pattern: /\b(?:a|one|each|every|the|person's|of|many|first|last|more|\d) (?:try|tries)\b/,
    instead: '"attempt"',
  },

  // Word order and negation that read like a translation.
  { pattern: /\bstands? in (?!for\b)/, instead: '"is in", "appears in"' },
  { pattern: /\bin (?:the )?clear\b/, instead: '"in plain text"' },
  { pattern: /\bthe newest\b/, instead: '"the latest"' },
  { pattern: /\bso many\b/, instead: '"the number of", "that many"' },
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were|that) none\b(?! of\b)/,
    instead: '"is not a ...", "is invalid", "does not exist"',
  },
  { pattern: /\bno oversight\b/, instead: '"by design"' },
  { pattern: /\b(?:has|have) yet to\b/, instead: '"has not ... yet"' },
  { pattern: /\bin the way of\b/, instead: '"conflicts with", "blocks"' },
  { pattern: /\bthe house\b/, instead: '"the codebase"' },
  { pattern: /\bdeliberate mistakes?\b/, instead: '"mutation"' },

  // British spelling.
  {
    pattern: /\b(?:learnt|spelt|misspelt|whilst|amongst|towards|judgement|grey|cheques?|licence|centre)\b/,
    instead: 'learned, spelled, misspelled, while, among, toward, judgment, gray, check, license, center',
  },
  {
    pattern: /\b(?:behaviour|colour|discolour|favour|favourite|honour|neighbour|catalogue)(?:s|ed|ing|ful|able)?\b/,
    instead: 'behavior, color, favor, honor, neighbor, catalog',
  },
  {
    pattern: /\b(?!promis|advertis)[a-z]{2,}(?:al|gn|or|it|er|ll|im|om|an|ar|og)is(?:e[sd]?|ing|ations?)\b/,
    instead: 'the spelling with z, such as "normalize"',
  },
  { pattern: /\b(?:cancell|labell|modell|signall|travell)(?:ed|ing)\b/, instead: 'one l, such as "canceled"' },

  // Typos.
  { kinds: engineers, pattern: /(?<=[a-z,] )([a-z]{2,}) \1(?= [a-z]|[.,;)])/, instead: 'the word once' },
]

/** Exceptions, each with the file, the words, and the reason that the rule does not apply. */
export const exceptions = [
  {
    path: 'apps/api/src/platform/db/migrations/0009-indexes.ts',
    words: 'behaviours',
    reason: 'the name of a table, and of a parameter of the connector contract',
  },
]
