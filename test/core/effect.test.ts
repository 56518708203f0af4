import { expect, it } from "vitest";
import { beforeEffect, guarded } from "../../core/effect.ts";
import { AppError } from "../../core/error.ts";
import { ask, type HttpRequest } from "../../core/http.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const refuse = async (): Promise<never> => {
  throw new AppError("Cancelled", "it may not any more");
};

/** Whether a request is sent by work under this guard. */
async function isSent(
  request: Omit<HttpRequest, "path">,
  guard: () => Promise<void>,
): Promise<boolean> {
  let sent = 0;
  const options = {
    system: "the test",
    url: "http://system.test",
    wall: new VirtualClock(),
    timeout: 1000,
    fetch: async () => {
      sent += 1;
      return new Response("{}");
    },
  };
  const asked = guarded(guard, () => ask(options, { ...request, path: "/" }));
  await asked.catch((error) => expect(error).toMatchObject({ kind: "Cancelled" }));
  return sent === 1;
}

it.each([
  ["POST", {}, false],
  ["PUT", {}, false],
  ["PATCH", {}, false],
  ["DELETE", {}, false],
  ["GET", {}, true],
  ["POST", { changesNothing: true }, true],
] as const)("%s %o of work that may have no effect is sent: %s", async (method, more, is) => {
  expect(await isSent({ method, ...more }, refuse)).toBe(is);
  expect(await isSent({ method, ...more }, async () => {})).toBe(true);
});

it("work without a guard may always, and a guard ends with its work", async () => {
  await expect(guarded(refuse, beforeEffect)).rejects.toMatchObject({ kind: "Cancelled" });
  await beforeEffect();
});
