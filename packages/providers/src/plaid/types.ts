/** A type of Plaid's client with the words of its enumerations, which need nothing of the client when the code runs. */
export type Plain<T> = T extends string
  ? `${T}`
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends object
      ? { [Name in keyof T]: Plain<T[Name]> }
      : T
