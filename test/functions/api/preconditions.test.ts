import { beforeEach, describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { type Api, catalogApi, order, v1 } from "../../support/api.ts";

/** What is only done to the version that the client has read. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const made = async (kind: string, body: object) =>
  (await api.ask("amy", "POST", `${v1}/${kind}`, body)).body;
const bodies = {
  projects: { metadata: { name: "p" } },
  webhooks: { metadata: { name: "w" }, spec: { url: "https://hooks.example.com/slipway" } },
  clusters: order("one"),
};

describe.each(Object.entries(bodies))("If-Match for %s", (kind, body) => {
  it.each([
    ['"0"', 200],
    ['"7", "0"', 200],
    ['"7","8" ,"0"', 200],
    ["*", 200],
    ['"1"', 412],
    ['"7", "8"', 412],
    // RFC 9110, 13.1.1: a weak one is never strongly the same.
    ['W/"0"', 412],
    ['W/"0", "1"', 412],
    ["0", 412],
    ["", 412],
    ['"0', 412],
    ['"0"x', 412],
    ['"00"', 412],
  ])("%s: PATCH and DELETE answer %i", async (match, status) => {
    const { id } = await made(kind, body);
    const before = api.dump();
    const headers = { "If-Match": match };
    const path = `${v1}/${kind}/${id}`;
    const change = { metadata: { labels: { a: "b" } } };
    const changed = await api.ask("amy", "PATCH", path, change, headers);
    expect(changed.status, changed.text).toBe(status);
    if (status === 412) expect(api.dump()).toBe(before);
    else await api.ask("amy", "PATCH", path, { metadata: { labels: {} } });
    const version = status === 200 && match !== "*" ? match.replace('"0"', '"2"') : match;
    const deleted = await api.ask("amy", "DELETE", path, undefined, { "If-Match": version });
    expect(deleted.status, deleted.text).toBe(status);
    if (status === 412) expect(api.dump()).toBe(before);
  });
});

it("holds for a new secret of a webhook, and for another try of an order", async () => {
  const webhook = await made("webhooks", bodies.webhooks);
  const rotate = (match: string) =>
    api.ask("amy", "POST", `${v1}/webhooks/${webhook.id}/rotate_secret`, undefined, {
      "If-Match": match,
    });
  expect((await rotate('"7"')).status).toBe(412);
  expect((await rotate('"0"')).status).toBe(200);

  const cluster = await made("clusters", bodies.clusters);
  await changeObject(api.deps, "cluster", cluster.id, ({ operation: _, ...each }) => ({
    ...each,
    failure: { step: "AttachHosts", kind: "Rejected", message: "refused" },
  }));
  const retry = (match: string) =>
    api.ask("amy", "POST", `${v1}/clusters/${cluster.id}/retry`, undefined, { "If-Match": match });
  expect((await retry('"7"')).status).toBe(412);
  expect((await retry('"0"')).status).toBe(200);
});
