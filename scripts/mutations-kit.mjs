/** Mutations of the element kit. For `mutations.mjs`. */
const tokens = 'packages/elements/src/tokens.ts'
const tokensTest = 'packages/elements/src/tokens.node.test.ts'

export const kitMutations = [
  {
    promise: 'A callback that never answers is given up',
    file: tokens,
    find: 'Promise.race([answer, late])',
    replace: 'Promise.race([answer])',
    test: tokensTest,
  },
  {
    promise: 'The wait for a token ends with its answer',
    file: tokens,
    find: '.finally(() => clearTimeout(timer))',
    replace: '',
    test: tokensTest,
  },
  {
    promise: 'A text that has too little contrast gives way',
    file: 'packages/elements/src/legible.ts',
    find: 'const AA = 4.5',
    replace: 'const AA = 3',
    test: 'packages/elements/src/legible.node.test.ts',
  },
]
