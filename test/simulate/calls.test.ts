import { expect, it } from "vitest";
import { changeFaults } from "../../simulate/calls.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** When a request lands and when its sender hears of it, in seconds, and what. */
const ends: Record<string, { lands?: number; hears: number; of: number | string }> = {
  "is answered 503": { hears: 0, of: 503 },
  "is answered 429": { hears: 0, of: 429 },
  "is answered 500": { hears: 0, of: 500 },
  "is answered 500, and is done": { lands: 0, hears: 0, of: 500 },
  "does not arrive": { hears: 0, of: "fetch failed" },
  "is done, and the answer is lost": { lands: 0, hears: 0, of: "fetch failed" },
  "takes long": { lands: 5, hears: 5, of: 200 },
  "gets no answer": { hears: 120, of: "fetch failed" },
  // Its worker began three seconds before.
  "lands when its worker is gone": { lands: 18, hears: 18, of: 200 },
  "meets a conflict": { hears: 0, of: 409 },
  "is refused": { hears: 0, of: 422 },
  "is forbidden": { hears: 0, of: 403 },
  "is answered 500, and is done later": { lands: 10, hears: 0, of: 500 },
  "is answered 503, and is done later": { lands: 10, hears: 0, of: 503 },
};

it("every fault of a call is here", () => {
  expect(Object.keys(ends)).toEqual(Object.keys(changeFaults));
});

it.each(Object.entries(ends))("a call that %s", async (name, { lands, hears, of }) => {
  const clock = new VirtualClock();
  const began = clock.now() - 3000;
  const start = clock.now();
  const since = () => (clock.now() - start) / 1000;
  let landed: number | undefined;
  const call = changeFaults[name]?.act({
    send: async () => {
      landed = since();
      return new Response();
    },
    refuse: (status) => new Response(null, { status }),
    clock,
    began,
  });
  const heard = await clock.until(
    Promise.resolve(call).then(
      (response) => response?.status,
      (error: Error) => error.message,
    ),
  );
  const at = since();
  await clock.run();
  expect({ landed, heard, at }).toEqual({ landed: lands, heard: of, at: hears });
});
