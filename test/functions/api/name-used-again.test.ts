import { beforeEach, describe, expect, it } from "vitest";
import { withLastEvent } from "../../../core/kernel/events/outbox.ts";
import { archive, mustLoad } from "../../../core/kernel/object/records.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { tenantPolicies } from "../../../core/resources/tenant/model.ts";
import { WebhookSender } from "../../../core/resources/webhook/send.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, order, type Person, priv, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";
import { recordsIn } from "../../support/records.ts";

/** Who gets the name of a tenant that is gone gets the name alone. */

describe.each(tenantPolicies)("with tenants of %s, a name that another had", (policy) => {
  let api: Api;
  let relayed: string | undefined;
  /** Of the cluster that the former tenant had. */
  let cluster: string;
  const key = { "Idempotency-Key": "k1" };

  beforeEach(async () => {
    api = await catalogApi(testDeps({ tenants: policy }));
    relayed = undefined;
    await register();
    const user = await made("users", { metadata: { name: "former-user" } });
    const former = await made("clusters", order("former-cluster"), key);
    cluster = former.id;
    await relayAll();
    await api.ask("amy", "DELETE", `${v1}/users/${user.id}`);
    await end(cluster);
    await relayAll();
    await pass();
    expect((await api.ask("admin", "DELETE", `${priv}/tenants/tenant-a`)).status).toBe(200);
    await pass();
  });

  async function made(plural: string, body: unknown, headers = {}) {
    const answer = await api.ask("amy", "POST", `${v1}/${plural}`, body, headers);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  const register = () =>
    api.ask("admin", "POST", `${priv}/tenants`, { metadata: { name: "tenant-a" } });

  /** What the deletion of a cluster comes to. */
  async function end(id: string) {
    const { store, clock } = api.deps;
    const object = await mustLoad(recordsIn(store), "cluster", id);
    await store.transact(archive(kinds, withLastEvent(object, clock.now()), clock.now()));
  }

  /** What the relay makes of the deletion; the rest of the stream may come later. */
  async function forget() {
    for (const record of api.deps.store.stream(relayed, 10_000))
      if (record.key.pk === "archive#tenant#tenant-a") await relay(api.deps, sagas, record);
  }

  async function relayAll() {
    for (const record of api.deps.store.stream(relayed, 10_000)) {
      await relay(api.deps, sagas, record);
      relayed = record.sequence;
    }
  }

  const pass = () => api.deps.clock.advance(1000);

  /** Its first object makes its record, where the provider has not. */
  async function comeBack() {
    await forget();
    if (policy === "registered") expect((await register()).status).toBe(200);
    await made("projects", { metadata: { name: "anew" } });
  }

  async function watched(person: Person, path: string, from = "0"): Promise<string> {
    const headers = { "Last-Event-ID": from, Accept: "text/event-stream" };
    const waiting = api.ask(person, "GET", path, undefined, headers);
    return (await api.deps.clock.until(waiting)).text;
  }
  const own = "/api/events/v1/events";
  const provider = `${priv}/events/watch?tenant=tenant-a`;

  it("tells nobody of that name anything while there is none", async () => {
    await relayAll();
    expect(await watched("amy", own)).not.toMatch(/former|tenants\/tenant-a/);
    expect(await watched("admin", provider)).toMatch(/former-cluster/);
    expect((await api.ask("amy", "GET", `${v1}/clusters/${cluster}/history`)).status).toBe(404);
  });

  it("has a log that begins anew, also with what comes into it late", async () => {
    await comeBack();
    await relayAll();
    const seen = await watched("amy", own);
    expect(seen).toMatch(/"subject":"tenants\/tenant-a"/);
    expect(seen).toMatch(/"name":"anew"/);
    expect(seen).not.toMatch(/former|tenant\.deleted/);
    expect(await watched("admin", provider)).toMatch(/former-user/);
  });

  it("sends webhooks nothing of the other's, were they to begin at the first event", async () => {
    await comeBack();
    const spec = { url: "https://hooks.example.com/x" };
    const { id } = await made("webhooks", { metadata: { name: "w" }, spec });
    await relayAll();
    const replay = await api.ask("amy", "POST", `${v1}/webhooks/${id}/replay`, { position: "0" });
    expect(replay.status).toBe(200);
    const sender = new WebhookSender(api.deps);
    for (let n = 0; n < 5; n++) {
      await sender.run();
      await sender.idle();
      await relayAll();
      await pass();
    }
    const sent = api.deps.posts.map(({ body }) => body).join("\n");
    expect(sent).toMatch(/"name":"anew"/);
    expect(sent).not.toMatch(/former|tenant\.deleted/);
  });

  it("has no history of the other's clusters", async () => {
    const path = `/clusters/${cluster}/history`;
    await comeBack();
    expect((await api.ask("amy", "GET", v1 + path)).status).toBe(404);
    expect((await api.ask("admin", "GET", priv + path)).status).toBe(200);
  });

  it("has none of the other's operations, and is nobody's until they are gone", async () => {
    const operations = async (person: Person, base = v1) =>
      (await api.ask(person, "GET", `${base}/operations`)).body;
    const [{ id }] = (await operations("admin", priv)).items;
    const project = { metadata: { name: "anew" } };
    const tooEarly =
      policy === "registered"
        ? await register()
        : await api.ask("amy", "POST", `${v1}/projects`, project);
    expect(tooEarly.status).toBe(503);
    expect(tooEarly.headers.get("Retry-After")).toBe("5");

    await comeBack();
    expect(await operations("amy")).toEqual({ size: 0, total: 0, items: [] });
    expect((await api.ask("amy", "GET", `${v1}/operations/${id}`)).status).toBe(404);
    await made("clusters", order("own"));
    await forget();
    expect(await operations("amy")).toMatchObject({
      total: 1,
      items: [{ spec: { change: "CREATE" } }],
    });
    expect((await operations("admin", priv)).total).toBe(1);
  });

  it("replays nothing that the other was answered", async () => {
    await comeBack();
    const again = await api.ask("amy", "POST", `${v1}/clusters`, order("former-cluster"), key);
    expect(again.status).toBe(422);
    expect(again.text).not.toContain(cluster);
    await made("clusters", order("former-cluster"), { "Idempotency-Key": "k2" });
  });
});
