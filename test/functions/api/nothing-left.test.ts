import { expect, it } from "vitest";
import { timestamp } from "../../../core/clock.ts";
import { orphanPartition, orphansKey } from "../../../core/kernel/object/hub-keys.ts";
import { namesOf } from "../../../core/kernel/object/kind.ts";
import { pluralOf } from "../../../core/kernel/object/object.ts";
import { apiKinds } from "../../../core/resources/generated/api-kinds.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { Table } from "../../support/books/table.ts";
import { wrongInBooks } from "../../support/books.ts";
import { bodies, maker } from "../../support/one-of-each.ts";
import { openSite } from "../../support/site.ts";

/** A remain of nobody's, as a sweep records it. */
const orphan = {
  ...{ system: "hub", kind: "Namespace", id: "lost", first_seen: timestamp(0) },
  owner: { kind: "cluster", id: "c" },
};

/** Kinds that a request deletes at once. */
const written = namesOf(kinds).filter((kind) => apiKinds[kind]?.rules);

/** What the seed of the catalogue lacks, and what one of them looks like. */
const more = ["project", "project_membership", "quota", "user", "role_binding", "secret"] as const;

it("a provider that takes everything away leaves nothing of it behind", async () => {
  const site = await openSite();
  for (const kind of [...more, "identity_provider", "webhook"] as const) await made(kind);
  expect(await wrongInBooks(site)).toEqual([]);

  // The sweeps of hubs and sites have been there.
  await site.laptop.pass(20 * 60_000);
  expect(await wrongInBooks(site)).toEqual([]);
  for (const [kind, id] of [
    ["hub", "hub-a"],
    ["site", "site-1"],
  ] as const)
    await site.laptop.store.transact([
      { put: { ...orphansKey(kind, id), revision: 1 } },
      { put: { pk: orphanPartition(kind, id), sk: "hub#Namespace#lost", orphan } },
    ]);
  const left = () => {
    const table = new Table(site.laptop.store, kinds);
    return written.flatMap((kind) => table.objects(kind).map(({ id }) => ({ kind, id })));
  };
  // What is in use goes after its users.
  for (let round = 0; round < 5 && left().length > 0; round++)
    for (const { kind, id } of left().toReversed())
      await site.admin("DELETE", `${pluralOf(kind)}/${id}`);
  expect(left()).toEqual([]);
  await site.laptop.pass(20 * 60_000);
  expect(await wrongInBooks(site)).toEqual([]);

  async function made(kind: keyof typeof bodies): Promise<void> {
    const make = maker(kind).who === "amy" ? site.api : site.admin;
    const { status, body } = await make("POST", pluralOf(kind), bodies[kind]);
    expect(status, JSON.stringify(body)).toBe(200);
  }
});
