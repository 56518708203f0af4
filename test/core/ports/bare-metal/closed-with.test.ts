import { expect, it } from "vitest";
import { closedWith } from "../../../../core/ports/bare-metal/closed-with.ts";
import type { BareMetalServer } from "../../../../core/ports/bare-metal/server.ts";

it.each([undefined, new Error("the controller does not end the session")])(
  "closes the connections of a server whose end answers %s",
  async (failure) => {
    const done: string[] = [];
    const end = async () => {
      done.push("end");
      if (failure) throw failure;
    };
    // Only what ends the session is asked for.
    const server = { close: end } as BareMetalServer;
    const closed = closedWith(server, async () => void done.push("close")).close();
    await (failure ? expect(closed).rejects.toBe(failure) : closed);
    expect(done).toEqual(["end", "close"]);
  },
);
