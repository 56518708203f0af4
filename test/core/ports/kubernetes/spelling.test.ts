import { expect, it } from "vitest";
import {
  certificateUse,
  ingressObjects,
  metalLbOperator,
  operatorObjects,
  storageObjects,
} from "../../../../core/ports/guest/kubernetes/objects.ts";
import {
  controlPlaneObjects,
  nodePool,
} from "../../../../core/ports/hub/clusters/hypershift/objects.ts";
import {
  approvalOf,
  revocationOf,
} from "../../../../core/ports/hub/credentials/hypershift/objects.ts";
import { ovnSegmentOf } from "../../../../core/ports/network/ovn-kubernetes/objects.ts";
import { deployment } from "../../../support/deployment.ts";
import { misspelt } from "../../../support/go-spelling.ts";
import { rbdStorage } from "../../../support/guest-orders.ts";
import { plan, subnet } from "../network/contract.ts";

const order = deployment({ api: { address: "192.0.2.10" } });

it.each<[string, () => unknown]>([
  ["a control plane", () => controlPlaneObjects(order)],
  ["node pools", () => order.nodeSets.map((nodeSet) => nodePool(order, nodeSet))],
  ["credentials", () => [approvalOf(order, "x", { user: "ann", csr: "" }), revocationOf(order, 1)]],
  ["a segment", () => ovnSegmentOf(subnet, plan)],
  ["an ingress", () => [ingressObjects({ address: "10.20.0.5" }), certificateUse()]],
  ["an operator", () => operatorObjects(metalLbOperator)],
  ["storage", () => storageObjects(rbdStorage())],
])("%s is spelt as a typed operator writes it back", (_, objects) => {
  expect(misspelt(objects())).toEqual([]);
});

it.each([
  ["30m", "30m0s"],
  ["90s", "1m30s"],
  ["2h", "2h0m0s"],
  ["1024Mi", "1Gi"],
])("%s is %s by Go", (given, spelt) => {
  expect(misspelt({ spec: { limit: given } })).toEqual([`.spec.limit: ${given}, by Go ${spelt}`]);
  expect(misspelt({ spec: { limit: spelt } })).toEqual([]);
});
