/** The scenes from `packages/opal-react`. The tests bundle this module once per React version. */
export * from '../../packages/opal-react/src/testing/scenes.js'
