/**
 * When loaded into a service process with `--import`, sets the process's clock SKEW_MS milliseconds ahead of the
 * machine's clock.
 */
const skew = Number(process.env.SKEW_MS)
const Machine = Date

globalThis.Date = class extends Machine {
  constructor(...given) {
    if (given.length > 0) super(...given)
    else super(Machine.now() + skew)
  }

  static now() {
    return Machine.now() + skew
  }
}
