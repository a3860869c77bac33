/** The URL of a stylesheet after the build. */
declare module '*.css?url' {
  const address: string
  export default address
}
