import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { agentValues } from "../../cli/agent-values.ts";
import { hubToken } from "../../cli/hub-token.ts";
import { checkKubeconfig, register } from "../../cli/register-hub.ts";
import { systemClock } from "../../core/clock.ts";
import { type Home, openHome, temporaryFolder } from "../support/home.ts";
import { refusal, serveHub, TestHub } from "../support/hub-api.ts";

let hub: TestHub;
let server: Awaited<ReturnType<typeof serveHub>>;
let home: Home;

const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

beforeEach(async () => {
  hub = new TestHub();
  server = await serveHub(hub.fetch);
  home = await openHome();
});
afterEach(() => server.close());

const checked = async () => {
  const { checks } = await checkKubeconfig(server.kubeconfig, systemClock);
  return checks.filter(({ outcome }) => outcome !== "ok");
};
const api = async () => ({ url: `${home.url}/`, token: await home.admin(), fetch });

it("a hub that has everything passes every check", async () => {
  expect(await checked()).toEqual([]);
  expect(hub.requests.filter(({ url }) => url.endsWith(reviews)).length).toBeGreaterThan(20);
});

/** Takes a verb away from what the hub's administrator has given. */
function deny(verb: string, resource: string): void {
  hub.cluster.patch("ClusterRole", undefined, "slipway", (role) => {
    const { rules } = z.object({ rules: z.array(ruleSchema) }).parse(role);
    const less = rules.map((rule) =>
      rule.resources.includes(resource)
        ? { ...rule, verbs: rule.verbs.filter((each) => each !== verb) }
        : rule,
    );
    return { ...role, rules: less };
  });
}
const ruleSchema = z.looseObject({ resources: z.array(z.string()), verbs: z.array(z.string()) });

it("what the credentials may not do is named", async () => {
  deny("delete", "hostedclusters");
  expect(await checked()).toEqual([
    { what: "lets us delete hostedclusters.hypershift.openshift.io", outcome: "missing" },
  ]);
});

it("what may not even be looked at does not keep the other rights from being named", async () => {
  deny("get", "namespaces");
  deny("delete", "hostedclusters");
  expect(await checked()).toEqual([
    { what: "has the namespace hardware-inventory", outcome: "unknown" },
    { what: "lets us get namespaces", outcome: "missing" },
    { what: "lets us delete hostedclusters.hypershift.openshift.io", outcome: "missing" },
  ]);
});

it("kinds and the namespace that the hub lacks are named", async () => {
  hub.intercept = ({ url }) => {
    const { pathname } = new URL(url);
    const isLacking =
      pathname === "/apis/agent-install.openshift.io/v1beta1" ||
      pathname === "/api/v1/namespaces/hardware-inventory";
    return isLacking ? refusal(404, "NotFound", "there is none") : undefined;
  };
  expect(await checked()).toEqual([
    { what: "has agents.agent-install.openshift.io/v1beta1", outcome: "missing" },
    { what: "has the namespace hardware-inventory", outcome: "missing" },
  ]);
});

it("rights of which the server does not speak are unknown, not missing", async () => {
  hub.intercept = ({ url }) =>
    url.endsWith(reviews) ? refusal(404, "NotFound", "there is none") : undefined;
  const outcomes = new Set((await checked()).map(({ outcome }) => outcome));
  expect(outcomes).toEqual(new Set(["unknown"]));
});

it("credentials that the hub does not accept are said so", async () => {
  const wrong = server.kubeconfig.replace("the-token", "other");
  await expect(checkKubeconfig(wrong, systemClock)).rejects.toMatchObject({
    kind: "Unavailable",
    message: "the hub does not accept our credentials",
  });
});

const registration = () => ({
  name: "hub-west",
  kubeconfig: server.kubeconfig,
  region: "west",
  capacity: 30,
  base_domain: "west.example.com",
});

it("a hub is registered once, and changed when it is registered again", async () => {
  const first = await register(registration(), await api());
  expect(first.outcome).toBe("created");
  const { capacity: _, base_domain: __, ...rest } = registration();
  const again = await register({ ...rest, region: "north" }, await api());
  expect(again).toEqual({ id: first.id, outcome: "updated" });
  const headers = { authorization: `Bearer ${await home.admin()}` };
  const answer = await fetch(`${home.url}/api/private/v1/hubs/${first.id}`, { headers });
  expect(await answer.json()).toMatchObject({
    spec: { region: "north", capacity: 30, base_domain: "west.example.com" },
  });
});

it("one cluster is one hub: under another name only after the first is gone", async () => {
  const { clusterUid } = await checkKubeconfig(server.kubeconfig, systemClock);
  expect(clusterUid).toBe(hub.cluster.get("Namespace", undefined, "kube-system")?.metadata.uid);
  const wish = { ...registration(), ...(clusterUid !== undefined && { cluster_uid: clusterUid }) };
  const { id } = await register(wish, await api());
  const other = { ...wish, name: "hub-again" };
  await expect(register(other, await api())).rejects.toMatchObject({
    kind: "Rejected",
    message: expect.stringContaining(`this cluster is already registered as hub '${id}'`),
  });
  expect(await register(wish, await api())).toEqual({ id, outcome: "updated" });
  const headers = { authorization: `Bearer ${await home.admin()}` };
  await fetch(`${home.url}/api/private/v1/hubs/${id}`, { method: "DELETE", headers });
  expect(await register(other, await api())).toMatchObject({ outcome: "created" });
});

it("what Slipway refuses is told in its words", async () => {
  const registered = register({ ...registration(), capacity: -1 }, await api());
  await expect(registered).rejects.toMatchObject({
    kind: "Rejected",
    message: expect.stringContaining("spec.capacity: "),
  });
});

it("what a hub lacks before it gets orders is told in Slipway's words", async () => {
  const { base_domain: _, ...rest } = registration();
  const { incomplete } = await register({ ...rest, name: "hub-south" }, await api());
  expect(incomplete).toBe("no order is placed on this hub until it has spec.base_domain");
});

it("an issuer that hands out no such tokens is not asked for one", async () => {
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    "https://api/api/fulfillment/v1/capabilities": {
      authn: { trusted_token_issuers: ["https://issuer/realm"] },
    },
    "https://issuer/realm/.well-known/openid-configuration": { issuer: "https://issuer/realm" },
  };
  const token = await hubToken("hub-a", {
    url: "https://api",
    token: "secret",
    fetch: async (url, init) => {
      asked.push(url);
      expect(JSON.stringify(init)).not.toContain("secret");
      return Response.json(answers[url]);
    },
  });
  expect(token).toBeUndefined();
  expect(asked).toEqual(Object.keys(answers));
});

it("the values name the hub and its home, and a Secret where there is no token", () => {
  expect(agentValues({ hub: "h1", api: "https://api.example.com/", token: "t" })).toBe(
    "hub: h1\napi: https://api.example.com\ntoken: t\n",
  );
  expect(agentValues({ hub: "h1", api: "https://api.example.com" })).toBe(
    "hub: h1\napi: https://api.example.com\nexistingSecret: slipway-hub-agent-token\n",
  );
});

it("the kubeconfig's faults are named before anything is asked", () => {
  const file = join(temporaryFolder(), "kubeconfig");
  writeFileSync(file, server.kubeconfig.replace(/token: .*/, "tokenFile: /etc/passwd"));
  expect(() => checkKubeconfig(readFileSync(file, "utf8"), systemClock)).toThrow("cannot be used");
  expect(hub.requests).toEqual([]);
});
