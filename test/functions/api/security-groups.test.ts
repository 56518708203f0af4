import { expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { catalogApi, priv, v1 } from "../../support/api.ts";

/** Which groups the rules of a group may name. */

it("a rule names a group of its own network, and of no other", async () => {
  const api = await catalogApi();
  const made = async (kind: string, name: string, spec: object): Promise<string> => {
    const { status, text, body } = await api.ask("ann", "POST", `${v1}/${kind}`, {
      metadata: { name },
      spec,
    });
    expect(status, text).toBe(200);
    return body.id;
  };
  await api.ask("admin", "POST", `${priv}/network_classes`, {
    metadata: { name: "overlay" },
    implementation_strategy: "overlay",
    is_default: true,
    spec: { vni_range: { first: 5000, last: 5999 } },
  });
  for (const name of ["shop", "bank"]) {
    const id = await made("virtual_networks", name, { ipv4_cidr: "10.20.0.0/16" });
    await changeObject(api.deps, "virtual_network", id, (each) => ({ ...each, made: true }));
    await made("security_groups", `${name}-web`, { virtual_network: name });
  }
  const order = (security_group: string) =>
    api.ask("ann", "POST", `${v1}/security_groups`, {
      metadata: { name: "db" },
      spec: {
        virtual_network: "shop",
        ingress: [{ protocol: "PROTOCOL_ALL", security_group }],
      },
    });
  const { status, body } = await order("bank-web");
  expect(status).toBe(400);
  expect(body.errors).toEqual([
    {
      field: "spec.ingress[0].security_group",
      message: "is a group of network 'bank', not of this one",
    },
  ]);
  expect((await order("shop-web")).status).toBe(200);
});
