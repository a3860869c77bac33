/** Mutations of the element kit. For `mutations.mjs`. */
const tokens = 'packages/elements/src/tokens.ts'
const tokensTest = 'packages/elements/src/tokens.node.test.ts'

export const kitMutations = [
  {
    promise: 'A callback that never settles times out',
    file: tokens,
    find: 'Promise.race([answer, late])',
    replace: 'Promise.race([answer])',
    test: tokensTest,
  },
  {
    promise: 'Waiting for a token ends when the callback settles',
    file: tokens,
    find: '.finally(() => clearTimeout(timer))',
    replace: '',
    test: tokensTest,
  },
  {
    promise: 'Text with too little contrast becomes black or white',
    file: 'packages/elements/src/legible.ts',
    find: 'const AA = 4.5',
    replace: 'const AA = 3',
    test: 'packages/elements/src/legible.node.test.ts',
  },
]
