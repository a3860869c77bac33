#!/usr/bin/env bash
# Everything that must hold before a change lands: the same steps on a developer's machine and in the pipeline.
# Every step runs, whatever the ones before it did. The last line counts real tests, and steps without tests as one.
set -uo pipefail
cd "$(dirname "$0")/.."

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
passed=0 failed=0 number=0 summary=''

# step SENTENCE COMMAND...
step() {
  local sentence=$1 started=$SECONDS code=0 p=0 f=1 s=0 line
  shift
  number=$((number + 1))
  mkdir "$reports/$number"
  printf '\n== %s\n' "$sentence"
  REPORT_DIR=$reports/$number "$@" || code=$?
  read -r p f s < <(node scripts/tally.mjs "$reports/$number" "$code") || true
  passed=$((passed + p)) failed=$((failed + f))
  line=$(printf '%-6s %-46s %4ds  %s passed, %s failed, %s skipped' \
    "$([ "$code" = 0 ] && echo ok || echo FAILED)" "$sentence" "$((SECONDS - started))" "$p" "$f" "$s")
  printf '== %s\n' "$line"
  summary+="$line"$'\n'
}

step 'Build every package and bundle' pnpm build
step 'Check style' pnpm exec biome ci --colors=off .
step 'Hold the guards' node scripts/guard.mjs
step 'Run the Node tests on both database engines' pnpm test:unit
step 'Run the api tests over a connector that fails' pnpm test:connector
step 'Run the component tests in a browser' pnpm test:component
step 'Run the end-to-end tests' pnpm e2e --no-build
step 'Follow the quick start to the letter' node scripts/quick-start.mjs
step 'Race it and kill it, on both database engines' node scripts/torture.mjs --quick
step 'Notice deliberate mistakes' pnpm mutate

printf '\n%s\n%s passed, %s failed\n' "$summary" "$passed" "$failed"
[ "$failed" = 0 ]
