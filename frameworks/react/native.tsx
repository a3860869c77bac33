/** The scenes from `packages/opal-react-native`. The tests bundle this module with stand-ins for React Native. */
export * from '../../packages/opal-react-native/src/testing/scenes.js'
