/**
 * Which tests run together, and in which list. `npm test` is all of `alone` and `shared`, and of `worlds` and `waiting`
 * the tests with the tag `smoke`. `npm run test:worlds` is all the rest. A file that stands nowhere here is `shared`.
 */

/** Tests that start real processes and wait for them. */
export const waiting = [
  "test/agent/process.test.ts",
  "test/cli/process.test.ts",
  "test/console/{attention,consent,forms,orders,screens,shell}.test.ts",
  "test/docs/{commands,examples,first-cluster,hub-commands}.test.ts",
  "test/local/{contract,demo,faults,full-disk,growth,kill,kill-random,pages,process,reference,step-functions,webhooks}.test.ts",
  "test/local/workflow/kill.test.ts",
];

/**
 * Tests that change state of which a process has only one: its environment, timers, SST's globals,
 * loaded modules.
 */
export const alone = ["test/infra/**/*.test.ts", "test/live/**/*.test.ts"];

/** Tests of whole worlds, and others that compute for long. */
export const worlds = [
  "test/statemachines/*.test.ts",
  "test/statemachines/{each-call,former-definitions,observed}/*.test.ts",
  "test/statemachines/matrix/*-{inside,outside,requests}.test.ts",
  "test/core/kernel/saga/matrix/*.test.ts",
  "test/simulate/{simulation,hot-pool/run,servers/lives,servers/judge}.test.ts",
  "test/cli/{follow,printed}.test.ts",
  "test/core/placement/queues/nobody-waits.test.ts",
  "test/core/ports/bounded-answers.test.ts",
  "test/core/races.test.ts",
  "test/core/resources/new-kind.test.ts",
  "test/functions/api/{dry-run,openapi-fuzz,openapi-lint,rounds-of-reads}.test.ts",
  "test/local/rights.test.ts",
];

/** Files of `worlds` of which `npm test` has nothing, and why. */
export const withoutSmoke = {
  "test/statemachines/matrix/*-{inside,outside,requests}.test.ts": "each case breaks something",
  "test/statemachines/each-call/*.test.ts": "each case breaks something",
  "test/statemachines/observed/*.test.ts": "each case has systems say no",
  "test/statemachines/former-definitions/*.test.ts": "each case is as good as any other",
  "test/statemachines/meetings.test.ts": "each case breaks something",
  "test/statemachines/special-servers.test.ts": "each case breaks something",
  "test/statemachines/netbox-disagrees.test.ts": "each case breaks something",
  "test/statemachines/hosted-cluster-away.test.ts": "its outages last for days",
  "test/core/kernel/saga/matrix/*.test.ts": "each case breaks something",
  "test/simulate/{simulation,hot-pool/run,servers/lives,servers/judge}.test.ts":
    "each of them breaks something",
  "test/core/placement/queues/nobody-waits.test.ts": "each case is a whole crowd",
  "test/core/races.test.ts": "each case is a race that somebody else wins",
  "test/functions/api/openapi-fuzz.test.ts": "each operation is asked as often as any other",
  "test/local/rights.test.ts": "it compares all functions",
} as const;

/** How a test is marked of which `npm test` has to be sure. */
export const smoke = 'tags: "smoke"';
