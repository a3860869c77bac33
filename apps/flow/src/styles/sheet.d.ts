/** The address of a stylesheet, as the build names it. */
declare module '*.css?url' {
  const address: string
  export default address
}
