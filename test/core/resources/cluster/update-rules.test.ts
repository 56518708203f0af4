import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import type { JsonObject } from "../../../../core/kernel/input/shape.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { apiOf } from "../../../../core/kernel/request/api-of.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import {
  type Field,
  type Moment,
  momentOf,
  moments,
  type Rule,
  ruleOf,
  updateRules,
} from "../../../../core/resources/cluster/update-rules.ts";
import { clusterVersions } from "../../../../core/resources/cluster-version/api.ts";
import { apiKinds } from "../../../../core/resources/generated/api-kinds.ts";
import { pullSecret } from "../../../support/api.ts";
import { updateCluster } from "../../../support/clusters.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { ann, depsWithCatalog, ordered, root, sshKey } from "../../../support/orders.ts";
import { wanted } from "../../../support/wanted.ts";

const fields = Object.keys(updateRules) as Field[];
/** A cluster in a subnet has groups: test/statemachines/clusters-in-subnets.test.ts changes them. */
const isPlain = (field: Field) => field !== "spec.network_attachment.security_groups";

const words = (rule: Rule): string => {
  switch (rule.is) {
    case "written":
      return "at once";
    case "started":
      return `starts \`cluster-${rule.saga}\``;
    case "queued":
      return `\`cluster-${rule.saga}\` waits in the queue`;
    case "refused":
      return {
        immutable: "never",
        "cannot be changed yet": "not yet",
        state: "refused",
        busy: "refused until the operation ends",
      }[rule.why];
  }
};

it("the table in the docs is the one that PATCH decides from", () => {
  const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const rules = (field: Field) => moments.map((moment) => words(ruleOf(field, moment)));
  // Fields of the same rules are one row.
  const grouped = Map.groupBy(fields, (field) => rules(field).join());
  const table = [
    row(["field", ...moments]),
    `|${"---|".repeat(moments.length + 1)}`,
    ...[...grouped.values()].map((same) =>
      row([same.map((field) => `\`${field}\``).join(", "), ...same.slice(0, 1).flatMap(rules)]),
    ),
  ].join("\n");
  const docs = readFileSync(
    new URL("../../../../docs/cluster-changes.md", import.meta.url),
    "utf8",
  );
  expect(docs).toContain(`\n${table}\n`);
});

let deps: TestDeps;
beforeEach(async () => {
  deps = await depsWithCatalog();
  await createObject(deps, root, clusterVersions, {
    metadata: { name: "4-18-0" },
    spec: { version: "4.18.0", image: "quay.io/ocp:4.18.0" },
  });
  const { rules } = apiOf(apiKinds, "secret");
  if (!rules) throw new Error("secrets cannot be written");
  const data = { ".dockerconfigjson": Buffer.from(pullSecret("third")).toString("base64") };
  await createObject(deps, ann, rules, { metadata: { name: "registry" }, data });
});

const failure = { step: "JoinNodes", kind: "Rejected", message: "no" };
/** What makes a cluster that was just ordered one that goes through this. */
const into: Record<Moment, (cluster: Cluster) => Cluster> = {
  creating: (cluster) => cluster,
  ready: ({ operation: _, ...rest }) => ({ ...rest, published: true }),
  changing: (cluster) => ({ ...cluster, published: true }),
  failed: ({ operation: _, ...rest }) => ({ ...rest, failure }),
  deleting: ({ metadata, ...rest }) => ({
    ...rest,
    metadata: { ...metadata, deletion_timestamp: metadata.creation_timestamp },
  }),
};

async function clusterThat(moment: Moment): Promise<Cluster> {
  const { cluster } = await ordered(deps);
  await changeObject(deps, "cluster", cluster.id, (before) => into[moment](before));
  const after = await mustLoad(deps, "cluster", cluster.id);
  expect(momentOf(after)).toBe(moment);
  return after;
}

/** Another value of each field, as the wire has it. */
const other: Record<Field, unknown> = {
  "metadata.name": "two",
  "metadata.tenant": "tenant-b",
  "metadata.project": "shop",
  "metadata.labels": { a: "b" },
  "metadata.annotations": { a: "b" },
  "metadata.display_name": "Two",
  "metadata.description": "The second",
  "spec.template": "t2",
  "spec.catalog_item": "gold",
  "spec.template_parameters": { a: 1 },
  "spec.node_sets": { workers: { size: 3 } },
  "spec.node_sets.*.host_type": { workers: { host_type: "large", size: 2 } },
  "spec.version": "4-18-0",
  "spec.network": { pod_cidr: "10.0.0.0/14" },
  "spec.ssh_public_key": sshKey("two"),
  "spec.pull_secret": pullSecret("another"),
  "spec.pull_secret_secret": "registry",
  "spec.network_attachment": { subnet: "web" },
  "spec.network_attachment.security_groups": { subnet: "web", security_groups: ["other"] },
  "spec.auto_external_ip_attachment": true,
  "spec.placement": { region: "elsewhere" },
};

describe.each(moments)("of a cluster that is %s", (moment) => {
  it.each(fields.filter(isPlain))("%s changes as the table says", async (field) => {
    const before = await clusterThat(moment);
    const [part = "", member = ""] = field.split(".");
    const changed = updateCluster(
      deps,
      ann,
      before.id,
      wanted((current) => ({
        ...current,
        [part]: { ...(current[part] as JsonObject), [member]: other[field] as JsonObject },
      })),
    );
    const rule = ruleOf(field, moment);
    if (rule.is === "refused" && rule.why === "busy") {
      await expect(changed).rejects.toMatchObject({ kind: "FailedPrecondition" });
      expect(await mustLoad(deps, "cluster", before.id)).toEqual(before);
      return;
    }
    if (rule.is === "refused") {
      const at = rule.why === "state" ? "spec" : field.replace("*", "workers");
      await expect(changed).rejects.toMatchObject({
        kind: "Invalid",
        violations: [{ field: at }],
      });
      expect(await mustLoad(deps, "cluster", before.id)).toEqual(before);
      return;
    }
    const { object, operation } = await changed;
    expect(object.generation).toBe(before.generation + 1);
    if (rule.is === "written") {
      expect(operation).toBeUndefined();
      expect([object.operation, object.queued]).toEqual([before.operation, before.queued]);
      return;
    }
    expect(rule.is === "queued" ? object.queued : object.operation).toBe(operation);
    const { spec, queued } = await mustLoad(deps, "operation", operation ?? "");
    expect(spec.saga).toBe(`cluster-${rule.saga}`);
    expect(queued).toBe(rule.is === "queued");
  });
});
