/**
 * Mutation tests need two comments that belong together: the marker of a mutant in the source, and the comment that
 * names it before the test that kills it. Code that moves without its comment would no longer be tested.
 */
import { findMutants } from '../../test/mutations/mutants.mjs'

export const sentence = 'Every mutant has one marker that applies and one test that kills it'

export const check = files => findMutants(files).problems
