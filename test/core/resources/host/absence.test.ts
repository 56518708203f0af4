import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { absence } from "../../../../core/resources/host/absence.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { hostRecord, readyAgent } from "../../../support/placement.ts";

/** What an agent that a read did not find means for its host. */

const read = { seen: new Set<string>(), at: 0 };
const before = hostRecord("h-00001", "hub", "small");
const withAgent = (change: Partial<NonNullable<Host["status"]["agent"]>>): Host => ({
  ...before,
  status: {
    ...before.status,
    agent: { ...readyAgent("hub", "agent-h-00001", timestamp(0)), ...change },
  },
});

it.each<[string, Host, boolean | undefined]>([
  ["that is as it was is gone", withAgent({}), true],
  ["that was reported since is not", withAgent({ resource_version: "2" }), undefined],
  ["of another name is not", withAgent({ name: "agent-2" }), undefined],
  [
    "that nobody knows any more is not",
    { ...before, status: { state: before.status.state } },
    undefined,
  ],
])("an agent %s", (_, now, gone) => {
  expect(absence.marked(now, read, before)?.status.agent?.gone).toBe(gone);
});

it.each([
  ["was not found", new Set<string>(), {}, true],
  ["was found", new Set(["Agent/agent-h-00001"]), {}, false],
  ["is gone already", new Set<string>(), { gone: true }, false],
])("an agent is missing that %s: %j", (_, seen, change, missing) => {
  expect(absence.isMissing(withAgent(change), seen)).toBe(missing);
});
