import { expect, it } from "vitest";
import { minutes } from "../../../../core/clock.ts";
import { webhookCursorKey } from "../../../../core/kernel/object/log-keys.ts";
import type { Item } from "../../../../core/kernel/store/store.ts";
import { queueDue } from "../../../../core/resources/webhook/queue.ts";
import { testDeps } from "../../../support/deps.ts";

/** Which changes of a webhook's place in the log hand the webhook to its sender. */

const deps = testDeps();
const now = deps.clock.now();
const key = webhookCursorKey("t", "w");
const lease = { holder: "h", until: now + 1000 };

function cursor(members: { due?: number; lease?: typeof lease } | undefined): Item | undefined {
  const place = { webhook: "w", tenant: "t", position: "0", deliveries: 0, revision: 1 };
  return members && { ...key, cursor: { ...place, ...members } };
}

it.each([
  ["a webhook that became due", {}, { due: now }, 0],
  ["one that is due later", {}, { due: now + minutes(2) }, minutes(2)],
  ["one that was due before now", {}, { due: now - 5 }, 0],
  ["one that is due in a quarter of an hour", {}, { due: now + minutes(15) }, minutes(15)],
  ["one that is due still later: the sweep's", {}, { due: now + minutes(15) + 1 }, undefined],
  ["one that is due at another time", { due: now + 9 }, { due: now + 5 }, 5],
  ["one that is due as before", { due: now }, { due: now }, undefined],
  ["one that a sender took", { due: now }, { due: now, lease }, undefined],
  ["one at which a sender is at work", { lease }, { due: now, lease }, undefined],
  ["one that its sender left due", { due: now, lease }, { due: now }, 0],
  ["one that its sender left done", { due: now, lease }, {}, undefined],
  ["a new one with nothing to do", undefined, {}, undefined],
  ["a new one that is due", undefined, { due: now }, 0],
  ["one that was removed", { due: now }, undefined, undefined],
])("%s", async (_, had, has, after) => {
  deps.queuedWebhooks.length = 0;
  const [old, current] = [cursor(had), cursor(has)];
  const images = { ...(old && { before: old }), ...(current && { after: current }) };
  await queueDue(deps, { key, sequence: "1", ...images });
  expect(deps.queuedWebhooks).toEqual(after === undefined ? [] : [{ webhook: "w", after }]);
});
