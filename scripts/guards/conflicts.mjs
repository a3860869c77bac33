/** A merge that was committed with its conflict markers reads as two texts at once, and Markdown and YAML do not complain. */
export const sentence = 'No file contains conflict markers'

const marker = /^(?:<{7}|>{7}|\|{7})(?: |$)/

export function check(files) {
  return files.flatMap(({ path, text }) =>
    text
      .split(/\r?\n/)
      .flatMap((line, index) =>
        marker.test(line) ? [`${path}:${index + 1} is a conflict marker: finish the merge`] : [],
      ),
  )
}
