import { describe, expect, it } from "vitest";
import type {
  Inventory,
  InventoryCursor,
  InventoryPage,
  InventoryServer,
} from "../../../../core/ports/inventory/inventory.ts";
import { unusable } from "../../../../core/ports/inventory/inventory.ts";
import type { Faults } from "../../../../sim/faults.ts";

/** A server as a person writes it into the inventory; its MAC address and its switch follow from its number. */
export interface WrittenServer {
  name: string;
  number: number;
}

/** An inventory that a test has for itself; it has switches and patch panels, and no server. */
export interface InventoryFixture {
  inventory: Inventory;
  /** The same inventory, asked with wrong credentials. */
  stranger: Inventory;
  faults: Faults;
  /** Never to be seen in an error. */
  secrets: string[];
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Lets simulated time pass, in milliseconds. */
  pass(ms: number): Promise<void>;
  /** Puts a server into the inventory that is cabled to port `Ethernet<number>` of `leaf-1`, and answers its id. */
  add(server: WrittenServer): string;
  rename(id: string, name: string): void;
  remove(id: string): void;
  /** Takes the cable between the patch panel and the switch away that leads to the server. */
  uncable(id: string): void;
}

export function inventoryContract(open: () => InventoryFixture): void {
  const readOf = async (at: InventoryFixture, cursor?: InventoryCursor) => {
    const pages: InventoryPage[] = [];
    const read = async () => {
      for await (const page of at.inventory.read(cursor)) pages.push(page);
    };
    await at.run(read());
    const last = pages.at(-1);
    if (!last?.isLast || pages.filter(({ isLast }) => isLast).length !== 1)
      throw new Error("a reading has one last page");
    return {
      pages,
      servers: pages.flatMap(({ servers }) => servers),
      gone: pages.flatMap(({ gone }) => gone),
      cursor: last.cursor,
    };
  };
  const named = (servers: InventoryServer[]) => servers.map(({ name }) => name).sort();
  const nicsOf = ({ interfaces }: InventoryServer) =>
    interfaces.filter((one) => unusable(one) === undefined);
  const many = (at: InventoryFixture, count: number) =>
    Array.from({ length: count }, (_, n) => at.add({ name: `server-${n + 1}`, number: n + 1 }));

  describe("reading all", () => {
    it("has each server once, whole, with the switch port behind the patch panels", async () => {
      const at = open();
      const [id] = many(at, 3);
      const { servers, gone } = await readOf(at);
      expect(named(servers)).toEqual(["server-1", "server-2", "server-3"]);
      expect(gone).toEqual([]);
      const server = servers.find((one) => one.id === id);
      expect(server && nicsOf(server)).toEqual([
        expect.objectContaining({
          mac: "52:54:00:00:00:01",
          link: { state: "connected", switch: "leaf-1", port: "Ethernet1" },
        }),
      ]);
    });

    it("has pages for an inventory of many servers, and an end for an empty one", async () => {
      const at = open();
      expect((await readOf(at)).servers).toEqual([]);
      many(at, 250);
      const { pages, servers } = await readOf(at);
      expect(pages.filter((page) => page.servers.length > 0).length).toBeGreaterThan(1);
      expect(new Set(servers.map(({ id }) => id)).size).toBe(250);
      expect(pages.every(({ isOfAll }) => isOfAll)).toBe(true);
    });

    it("goes on after the page that was the last one before a crash", async () => {
      const at = open();
      many(at, 250);
      const { pages } = await readOf(at);
      const [first] = pages;
      const rest = await readOf(at, first?.cursor);
      const seen = [...(first?.servers ?? []), ...rest.servers];
      expect(seen).toHaveLength(250);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(250);
    });

    it("skips no server when others are removed meanwhile", async () => {
      const at = open();
      const ids = many(at, 250);
      const seen: string[] = [];
      const read = async () => {
        for await (const page of at.inventory.read()) {
          seen.push(...page.servers.map(({ id }) => id));
          for (const id of ids.splice(0, 20)) at.remove(id);
        }
      };
      await at.run(read());
      expect(new Set(seen).size).toBe(seen.length);
      expect(ids.filter((id) => !seen.includes(id))).toEqual([]);
    });
  });

  describe("reading what has changed", () => {
    const settled = 300_000;

    it("has nothing where nothing has", async () => {
      const at = open();
      many(at, 3);
      await at.pass(settled);
      const { cursor } = await readOf(at);
      await at.pass(settled);
      expect(await readOf(at, cursor)).toMatchObject({ servers: [], gone: [] });
    });

    it("has servers that were changed, added and removed", async () => {
      const at = open();
      const [changed = "", removed = ""] = many(at, 3);
      await at.pass(settled);
      const { cursor } = await readOf(at);
      await at.pass(settled);
      at.rename(changed, "renamed");
      at.remove(removed);
      at.add({ name: "added", number: 4 });
      await at.pass(settled);
      const { pages, servers, gone } = await readOf(at, cursor);
      const isOfAll = pages.every((page) => page.isOfAll);
      expect(named(servers)).toEqual(expect.arrayContaining(["added", "renamed"]));
      // Gone is what is named, or what a reading of all has not.
      expect(isOfAll || gone.includes(removed)).toBe(true);
      expect(servers.map(({ id }) => id)).not.toContain(removed);
    });

    it("has a server whose cable was taken away at the far side of a patch panel, and says what it lacks", async () => {
      const at = open();
      const [id = ""] = many(at, 3);
      await at.pass(settled);
      const { cursor } = await readOf(at);
      at.uncable(id);
      await at.pass(settled);
      const { servers, cursor: next } = await readOf(at, cursor);
      const server = servers.find((one) => one.id === id);
      expect(server && nicsOf(server)).toEqual([]);
      expect(server?.interfaces.map(unusable)).toContainEqual(
        expect.stringMatching(/^its cable ends at .*, and leads no further$/),
      );
      await at.pass(settled);
      expect(await readOf(at, next)).toMatchObject({ servers: [], gone: [] });
    });

    it("begins anew with a cursor whose reading was cut off", async () => {
      const at = open();
      const [id = ""] = many(at, 3);
      await at.pass(settled);
      const { cursor } = await readOf(at);
      at.rename(id, "renamed");
      await at.pass(settled);
      const first = await at.run(at.inventory.read(cursor)[Symbol.asyncIterator]().next());
      expect(first.done).toBe(false);
      expect(named((await readOf(at, cursor)).servers)).toContain("renamed");
    });
  });

  describe("an inventory that fails", () => {
    it("is Unavailable with wrong credentials, which no error quotes", async () => {
      const at = open();
      const thrown = await at.run(at.stranger.lacks().catch((error: unknown) => error));
      expect(thrown).toMatchObject({ kind: "Unavailable" });
      for (const secret of at.secrets)
        expect(
          JSON.stringify([thrown, String(thrown), (thrown as { detail?: string }).detail]),
        ).not.toContain(secret);
    });

    it.each(["timeout", "crash_before", "crash_after", "slow", "error"] as const)(
      "is read again after %s",
      async (fault) => {
        const at = open();
        many(at, 2);
        at.faults.add({ target: "inventory", fault, status: 503 });
        if (fault !== "slow")
          await expect(readOf(at)).rejects.toMatchObject({ kind: "Unavailable" });
        expect(named((await readOf(at)).servers)).toEqual(["server-1", "server-2"]);
      },
    );

    it("refuses a cursor that is not its own", async () => {
      const at = open();
      await expect(readOf(at, "next" as InventoryCursor)).rejects.toMatchObject({
        kind: "Invalid",
      });
    });
  });
}
