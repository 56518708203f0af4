import { expect, it } from "vitest";
import { hostUse } from "../../console/src/operator/host-use.ts";

/** What a rack says of a host. */

it.each([
  ["HOST_STATE_AVAILABLE", "free"],
  ["HOST_STATE_RESERVED", "used"],
  ["HOST_STATE_DISCOVERING", "busy"],
  ["HOST_STATE_RECLAIMING", "busy"],
  ["HOST_STATE_CLEANING", "busy"],
  ["HOST_STATE_UPDATING", "busy"],
  ["HOST_STATE_UNDISCOVERED", "out"],
  ["HOST_STATE_OFF", "out"],
  ["HOST_STATE_MAINTENANCE", "out"],
  ["HOST_STATE_RETIRED", "out"],
  ["HOST_STATE_UNHEALTHY", "bad"],
  ["HOST_STATE_QUARANTINED", "bad"],
] as const)("a host in %s is %s", (state, use) => {
  expect(hostUse({ state })).toBe(use);
});
