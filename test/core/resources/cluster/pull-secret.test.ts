import { expect, it } from "vitest";
import type { Violation } from "../../../../core/error.ts";
import { asClusterId } from "../../../../core/id.ts";
import type { Reference } from "../../../../core/kernel/object/metadata.ts";
import { secretReference } from "../../../../core/ports/secrets/secrets.ts";
import {
  broughtPullSecret,
  ownPullSecret,
} from "../../../../core/resources/cluster/pull-secret.ts";
import type { ClusterSpecInput } from "../../../../core/resources/cluster-template/order-input.ts";

const field = "spec.pull_secret_secret";
const secret = { id: "1", name: "s" };

it.each<[string, ClusterSpecInput, Reference | undefined, string[]]>([
  ["none", {}, undefined, []],
  ["a secret object", { pull_secret_secret: "s" }, secret, []],
  ["one that is missing", { pull_secret_secret: "none" }, undefined, ["is missing"]],
  [
    "a secret object beside its own",
    { pull_secret: "{}", pull_secret_secret: "s" },
    secret,
    ["pull_secret and pull_secret_secret are mutually exclusive"],
  ],
])("an order that names %s as its pull secret", async (_, spec, found, messages) => {
  const violations: Violation[] = [];
  const search = async (named: unknown): Promise<[Reference | undefined, Violation[]]> =>
    named === "s" ? [secret, []] : [undefined, [{ field, message: "is missing" }]];
  expect(await ownPullSecret(search, spec, violations)).toEqual(found);
  expect(violations).toEqual(messages.map((message) => ({ field, message })));
});

const own = secretReference.pullSecret("c1");

it.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["brings none", undefined, undefined, undefined],
  ["brings one", undefined, "{}", own],
  ["chooses its id, which a cluster may have already,", "c1", "{}", `${own}/new`],
])(
  "an order that %s gets a reference of its own for its pull secret",
  (_, id, value, reference) => {
    const input = {
      ...(id !== undefined && { id }),
      metadata: { name: "web" },
      spec: value === undefined ? {} : { pull_secret: value },
    };
    const brought = broughtPullSecret({ newId: () => "new" }, asClusterId("c1"), input);
    expect(brought).toEqual(reference === undefined ? undefined : { reference, value });
  },
);
