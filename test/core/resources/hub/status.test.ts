import { expect, it } from "vitest";
import type { HubStatus } from "../../../../core/resources/hub/model.ts";
import { type HubFindings, hubStatus } from "../../../../core/resources/hub/status.ts";

const heard: HubFindings = { HUB_CONDITION_TYPE_HEARD: { status: true, reason: "Reports" } };
const silent: HubFindings = {
  HUB_CONDITION_TYPE_HEARD: { status: false, reason: "Silent", message: "it is silent" },
};
const reached: HubFindings = { HUB_CONDITION_TYPE_REACHED: { status: true, reason: "Answers" } };
const away: HubFindings = {
  HUB_CONDITION_TYPE_REACHED: { status: false, reason: "NoAnswer", message: "it is unreachable" },
};

const unobserved: HubFindings = {
  HUB_CONDITION_TYPE_OBSERVED: { status: false, reason: "Unwatched", message: "it cannot watch" },
};
const observed: HubFindings = { HUB_CONDITION_TYPE_OBSERVED: { status: true, reason: "Watches" } };

/** What becomes of a new hub of which this is found, one after the other. */
const after = (...found: HubFindings[]): HubStatus =>
  found.reduce<HubStatus>((status, each, n) => hubStatus(status, each, n), {
    state: "HUB_STATE_PENDING",
  });

it.each([
  ["PENDING", undefined, [reached]],
  ["READY", undefined, [heard]],
  ["READY", undefined, [heard, reached]],
  ["UNREACHABLE", "it is silent", [heard, reached, silent]],
  ["UNREACHABLE", "it is unreachable", [heard, reached, away]],
  ["UNREACHABLE", "it is unreachable", [away]],
  ["UNREACHABLE", "it is unreachable", [heard, away, silent]],
  ["UNREACHABLE", "it is silent", [heard, away, silent, reached]],
  ["READY", undefined, [heard, away, silent, reached, heard]],
  ["READY", "it cannot watch", [heard, reached, unobserved]],
  ["UNREACHABLE", "it is unreachable", [heard, unobserved, away]],
  ["READY", undefined, [heard, reached, unobserved, observed]],
])("is %s (%s) after what was found in turn", (state, message, found) => {
  const status = after(...found);
  expect(status.state).toBe(`HUB_STATE_${state}`);
  expect(status.message).toBe(message);
});

it("says since when each direction is as it is, and keeps what is not of it", () => {
  const orphans = { count: 0, items: [] } as never;
  const status = hubStatus({ ...after(heard, away), orphans }, heard, 9);
  expect(status.orphans).toBe(orphans);
  expect(
    status.conditions?.map(({ last_transition_time }) => Date.parse(last_transition_time)),
  ).toEqual([0, 1]);
});
