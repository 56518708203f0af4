import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { absence } from "../../../../core/resources/host/absence.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { hostRecord, readyAgent } from "../../../support/placement.ts";

/** What an agent that a read did not find means for its host. */

const nothing = new Map<string, string[]>();
const read = { seen: nothing, at: 0 };
const before = hostRecord("h-00001", "hub", "small");
const name = "Agent/agent-h-00001";
const macs = before.spec.nics.map(({ mac }) => mac);
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
  ["was not found", nothing, {}, true],
  ["was found", new Map([[name, macs]]), {}, false],
  ["was found, and has not said yet on which server it is", new Map([[name, []]]), {}, false],
  ["was found on another server", new Map([[name, ["52:54:00:ff:ff:ff"]]]), {}, true],
  ["is gone already", nothing, { gone: true }, false],
])("an agent is missing that %s: %j", (_, seen, change, missing) => {
  expect(absence.isMissing(withAgent(change), seen)).toBe(missing);
});
