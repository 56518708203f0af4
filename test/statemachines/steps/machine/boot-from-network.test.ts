import { expect, it } from "vitest";
import type { Site } from "../../../../core/at-site/site.ts";
import { AppError, type ErrorKind } from "../../../../core/error.ts";
import { putNew } from "../../../../core/kernel/object/records.ts";
import type { BootSource } from "../../../../core/ports/bare-metal/server.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { bootFromNetwork } from "../../../../statemachines/steps/machine/boot-from-network.ts";
import { testDeps } from "../../../support/deps.ts";
import { addHub } from "../../../support/placement.ts";

/** A boot from the site controller, of whatever machine. */

const machine = { kind: "dpu", id: "d1" } as const;
const use = { machine, serves: machine, operation: "o1#1" };

async function boot(answer: (url: string) => void): Promise<void> {
  const deps = testDeps();
  await addHub(deps, "hub", { site: "s1" });
  const site: Site = {
    kind: "site",
    id: "s1",
    revision: 0,
    generation: 1,
    metadata: {
      ...{ name: "s1", tenant: "shared", labels: {}, annotations: {} },
      ...{ creator: "x", creation_timestamp: "2026-01-01T00:00:00Z" },
    },
    spec: {
      credentials: "none",
      machines: {
        url: "https://machines.example.com",
        loader: "https://images.example.com/ipxe.efi",
        installer: {
          kernel: "https://images.example.com/vmlinuz",
          initrd: "https://images.example.com/initrd",
        },
      },
    },
    status: { low: [] },
    event: { type: "", sequence: 0, time: "2026-01-01T00:00:00Z", changed: [] },
  };
  await deps.store.transact(putNew(kinds, site));
  const server = {
    async bootOnce(source: BootSource): Promise<undefined> {
      answer(source.from === "http" ? source.url : "");
    },
  };
  await bootFromNetwork(server, { hub: "hub" }, use, {
    ...{ deps, guard: async () => {}, fence: () => [] },
  });
}

it("asks for the loader of the site controller, by a token", async () => {
  let asked = "";
  await boot((url) => {
    asked = url;
  });
  expect(asked).toMatch(/^https:\/\/machines\.example\.com\/site\/v1\/boot\/[\w-]{43}\/ipxe\.efi$/);
});

it.each<ErrorKind>(["Rejected", "Unavailable"])(
  "says what a controller has refused without the token (%s)",
  async (kind) => {
    const refused = boot((url) => {
      throw new AppError(kind, `cannot boot ${url}: no such scheme`);
    });
    await expect(refused).rejects.toMatchObject({
      kind,
      message: "cannot boot the URL of its boot: no such scheme",
    });
  },
);
