#!/usr/bin/env bash
# Everything that must hold before a change lands: the same steps on a developer's machine and in the pipeline.
# Every step runs, whatever the ones before it did. The last line counts real tests, and steps without tests as one.
set -uo pipefail
cd "$(dirname "$0")/.."

reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
passed=0 failed=0 number=0 summary='' failures=''

# step SENTENCE COMMAND...
step() {
  local sentence=$1 started=$SECONDS code=0 p=0 f=1 s=0 line named=''
  shift
  number=$((number + 1))
  mkdir "$reports/$number"
  printf '\n== %s\n' "$sentence"
  REPORT_DIR=$reports/$number "$@" || code=$?
  { read -r p f s; named=$(cat); } < <(node scripts/tally.mjs "$reports/$number" "$code") || true
  failures+=${named:+$named$'\n'}
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
step 'Run the component tests in Chromium' pnpm test:component chromium
step 'Run the component tests in Firefox' pnpm test:component firefox
step 'Run the component tests in WebKit' pnpm test:component webkit
step 'Run the end-to-end tests' pnpm e2e --no-build
step 'Run the main journeys in all three browsers' pnpm journeys
step 'Follow the quick start to the letter' node scripts/quick-start.mjs
step 'Race it and kill it, on both database engines' node scripts/torture.mjs --quick
step 'Notice deliberate mistakes' pnpm mutate

# Again at the end: of a long log, the end is what is kept and read.
[ -z "$failures" ] || summary+=$'\n'$(head -8 <<<"$failures")$'\n'
printf '\n%s\n%s passed, %s failed\n' "$summary" "$passed" "$failed"
[ "$failed" = 0 ]
