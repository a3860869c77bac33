import pg from 'pg'
import { createRowMaker, type MakeRow } from '../rows.js'

/** The part of a column's description that the client uses. */
interface Column {
  name: string
  dataTypeID: number
}

/** The columns of a statement's rows, as the server last described them, and the function that creates those rows. */
interface Shape {
  columns: readonly Column[]
  make: MakeRow
}

/** A statement that has a name, so that each connection parses it only once. */
export interface NamedStatement {
  readonly name: string
  shape?: Shape
}

function shapeOf(columns: readonly Column[], types: pg.CustomTypesConfig): Shape {
  // Values of this type are not converted.
  const plain = types.getTypeParser(pg.types.builtins.TEXT, 'text')
  const converters = columns.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
  const names = columns.map(({ name }) => name)
  const make = createRowMaker(
    names,
    converters.map(convert => (convert === plain ? undefined : convert)),
  )
  return { columns, make }
}

const hasSameColumns = (previous: readonly Column[], columns: readonly Column[]) =>
  previous.length === columns.length &&
  previous.every(
    ({ name, dataTypeID }, index) => name === columns[index]!.name && dataTypeID === columns[index]!.dataTypeID,
  )

/**
 * A query that reuses the row function of its statement's previous execution if the columns are the same. The client's
 * own query prepares for the columns again on each execution, which takes longer than reading a row. The server describes the
 * columns each time, because another process may have changed the table.
 */
class NamedQuery extends pg.Query {
  readonly #statement: NamedStatement
  readonly #types: pg.CustomTypesConfig
  #shape: Shape | undefined
  readonly created: object[] = []
  /**
   * The first error of a value's conversion. An error that is thrown while the client handles a message ends the
   * process.
   */
  fault: unknown

  constructor(
    statement: NamedStatement,
    types: pg.CustomTypesConfig,
    config: pg.QueryConfig,
    done: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    super(config, done)
    this.#statement = statement
    this.#types = types
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    try {
      const { shape } = this.#statement
      this.#shape = shape && hasSameColumns(shape.columns, fields) ? shape : shapeOf(fields, this.#types)
      this.#statement.shape = this.#shape
    } catch (error) {
      this.fault = error
    }
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.fault) return
    try {
      this.created.push(this.#shape!.make(fields))
    } catch (error) {
      this.fault = error
    }
  }
}

/** The part of a result that the service uses. */
export type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>

/** Runs a named statement. */
export function runNamed(
  client: pg.PoolClient,
  statement: NamedStatement,
  text: string,
  values: unknown[],
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const query = new NamedQuery(statement, client, { name: statement.name, text, values }, (error, result) => {
      if (error ?? query.fault) reject(error ?? query.fault)
      else resolve({ command: result.command, rowCount: result.rowCount, rows: query.created })
    })
    client.query(query)
  })
}
